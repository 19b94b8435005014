# The commands of the README. Each sets up what it needs.

# Warnings are errors here and not in Package.swift, and an undeclared import is one too.
FLAGS = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error

.PHONY: test test-kernel lint setup
setup:
	@.ci/packages build

## test: unit and simulated tests, in virtual time, no hardware
test: setup
	swift test $(FLAGS) --skip KernelTests --skip StorageTests

## test-kernel: the real interfaces, on a real Linux kernel that runs as a program (docs/kernel-tests.md)
test-kernel: setup
	@.ci/packages kernel
	swift build --build-tests $(FLAGS)
	Tests/Kernel/boot .build/debug/perchPackageTests.xctest --testing-library swift-testing --filter KernelTests

lint:
	swift format lint --strict --recursive Package.swift Sources Tests drivers
