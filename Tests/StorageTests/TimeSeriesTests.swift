import CaptureStore
import DeviceRuntime
import StorageBackends
import TestSupport
import Testing

@Suite("InfluxDB backend and real databases", .boundedHang)
struct TimeSeriesTests {
    private func reading(_ number: Int, _ fields: [Capture.Field]) -> StoredRecord {
        StoredRecord(
            id: RecordID(device: "porch", identity: "3fa2c81b", sequence: Int64(number)), part: "climate",
            event: "reading", time: WallTime(sinceEpoch: .seconds(1_772_350_200)), fields: fields, document: "{}",
            objects: [])
    }

    /// Stores the records and returns the error.
    private func store(
        _ records: [StoredRecord], at server: TimeSeriesServer,
        _ target: InfluxBackend.Target = .database("porch", retentionPolicy: nil),
        credentials: HTTPCredentials? = nil, compression: CompressionPolicy = .gzip
    ) async throws -> StorageError? {
        let measurement = try #require(NamePattern("{part}"))
        return try await EventLoop.run(time: .real) { loop in
            let backend = try InfluxBackend(
                name: "metrics", url: server.url, target: target, credentials: credentials, measurement: measurement,
                connection: ConnectionSettings(compression: compression), loop: loop)
            do {
                try await backend.store(records)
                return nil
            } catch let error as StorageError {
                return error
            }
        }
    }

    @Test(
        "A record is a point with its values, and again is the same point", arguments: [CompressionPolicy.none, .gzip])
    func roundTrip(compression: CompressionPolicy) async throws {
        let server = try TimeSeriesServer.influx()
        _ = try server.ask("CREATE DATABASE porch")
        let record = reading(
            7,
            [
                .init("temperature", .number(21.5)), .init("humidity", .integer(55)), .init("ok", .flag(true)),
                .init("note", .text("a \"b\" c\\ = , d")), .init("odd name, =", .integer(1)),
                .init("time", .integer(3)),
            ])
        for _ in 1...3 {
            let error = try await store(
                [record] + (100...120).map { reading($0, []) }, at: server, compression: compression)
            #expect(error == nil)
        }
        let answer = try server.ask("SELECT * FROM climate WHERE sequence = 7")
        #expect(
            answer.contains(
                #""columns":["time","device","event","humidity","note","odd name, =","ok","part","sequence","temperature","time_"]"#
            ),
            "\(answer)")
        #expect(
            answer.contains(
                #""values":[[1772350200000000007,"porch","reading",55,"a \"b\" c\\ = , d",1,true,"climate",7,21.5,3]]"#),
            "\(answer)")
        #expect(try server.ask("SELECT count(sequence) FROM climate").contains(",22]"))
    }

    @Test("Records of one millisecond stay apart")
    func sameTime() async throws {
        let server = try TimeSeriesServer.influx()
        _ = try server.ask("CREATE DATABASE porch")
        #expect(try await store((1...500).map { reading($0, [.init("v", .integer($0))]) }, at: server) == nil)
        #expect(try server.ask("SELECT count(v), sum(v) FROM climate").contains(",500,125250]"))
    }

    @Test("A database that is missing waits for a person; a line that is wrong is rejected, and the others are there")
    func refusals() async throws {
        let server = try TimeSeriesServer.influx()
        let missing = try #require(try await store([reading(1, [])], at: server))
        #expect(missing.kind == .temporary(retryAfter: .seconds(300)))
        #expect(missing.message.contains("there is no database 'porch'"), "\(missing)")
        #expect(missing.advice?.contains("create it") == true)
        _ = try server.ask("CREATE DATABASE porch")
        // From now on the field is a number.
        #expect(try await store([reading(4, [.init("v", .number(4))])], at: server) == nil)
        let records = [
            reading(1, [.init("v", .number(1))]), reading(2, [.init("v", .text("no number"))]),
            reading(3, [.init("v", .number(3))]),
        ]
        let partial = try #require(try await store(records, at: server))
        #expect(partial.kind == .permanent)
        #expect(partial.message.contains("field type conflict"), "\(partial)")
        #expect(try server.ask("SELECT count(v) FROM climate").contains(",3]"))
        // One by one, as the search for the bad record does it.
        var rejected: [Int64] = []
        for record in records where try await store([record], at: server)?.kind == .permanent {
            rejected.append(record.id.sequence)
        }
        #expect(rejected == [2])
        #expect(try server.ask("SELECT count(v) FROM climate").contains(",3]"))
    }

    @Test("A login is sent, and a wrong one waits for a person")
    func login() async throws {
        let server = try TimeSeriesServer.influx(password: "s3cret")
        _ = try server.ask("CREATE DATABASE porch", login: "porch:s3cret")
        let right = HTTPCredentials.basic(user: "porch", password: "s3cret")
        #expect(try await store([reading(1, [])], at: server, credentials: right) == nil)
        for wrong in [nil, HTTPCredentials.basic(user: "porch", password: "guess")] {
            let error = try #require(try await store([reading(1, [])], at: server, credentials: wrong))
            #expect(error.kind == .temporary(retryAfter: .seconds(300)))
            #expect(error.message.contains("401"), "\(error)")
            #expect(!error.description.contains("guess"))
        }
    }

    @Test(
        "VictoriaMetrics takes the ways of InfluxDB 1 and 2",
        arguments: [
            InfluxBackend.Target.database("porch", retentionPolicy: nil), .bucket("porch", organization: "home"),
        ])
    func victoriaMetrics(target: InfluxBackend.Target) async throws {
        let server = try TimeSeriesServer.victoriaMetrics()
        let error = try await store([reading(1, [.init("temperature", .number(21.5))])], at: server, target)
        #expect(error == nil)
        let series = try server.export()
        #expect(series.contains("\"__name__\":\"climate_temperature\""), "\(series)")
        #expect(series.contains("\"values\":[21.5],\"timestamps\":[1772350200000]"), "\(series)")
        #expect(series.contains("\"device\":\"porch\""))
    }
}
