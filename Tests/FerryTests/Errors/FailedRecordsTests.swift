import Synchronization
import TestSupport
import Testing

@testable import Ferry

/// The errors of the records that a conversion leaves out: each is handed on, and the first are kept.
@Suite struct `Errors of records` {
  /// The errors that a conversion hands on.
  private final class Received: Sendable {
    private let errors = Mutex<[FerryError]>([])
    var all: [FerryError] { errors.withLock { $0 } }
    func add(_ error: FerryError) { errors.withLock { $0.append(error) } }
  }

  private static func bad(_ count: Int) -> [UInt8] {
    Array(String(repeating: "{\"a\":}\n", count: count).utf8)
  }

  private static func schema(_ fields: String) throws -> Schema {
    let text = #"{"ferry":1,"name":"s","record":{"element":"r"},"fields":[\#(fields)]}"#
    return try Schema(Value(reading: MemoryInput(Array(text.utf8))))
  }

  @Test func `A conversion hands on every error in the order of the records, and keeps the first`() throws {
    let received = Received()
    var conversion = Conversion(to: .jsonLines)
    (conversion.reading.format, conversion.keepsGoing) = (.jsonLines, true)
    conversion.whenRecordFails = { received.add($0) }
    let report = try conversion.convert(Self.bad(12_000)).report
    #expect(received.all.map(\.location.line) == (1...12_000).map { $0 })
    #expect(report.errors.count == 10_000 && report.errorCount == 12_000)
    #expect(report.errors == Array(received.all.prefix(10_000)))
    let sum = report.adding(report)
    #expect(sum.errors.count == 10_000 && sum.errorCount == 24_000)
  }

  @Test func `An error that ends a conversion keeps the first errors of records`() throws {
    var conversion = Conversion(to: .csv)
    (conversion.reading.format, conversion.keepsGoing) = (.csv, true)
    let text = "a,b\n" + String(repeating: "1\n", count: 12_000) + "1,\"2"
    let error = try #require(throws: FerryError.self) { try conversion.convert(Array(text.utf8)) }
    #expect(error.earlier.count == 10_000)
  }

  @Test func `The error of a row is handed on with the location of its cell`() throws {
    let received = Received()
    var conversion = Conversion(to: .json)
    (conversion.reading.format, conversion.keepsGoing) = (.csv, true)
    conversion.reading.schema = try Self.schema(#"{"name":"n","type":"integer"}"#)
    conversion.whenRecordFails = { received.add($0) }
    let report = try conversion.convert(Array("m,n\nx,1\ny,z\nx,2\n".utf8)).report
    #expect(received.all.map { "\($0.location)" } == ["3:3"])
    #expect(report.errors == received.all && report.errorCount == 1)
  }

  @Test func `A check hands on the errors of records`() throws {
    let received = Received()
    let schema = try Self.schema(#"{"name":"a"}"#)
    var check = SchemaCheck(schema)
    check.whenRecordFails = { received.add($0) }
    let report = try check.report(on: MemoryInput(Self.bad(3)), named: "a.jsonl")
    #expect(report.errorCount == 3 && report.errors == received.all)
    var files = FileCheck()
    files.reading.schema = schema
    files.whenRecordFails = { received.add($0) }
    let result = try files.result(of: MemoryInput(Self.bad(4)), named: "a.jsonl")
    #expect(!result.isOK && result.errorCount == 4 && received.all.count == 7)
  }
}
