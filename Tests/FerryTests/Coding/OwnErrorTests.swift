import Foundation
import TestSupport
import Testing

@testable import Ferry

private enum Kind: String, Codable { case guest, host }

private struct Member: Codable {
  var name: String
  var kind: Kind
}

/// A type that finds a mistake in a value that it has decoded, and names the key.
private struct Even: Decodable {
  enum CodingKeys: CodingKey { case number }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(Int.self, forKey: .number).isMultiple(of: 2) else {
      throw DecodingError.dataCorruptedError(forKey: .number, in: container, debugDescription: "odd")
    }
  }
}

@Suite struct `Errors that types throw when they are decoded` {
  private struct OwnError: LocalizedError { var errorDescription: String? { "my own words" } }

  @Test func `ofCoding keeps the coding path of other decoders, cancellation and the text of an error`() {
    let path = #expect(throws: FerryError.self) {
      try FerryError.ofCoding { try JSONDecoder().decode([Int].self, from: Data("[1, \"a\"]".utf8)) }
    }
    #expect(path?.path == "[1]")
    let cancelled = #expect(throws: FerryError(.coding(.cancelled))) {
      try FerryError.ofCoding { throw CancellationError() }
    }
    #expect(cancelled?.description == "the task was cancelled")
    let own = #expect(throws: FerryError.self) {
      try FerryError.ofCoding {
        throw OwnError()
      } describing: {
        $0.localizedDescription
      }
    }
    #expect(own?.reason == .document(.badContents("my own words")))
    let ferry = FerryError(.document(.notOpen))
    #expect(throws: ferry) { try FerryError.ofCoding { throw ferry } }
  }

  private func context(_ work: () throws -> Any) throws -> DecodingError.Context {
    let error = #expect(throws: DecodingError.self) { try work() }
    return try #require(error?.context)
  }

  private static let files = [
    ("a.xml", "<l>\n<m><name>a</name><kind>guest</kind></m>\n<m><name>b</name><kind>x</kind></m></l>", 3),
    ("a.json", "[{\"name\":\"a\",\"kind\":\"guest\"},\n{\"name\":\"b\",\"kind\":\"x\"}]", 2),
    ("a.yaml", "- name: a\n  kind: guest\n- name: b\n  kind: x\n", 4),
    ("a.csv", "name,kind\na,guest\nb,x\n", 3),
    ("a.jsonl", "{\"name\":\"a\",\"kind\":\"guest\"}\n{\"name\":\"b\",\"kind\":\"x\"}\n", 2),
  ]

  @Test(arguments: files)
  func `A value that is not a case of an enum is an error with its location`(
    _ name: String, _ text: String, _ line: Int
  ) throws {
    let context = try context { try FerryDecoder().decode([Member].self, from: text.utf8, named: name) }
    #expect(ValuePath(context.codingPath).description == "[1].kind")
    let error = try #require(context.underlyingError as? FerryError)
    #expect(error.location.line == line)
    #expect(context.debugDescription.hasPrefix("\(line):"), "\(context.debugDescription)")
    guard case .coding(.notDecodable(let why)) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(why.contains("Kind"))
  }

  @Test func `A record of a sequence has the location of its error`() throws {
    let text = "{\"name\":\"b\",\"kind\":\"x\"}\n"
    let records = Records(of: Member.self, from: .bytes(Array(text.utf8)))
    let context = try context { try records.results.map { try $0.get() } }
    #expect((context.underlyingError as? FerryError)?.location.line == 1)
  }

  @Test func `An error for a key is at the value of the key`() throws {
    let context = try context {
      try FerryDecoder().decode([Even].self, from: "[{\"number\":2},\n{\"number\":\n3}]".utf8)
    }
    #expect(ValuePath(context.codingPath).description == "[1].number")
    #expect((context.underlyingError as? FerryError)?.location.line == 3)
  }

  @Test func `A value in memory and an archive have a cause, too`() throws {
    let value: Value = ["name": "a", "kind": "x"]
    let inMemory = try context { try value.decoded(as: Member.self) }
    #expect((inMemory.underlyingError as? FerryError)?.path == "kind")
    struct Loose: Codable { var name = "a", kind = "x" }
    let archive = try KeyedArchiveEncoder().encode(Loose())
    let archived = try context { try FerryDecoder().decode(Member.self, from: archive) }
    #expect((archived.underlyingError as? FerryError)?.location.object != nil)
  }

  @Test func `An error under the error of a type stays`() throws {
    struct Cause: Error {}
    struct Failing: Decodable {
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "no", underlyingError: Cause()))
      }
    }
    let context = try context { try FerryDecoder().decode([Failing].self, from: "[\n1]".utf8) }
    #expect(context.underlyingError is Cause)
    #expect(context.debugDescription.hasPrefix("2:1: no"), "\(context.debugDescription)")
    let archive = try KeyedArchiveEncoder().encode([["a": "b"]])
    let archived = try self.context { try FerryDecoder().decode([[String: Failing]].self, from: archive) }
    #expect(archived.underlyingError is Cause)
    // The location is that of the innermost value, and not those of the values around it, too.
    #expect(
      archived.debugDescription.components(separatedBy: "object").count == 2, "\(archived.debugDescription)")
  }
}
