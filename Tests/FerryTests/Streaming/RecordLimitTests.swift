import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Ferry

/// Bytes that arrive one by one.
private struct SingleBytes: AsyncSequence, Sendable {
  typealias Element = UInt8
  let bytes: [UInt8]
  var error: FerryError?

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>
    let error: FerryError?
    mutating func next() async throws -> UInt8? {
      if let byte = rest.popFirst() { return byte }
      if let error { throw error }
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...], error: error) }
}

private struct CountedRecord: Codable, Equatable, Sendable {
  var n: Int
}

@Suite struct `Records from single bytes, and limits of inputs` {
  @Test func `Records are read from single bytes`() async throws {
    let bytes = Array((0..<3000).map { "{\"n\":\($0)}\n" }.joined().utf8)
    var found: [Int] = []
    for try await record in AsyncRecords(of: CountedRecord.self, from: SingleBytes(bytes: bytes)) {
      found.append(record.n)
    }
    #expect(found == Array(0..<3000))
    var values: [Value] = []
    for try await value in AsyncRecords(from: SingleBytes(bytes: Array("[1,2]".utf8))) {
      values.append(value)
    }
    #expect(values == [1, 2])
  }

  @Test func `The chunks of single bytes are lines, or pieces of a limited size`() async throws {
    var chunks: [[UInt8]] = []
    let long = [UInt8](repeating: 0x61, count: 40_000)
    for try await chunk in ByteChunks(SingleBytes(bytes: Array("a\nbc\n".utf8) + long)) {
      chunks.append(chunk)
    }
    #expect(chunks.map(\.count) == [2, 3, 16384, 16384, 7232])
    #expect(Array(chunks.joined()) == Array("a\nbc\n".utf8) + long)
  }

  @Test func `An error of single bytes is thrown after the records before it`() async throws {
    var settings = RecordSettings()
    settings.reading.format = .jsonLines
    let error = FerryError(.file(.closed))
    var found: [Int] = []
    let thrown = await #expect(throws: FerryError.self) {
      let bytes = SingleBytes(bytes: Array("{\"n\":1}\n{\"n\"".utf8), error: error)
      for try await record in AsyncRecords(of: CountedRecord.self, from: bytes, settings) {
        found.append(record.n)
      }
    }
    #expect(thrown == error && found == [1])
  }

  @Test func `Each record that is left out is told at once`() throws {
    let told = Mutex<[String]>([])
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenRecordFails = { error in told.withLock { $0.append(error.path.description) } }
    let lines = Array("{\"n\":1}\n{\"n\":\"x\"}\nnothing\n{\"n\":4}\n".utf8)
    let records = Records(of: CountedRecord.self, from: .bytes(lines, named: "a.jsonl"), settings)
    #expect(try records.results.map { try $0.get().n } == [1, 4])
    #expect(told.withLock { $0.count } == 2)
  }

  @Test(arguments: [Format?.none, .json]) func `An input that is too long is refused`(format: Format?)
    async throws
  {
    let bytes = Array("[\((0..<2000).map { "{\"n\":\($0)}" }.joined(separator: ","))]".utf8)
    var settings = RecordSettings()
    (settings.reading.format, settings.reading.budget.inputBytes) = (format, 10_000)
    let expected = FerryError.Reason.overBudget(.inputBytes(10_000))
    let thrown = await #expect(throws: FerryError.self) {
      for try await _ in AsyncRecords(of: CountedRecord.self, from: SingleBytes(bytes: bytes), settings) {}
    }
    #expect(thrown?.reason == expected && thrown?.code == "budget.input-bytes")
    var options = ReadingOptions.values
    options.budget.inputBytes = 10_000
    let read = #expect(throws: FerryError.self) { try Value(reading: bytes, options: options) }
    #expect(read?.reason == expected)
    var editing = EditableFile.Options()
    editing.budget.inputBytes = 10_000
    let edited = #expect(throws: FerryError.self) { try EditableFile(bytes, options: editing) }
    #expect(edited?.reason == expected)
    options.budget.inputBytes = bytes.count
    #expect(try Value(reading: bytes, options: options)[1999]?["n"] == 1999)
    settings.reading.budget.inputBytes = bytes.count
    var count = 0
    for try await _ in AsyncRecords(of: CountedRecord.self, from: SingleBytes(bytes: bytes), settings) {
      count += 1
    }
    #expect(count == 2000)
  }
}
