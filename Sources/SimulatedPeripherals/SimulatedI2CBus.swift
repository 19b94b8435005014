import DeviceRuntime
public import Peripherals

/// A part on a simulated I2C bus. A byte that it does not take is not acknowledged: throw
/// ``PeripheralError/Code/dataNotAcknowledged``.
public protocol SimulatedI2CTarget: AnyObject, Sendable {
    /// The bytes of one write.
    func write(_ bytes: [UInt8]) throws
    /// The bytes of one read. A controller that reads an SMBus block takes as many of them as the first one says.
    func read(count: Int) throws -> [UInt8]
    /// One transfer, for a part that has to see it as a whole; returns what each read gives.
    func transfer(_ messages: [I2CMessage]) throws -> [[UInt8]]
    /// It has its power again after it had none: what it does not keep is gone.
    func powerOn()
}

extension SimulatedI2CTarget {
    /// A part that keeps everything.
    public func powerOn() {}

    public func transfer(_ messages: [I2CMessage]) throws -> [[UInt8]] {
        try messages.compactMap { message in
            switch message {
            case .write(let bytes):
                try write(bytes)
                return nil
            case .read(let count): return try read(count: count)
            }
        }
    }
}

/// An I2C bus. Transfers follow each other and take the time that they would take on the wire.
public final class SimulatedI2CBus: Sendable {
    /// What a test may change at any time.
    public struct Conditions: Sendable {
        /// The clock.
        public var speed = Frequency.standardMode
        /// What the controller can do: as a bit-banged one, which is what the kernel of the tests has.
        public var functionality = I2CFunctionality.bitBanged
        /// For how long parts hold the clock, in each transfer. More than ``timeout`` ends the transfer.
        public var clockStretch: Duration = .zero
        /// A line is held low: every transfer waits for ``timeout`` and fails.
        public var isStuck = false
        /// A line is held low up to then: transfers wait for it, and for ``timeout`` at most.
        public var heldUntil: Duration = .zero
        /// How long the controller waits.
        public var timeout: Duration = .seconds(1)
    }

    struct State {
        var conditions = Conditions()
        var targets: [I2CAddress: any SimulatedI2CTarget] = [:]
        var everywhere: (any SimulatedI2CTarget)?
        var owners: [I2CAddress: Ownership] = [:]
        var kernelDrivers: [I2CAddress: String] = [:]
        /// Where the part has neither contact nor power.
        var unplugged: Set<I2CAddress> = []
        var faults = FaultTable<(address: I2CAddress?, fault: I2CFault)>()
        var busyUntil: Duration = .zero
        var health = I2CBusHealth()

        /// What answers at an address.
        func target(at address: I2CAddress) -> (any SimulatedI2CTarget)? {
            unplugged.contains(address) ? nil : targets[address] ?? everywhere
        }

        /// A transfer begins: returns what goes wrong with it.
        mutating func takeFaults(of transfer: SimulatedI2CTransfer, at address: I2CAddress) -> I2CFaultEffects {
            var effects = I2CFaultEffects()
            faults.forEach { entry in
                guard entry.address ?? address == address else { return }
                if let effect = entry.fault.takesNext(transfer) { effects.add(effect) }
            }
            return effects
        }
    }

    public let name: String
    let loop: EventLoop
    let trace: Trace
    let state = Protected(State())

    init(name: String, loop: EventLoop, trace: Trace) {
        self.name = name
        self.loop = loop
        self.trace = trace
    }

    /// Changes the conditions under which the bus works.
    public func setConditions(_ change: (inout Conditions) -> Void) { state.withLock { change(&$0.conditions) } }

    var conditions: Conditions { state.withLock { $0.conditions } }

    /// Connects a part; replaces one at the same address.
    public func attach(_ target: any SimulatedI2CTarget, at address: I2CAddress) {
        state.withLock { $0.targets[address] = target }
    }

    /// Connects a part that answers at every address where there is no other.
    public func attachEverywhere(_ target: any SimulatedI2CTarget) { state.withLock { $0.everywhere = target } }

