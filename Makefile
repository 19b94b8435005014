# The commands of the README. Each sets up what it needs.

# Warnings are errors here and not in Package.swift, and an undeclared import is one too.
FLAGS = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# Rings that need more than this machine have their own command.
RINGS = --skip KernelTests --skip StorageTests --skip CrashTests --skip PackageTests

.PHONY: help demo demo-page test test-storage storage-conformance test-crash test-kernel test-new-driver test-package test-boot golden conformance deb release install-files bench bench-daemon soak bench-hal bench-buses bench-drivers install build lint setup

help:
	@sed -n 's/^## //p' Makefile

## make demo          the doorbell on the simulated board: somebody rings, and a picture arrives
demo: build
	@rm -rf .build/demo
	@.build/debug/perch simulate --config examples/doorbell.yaml --for 2min --seed 7 --draw --output .build/demo

## make demo-page     the same doorbell with a page in your browser: press its button there (Ctrl-C ends it)
demo-page: build
	@mkdir -p .build/demo-page
	@{ cat examples/doorbell.yaml; echo 'page: { listen: "127.0.0.1:8420" }'; } > .build/demo-page/perch.yaml
	@.build/debug/perch run --config .build/demo-page/perch.yaml --board simulated --state .build/demo-page/state

## make test          unit and simulated tests, in virtual time, without hardware
test: setup
	swift test $(FLAGS) $(RINGS)

## make test-storage  the storage backends against real servers on loopback
test-storage: setup
	@.ci/packages storage
	swift test $(FLAGS) --filter StorageTests

## make storage-conformance  docs/storage-conformance.md, from the storage ring
storage-conformance: setup
	@.ci/packages storage
	swift build --build-tests $(FLAGS)
	-swift test --skip-build --filter StorageTests > .build/storage.log
	Tests/StorageTests/table .build/storage.log > docs/storage-conformance.md

## make test-crash    the daemon killed under load, and on disks that fail: nothing accepted is lost
test-crash: setup
	swift test $(FLAGS) --filter CrashTests

## make test-kernel   the real interfaces, on a real Linux kernel that runs as a program (docs/kernel-tests.md)
test-kernel: setup
	@.ci/packages kernel
	swift build --build-tests $(FLAGS)
	Tests/Kernel/boot .build/debug/perchPackageTests.xctest --testing-library swift-testing --filter KernelTests

## make test-new-driver  the package that `perch new driver` makes, built and tested in an empty folder
test-new-driver: build
	@Tests/NewDriver/run

## make golden        Tests/Recordings/porch.trace, recorded on that kernel: after drivers do something else on purpose
golden: setup
	@.ci/packages kernel
	swift build --build-tests $(FLAGS)
	PERCH_GOLDEN=$(CURDIR)/Tests/Recordings/porch.trace Tests/Kernel/boot .build/debug/perchPackageTests.xctest \
	    --testing-library swift-testing --filter OnTheKernel.RecordingTests

## make conformance   docs/conformance.md, from the suite on both boards (LOG=… or TREE=… adds a column for libgpiod 2.2)
# LOG is what the kernel ring has printed on a system with libgpiod 2.2; TREE is the root of such a system, with this
# project built in its folder perch, which is booted. What fails is in the table, whose script then fails.
SUITE = .build/debug/perchPackageTests.xctest --testing-library swift-testing --filter OnTheKernel.ConformanceTests
THIRD = $(or $(LOG),$(if $(TREE),.build/kernel-2.log))
conformance: setup
	@.ci/packages kernel
	swift build --build-tests $(FLAGS)
	-swift test --skip-build --filter SimulatedPeripheralsTests.ConformanceTests > .build/simulated.log
	-Tests/Kernel/boot $(SUITE) > .build/kernel.log
	-$(if $(TREE),Tests/Kernel/boot --root $(TREE) /perch/$(SUITE) > .build/kernel-2.log)
	Tests/Conformance/table simulated=.build/simulated.log 'kernel with libgpiod 1.6=.build/kernel.log' \
	    $(if $(THIRD),'kernel with libgpiod 2.2=$(THIRD)') > docs/conformance.md

## make bench         size, memory, start and wake-ups, beside a bare Swift program and gpiozero (docs/benchmarks.md)
bench: setup
	@.ci/packages bench
	@Tests/Benchmarks/bench

## make bench-daemon  CPU, wake-ups and memory beside gpiozero with paho, mqtt-io and collectd at the same job (docs/benchmarks.md)
bench-daemon: setup
	@.ci/packages bench-daemon
	@Tests/Benchmarks/bench-daemon

