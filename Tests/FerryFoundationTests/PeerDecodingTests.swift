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

  @Test func `Integers with an exponent are those of JSONDecoder, with all digits`() throws {
    func compare<T: Decodable & Equatable>(_ type: T.Type, _ json: String) throws {
      let data = Data(json.utf8)
      #expect(
        try FerryDecoder().decode(type, from: data) == JSONDecoder().decode(type, from: data), "\(json)")
    }
    try compare([UInt64].self, "[1.844674407370955e19, 1e19, 18446744073709551615]")
    try compare([Int].self, "[29670426.89198e11, 2.967042689198e+18, 1e3, 1.0, -5e2]")
  }

  @Test func `A Decimal may be text in formats other than archives`() throws {
    let price = try #require(Decimal(string: "49.90"))
    #expect(try FerryDecoder().decode([String: Decimal].self, from: #"{"d": "49.90"}"#) == ["d": price])
    for format in [Format.xmlPropertyList, .binaryPropertyList, .json, .openStepPropertyList] {
      let bytes = try FerryEncoder(to: format).encode(["d": "49.90"])
      var decoder = FerryDecoder()
      decoder.reading.format = format
      #expect(try decoder.decode([String: Decimal].self, from: bytes) == ["d": price], "\(format)")
    }
    for text in ["x", "", "1,5", "0x1F"] {
      #expect(throws: DecodingError.self) {
        try FerryDecoder().decode([Decimal].self, from: "[\"\(text)\"]")
      }
    }
  }

  @Test func `Values that encode nothing, and keys with several containers, are written as by JSONEncoder`()
    throws
  {
    struct Silent: Encodable { func encode(to encoder: any Encoder) throws {} }
    struct Twice: Encodable {
      enum Keys: CodingKey { case a, b, x, y }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var first = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
        try first.encode(1, forKey: .x)
        var second = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
        try second.encode(2, forKey: .y)
        var list = container.nestedUnkeyedContainer(forKey: .b)
        try list.encode(1)
        list = container.nestedUnkeyedContainer(forKey: .b)
        try list.encode(2)
      }
    }
    func compare(_ value: some Encodable) throws {
      let peer = JSONEncoder()
      peer.outputFormatting = .sortedKeys
      #expect(try FerryEncoder(to: .json).encode(value).dropLast() == Array(peer.encode(value)))
    }
    try compare([Silent()])
    try compare(["a": Silent()])
    try compare(Twice())
    #expect(throws: EncodingError.self) { try FerryEncoder(to: .json).encode(Silent()) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Silent()) }
  }

  @Test func `Errors say what is wrong with a number, a date and a path`() throws {
    func words(_ body: () throws -> Void) -> String {
      do { try body() } catch EncodingError.invalidValue(_, let context) {
        return context.debugDescription
      } catch DecodingError.dataCorrupted(let context) {
        return context.debugDescription
      } catch {
        return "\(error)"
      }
      return "no error"
    }
    let nan = Date(timeIntervalSinceReferenceDate: .nan)
    let json = FerryEncoder(to: .json)
    #expect(words { _ = try json.encode([nan]) }.contains("NaN and infinities become text"))
    let dates: Value = ["at": [.date(secondsSince2001: .nan)]]
    #expect(words { _ = try json.encode(dates) }.contains("NaN and infinities become text (at at[0])"))
    for integer in ["\(UInt128.max)", "\(Int128.min)"] {
      let found = words {
        let encoder = FerryEncoder(to: .xmlPropertyList)
        if let value = Int128(integer) {
          _ = try encoder.encode([value])
        } else {
          _ = try encoder.encode([UInt128.max])
        }
      }
      #expect(found.contains("cannot hold the integer \(integer)"), "\(found)")
    }
    #expect(
      words { _ = try FerryDecoder().decode([Double].self, from: "[1e400]") }.contains(
        "Double cannot hold 1e400: it is too large"))
    #expect(
      words { _ = try FerryDecoder().decode(Int.self, from: #"[{"b": 1}]"#, at: "[3].b") }
        .contains("no element [3] here: this is an array of 1 element"))
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