    /// Takes the part at `address` away for good.
    public func detach(_ address: I2CAddress) { state.withLock { $0.targets[address] = nil } }

    /// Unplugs the part at `address`, which loses its power, or plugs it in again.
    public func setPlugged(_ isPlugged: Bool, at address: I2CAddress) {
        let target = state.withLock { state -> (any SimulatedI2CTarget)? in
            guard isPlugged else {
                state.unplugged.insert(address)
                return nil
            }
            return state.unplugged.remove(address) == nil ? nil : state.target(at: address)
        }
        trace.recordWire(name, "\(address) \(isPlugged ? "plugged in" : "unplugged")")
        target?.powerOn()
    }

    /// Brings about a fault of the transfers that begin from now on, with one address or with all, until what is
    /// returned is called.
    @discardableResult
    public func inject(_ fault: I2CFault, at address: I2CAddress? = nil) -> EndOfFault {
        let number = state.withLock { $0.faults.add((address, fault)) }
        return { [self] in state.withLock { $0.faults.remove(number) } }
    }

    /// Who has the address open.
    public func ownership(of address: I2CAddress) -> Ownership {
        state.withLock { state in
            let owner = state.owners[address] ?? Ownership(of: "\(name) \(address)")
            state.owners[address] = owner
            return owner
        }
    }

    /// Gives an address to a driver of the kernel, or takes it back: programs find it busy.
    public func setKernelDriver(_ driver: String?, at address: I2CAddress) {
        state.withLock { $0.kernelDrivers[address] = driver }
    }

    func openDevice(
        _ address: I2CAddress, _ configuration: I2CConfiguration, consumer: String
    ) throws -> any I2CDevice {
        let place = "\(name) \(address)"
        let owner = ownership(of: address)
        let (functionality, driver) = state.withLock { ($0.conditions.functionality, $0.kernelDrivers[address]) }
        let opening = try owner.take(by: consumer)
        do {
            if address.isTenBit { try need(.tenBitAddresses, functionality, place) }
            if driver != nil {
                throw PeripheralError(
                    .busy, "\(place) is held by a driver of the kernel", cause: "EBUSY (16)",
                    advice: "use that driver's interface, or remove its overlay")
            }
            if configuration.checksPackets { try need(.packetErrorChecking, functionality, place) }
            let timeout = try configuration.timeoutSteps(for: place)
            _ = try configuration.checkedKernelRetries(for: place)
            if let timeout { setConditions { $0.timeout = .milliseconds(10 * timeout) } }
        } catch {
            _ = owner.release(opening)
            throw error
        }
        return SimulatedI2CDevice(
            bus: self, address: address, functionality: functionality, configuration, owner: owner, opening: opening)
    }

    private func need(_ what: I2CFunctionality, _ functionality: I2CFunctionality, _ place: String) throws {
        guard functionality.contains(what) else {
            throw PeripheralError(.unsupported, "\(place): the bus's controller has no \(what)")
        }
    }

    /// As ``Board/scanI2CBus(_:)``.
    func scan() async throws -> I2CScan {
        try await I2CScan.run(conditions.functionality) { address in
            state.withLock { $0.kernelDrivers[address] }.map { .heldByKernel(driver: $0) }
        } ask: { address, question in
            _ = try await run(SimulatedI2CTransfer(of: question, checksPackets: false), at: address) {}
        }
    }
}

extension I2CFunctionality {
    /// Of a bit-banged controller (`i2c-algo-bit.c`): everything.
    public static let bitBanged: I2CFunctionality = [
        .rawMessages, .tenBitAddresses, .packetErrorChecking, .blockProcessCall, .readBlock, .smbusStub, .processCall,
        .writeBlock,
    ]

    /// Of the kernel's i2c-stub, and much like that of old PC controllers: some SMBus commands and nothing else.
    public static let smbusStub: I2CFunctionality = [
        .quick, .receiveByte, .sendByte, .readByte, .writeByte, .readWord, .writeWord, .readI2CBlock, .writeI2CBlock,
    ]
}