## make soak          30 minutes of real time under load, with faults: memory and open files stay flat (MINUTES=… for less)
soak: setup
	@Tests/Benchmarks/soak $(or $(MINUTES),30)

## make bench-buses   I2C and SPI calls per second beside the same loop in C (docs/benchmarks-buses.md)
bench-buses: setup
	@.ci/packages kernel bench-hal
	@Tests/Benchmarks/bench-buses

## make bench-hal     from an edge to its handler, beside C, gpiod and gpiozero (docs/benchmarks-hal.md)
bench-hal: setup
	@.ci/packages kernel bench-hal
	@Tests/Benchmarks/bench-hal

## make bench-drivers what an update of a display costs on the bus, beside Adafruit's library and luma (docs/benchmarks-drivers.md)
bench-drivers: build
	@.ci/packages bench-hal
	@Tests/Benchmarks/bench-drivers

## make install       a release with everything that the service needs (DESTDIR is respected)
install: release install-files
	install -D -m 644 systemd/perch.service $(DESTDIR)/usr/lib/systemd/system/perch.service
	install -D -m 644 systemd/perch.sysusers.conf $(DESTDIR)/usr/lib/sysusers.d/perch.conf
	install -D -m 644 systemd/perch.rules $(DESTDIR)/usr/lib/udev/rules.d/60-perch.rules
	[ -n "$(DESTDIR)" ] || ! command -v systemctl >/dev/null || { systemd-sysusers && systemctl daemon-reload && udevadm control --reload && udevadm trigger; }

# Code that is there twice, and names that only a debugger asks for: together 0.7 MB of 15.
SMALLER = -Xlinker --icf=safe -Xlinker --no-export-dynamic
release: setup
	swift build $(FLAGS) --configuration release --static-swift-stdlib --product perch $(SMALLER)

# What has the same place on every system. The program itself makes its manual pages and completion.
SHARE = $(DESTDIR)/usr/share
install-files:
	install -D -m 755 .build/release/perch $(DESTDIR)/usr/bin/perch
	install -d $(addprefix $(SHARE)/,man/man1 man/man5 bash-completion/completions zsh/vendor-completions \
	    fish/vendor_completions.d doc/perch/examples)
	.build/release/perch manual perch > $(SHARE)/man/man1/perch.1
	.build/release/perch manual perch.yaml > $(SHARE)/man/man5/perch.yaml.5
	.build/release/perch completion bash > $(SHARE)/bash-completion/completions/perch
	.build/release/perch completion zsh > $(SHARE)/zsh/vendor-completions/_perch
	.build/release/perch completion fish > $(SHARE)/fish/vendor_completions.d/perch.fish
	cp -R --no-preserve=mode,ownership examples/. $(SHARE)/doc/perch/examples
	test -e $(DESTDIR)/etc/perch/perch.yaml || install -D -m 644 packaging/perch.yaml $(DESTDIR)/etc/perch/perch.yaml

## make deb           .build/deb/perch_….deb, for the Debian that this is, or for another: RELEASE=trixie ARCH=arm64
deb: setup
ifneq ($(RELEASE)$(ARCH),)
	@.ci/packages package
	packaging/in-debian $(or $(RELEASE),trixie) $(or $(ARCH),$(shell dpkg --print-architecture))
else
	@.ci/packages deb
	rm -rf .build/deb
	mkdir -p .build/deb
	dh_clean
	debian/rules binary
endif

## make test-package  what is in that package, and its life in a Debian of its own
test-package: deb
	@.ci/packages package
	@Tests/Boot/tree .build/deb/*.deb >/dev/null
	swift build --build-tests $(FLAGS)
	swift test --skip-build --filter PackageTests.DebianPackageTests

## make test-boot     that package on a Debian with systemd, booted on the real kernel (docs/boot-tests.md)
# RELEASE names the Debian that the package is made in and booted.
export RELEASE
test-boot: deb
	@.ci/packages kernel package
	@Tests/Kernel/build-kernel >/dev/null
	@Tests/Boot/tree .build/deb/*.deb >/dev/null
	swift build --build-tests $(FLAGS)
	swift test --skip-build --filter PackageTests.BootTests

## make lint          the format of the source
lint: setup
	swift format lint --strict --recursive Package.swift Sources Tests Templates drivers

build: setup
	@swift build $(FLAGS)

setup:
	@.ci/packages build
