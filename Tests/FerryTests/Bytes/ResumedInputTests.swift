import Foundation
import Testing

@testable import Ferry

/// Inputs that are read further after an error, or after a function that received a chunk has thrown.
@Suite struct `Resumed inputs` {
  private func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  @Test func `The peeked bytes after a chunk whose receiver throws are read next`() throws {
    let bytes = pattern(900_000)
    for peeked in [0, 1, 300_000, 600_000, 900_000] {
      let pipe = Pipe.containing(bytes)
      let input = try FileInput(descriptor: pipe.fileHandleForReading.fileDescriptor)
      #expect(try input.peek(upTo: peeked) == Array(bytes.prefix(peeked)))
      var read: [UInt8] = []
      #expect(throws: FerryError.stopped) {
        try input.forEachChunk { chunk throws(FerryError) in
          read.append(copying: chunk)
          throw .stopped
        }
      }
      #expect(!read.isEmpty && read.count < bytes.count)
      let next = try input.peek(upTo: 1000)
      #expect(next == Array(bytes.dropFirst(read.count).prefix(1000)))
      try input.forEachChunk { chunk throws(FerryError) in read.append(copying: chunk) }
      #expect(read == bytes, "\(peeked) peeked bytes")
    }
  }

  @Test func `An input is read up to its limit, in chunks of any size`() throws {
    let bytes = pattern(100)
    for limit in [0, 1, 7, 63, 64, 65, 99, 100, 101] {
      for chunkSize in [1, 7, 64, 1000] {
        let input = LimitedInput(PipedInput(bytes, chunkSize: chunkSize), limit: limit)
        var (read, error): ([UInt8], FerryError?) = ([], nil)
        func readAll() {
          do throws(FerryError) {
            try input.forEachChunk { chunk throws(FerryError) in read.append(copying: chunk) }
            error = nil
          } catch let found {
            error = found
          }
        }
        let expected = limit < bytes.count ? FerryError(.overBudget(.inputBytes(limit))) : nil
        for _ in 0..<2 {
          readAll()
          #expect(read == Array(bytes.prefix(limit)), "\(limit) bytes in chunks of \(chunkSize)")
          #expect(error == expected, "\(limit) bytes in chunks of \(chunkSize)")
        }
      }
    }
  }

  #if os(Linux)
    /// Returns a socket with a text after which a read fails once, because the other end was closed with unread bytes.
    private func resetSocket(_ text: String) throws -> FileInput {
      var ends: [Int32] = [0, 0]
      #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let bytes = Array(text.utf8)
      #expect(unsafe write(ends[0], bytes, bytes.count) == bytes.count)
      #expect(unsafe write(ends[1], bytes, 1) == 1)
      close(ends[0])
      defer { close(ends[1]) }
      return try FileInput(descriptor: ends[1])
    }

    @Test func `An error that the system reports once is thrown by each further read`() throws {
      let input = try resetSocket("abc")
      #expect(input.beginning(100, within: .seconds(1)) == nil)
      var read: [UInt8] = []
      for _ in 0..<2 {
        #expect(throws: FerryError.self) {
          try input.forEachChunk { chunk throws(FerryError) in read.append(copying: chunk) }
        }
        #expect(read == Array("abc".utf8))
      }
      #expect(throws: FerryError.self) { try input.peek(upTo: 1) }
    }

    @Test func `An error before enough bytes for several threads have arrived is not lost`() throws {
      var conversion = Conversion(to: .json)
      conversion.reading.format = .jsonLines
      let outcomes = try [1, 2].map { threads in
        conversion.threads = threads
        return ConversionOutcome(of: conversion, try resetSocket("1\n2\n"), named: "a.jsonl")
      }
      #expect(outcomes[0].error != nil)
      #expect(outcomes[0] == outcomes[1])
    }
  #endif
}
