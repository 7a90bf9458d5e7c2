import Ferry
import FerryFoundation
import Foundation
import Testing

/// A list whose decoder asks for more elements than it has.
private struct PastEnd: Decodable {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    _ = try list.decode(Int.self)
    _ = try list.decode(Int.self)
  }
}

/// A list whose decoder asks for nil after its last element.
private struct NilPastEnd: Decodable {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    _ = try list.decode(Int.self)
    _ = try list.decodeNil()
  }
}

/// A dictionary whose decoder asks for nil for a key that is missing.
private struct NilForMissingKey: Decodable {
  enum CodingKeys: CodingKey { case a }

  init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: CodingKeys.self).decodeNil(forKey: .a)
  }
}

private struct Named: Decodable { var name: String }

@Suite struct `Errors and numbers compared with JSONDecoder` {
  /// Returns the kind of an error, with the coding path.
  private static func kind(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> [String] {
      context.codingPath.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }
    }
    switch error {
    case DecodingError.valueNotFound(_, let context): return "value not found at \(path(context))"
    case DecodingError.keyNotFound(let key, let context):
      return "key \(key.stringValue) not found at \(path(context))"
    case DecodingError.typeMismatch(_, let context): return "mismatch at \(path(context))"
    default: return "\(error)"
    }
  }

  private func compare<T: Decodable>(_ type: T.Type, _ json: String) {
    let data = Data(json.utf8)
    let failure = #expect(throws: DecodingError.self) { _ = try FerryDecoder().decode(type, from: data) }
    let expected = #expect(throws: DecodingError.self) { _ = try JSONDecoder().decode(type, from: data) }
    #expect(failure.map(Self.kind) == expected.map(Self.kind), "\(type) \(json)")
  }

  @Test func `Null in place of a type that is not optional is an error of its own`() {
    compare([Int].self, "[1, null]")
    compare([String].self, "[null]")
    compare([Double].self, "[null]")
    compare([Date].self, "[null]")
    compare([URL].self, "[null]")
    compare([UUID].self, "[null]")
    compare([Decimal].self, "[null]")
    compare([Data].self, "[null]")
    compare([[Int]].self, "[null]")
    compare([Named].self, "[null]")
    compare([[String: Int]].self, "[null]")
    compare([Named].self, #"[{"name": null}]"#)
  }

  @Test func `A list ends with an error for its next index, also for nil, and a missing key is not nil`() {
    compare([PastEnd].self, "[[1]]")
    compare([NilPastEnd].self, "[[1]]")
    compare([NilForMissingKey].self, "[{}]")
  }

  @Test func `Zero as a Decimal has no sign and no exponent, in every format`() throws {
    #expect(try JSONDecoder().decode([Decimal].self, from: Data("[-0, -0.0]".utf8)) == [0, 0])
    #expect(
      try FerryDecoder().decode([Decimal].self, from: "[-0, -0.0, 0e999, -0E-999, 1]") == [0, 0, 0, 0, 1])
    #expect(
      try FerryDecoder().decode([Decimal].self, from: "n\n-0.00\n-1.50\n", named: "a.csv") == [0, -1.5])
    #expect(
      try FerryDecoder().decode([Decimal].self, from: "<r><a>-0</a><a>2</a></r>", named: "a.xml") == [0, 2])
    #expect(Value.real(-0.0).decimalValue == 0)
  }

  @Test func `A number that a Decimal cannot hold is named in the error`() {
    let digits = String(repeating: "7", count: 60)
    for (text, name) in [
      ("[1e999]", "a.json"), ("[1e-999]", "a.json"), ("[\(digits).5]", "a.json"), ("n\n1e999\n", "a.csv"),
    ] {
      let error = #expect(throws: DecodingError.self) {
        try FerryDecoder().decode([Decimal].self, from: text, named: name)
      }
      guard case .dataCorrupted(let context)? = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(context.debugDescription.contains("Decimal cannot hold"), "\(context.debugDescription)")
    }
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Decimal].self, from: "<r><a>x</a></r>", named: "a.xml")
    }
    #expect(error.map { "\($0)" }?.contains("is not a valid decimal number") == true)
  }

  @Test func `An unpaired surrogate and invalid Base64 are named in the error`() {
    let surrogate = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([String].self, from: #"["\ud800"]"#)
    }
    #expect(surrogate.map { "\($0)" }?.contains("unpaired surrogate") == true)
    struct Bytes: Decodable { var bytes: [UInt8] }
    let base64 = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode(Bytes.self, from: #"{"bytes":"abc!"}"#)
    }
    #expect(base64.map { "\($0)" }?.contains("is not a valid Base64") == true)
  }
}
