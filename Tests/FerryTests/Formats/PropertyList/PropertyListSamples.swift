import Testing

@testable import Ferry

/// Reading and writing property lists in one call.
enum PropertyLists {
  static func value(xml text: String) throws -> Value { try value(xml: Array(text.utf8)) }

  static func value(xml bytes: [UInt8], chunk size: Int = .max) throws -> Value {
    let builder = ValueBuilder()
    try XMLPropertyListReader(into: builder).readAll(bytes, chunk: size)
    return try builder.result()
  }

  static func value(binary bytes: [UInt8]) throws -> Value {
    let builder = ValueBuilder()
    try BinaryPropertyList(bytes).replay(into: builder)
    return try builder.result()
  }

  static func xml(_ value: Value) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = XMLPropertyListWriter(to: output)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  static func binary(
    _ value: Value, sharing: BinaryPropertyListWriter.Sharing = .equalScalars
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = BinaryPropertyListWriter(to: output, sharing: sharing)
    try value.replay(into: writer)
    try writer.finish()
    return output.bytes
  }

  /// A failure's reason and place, thrown by `body`.
  static func failure(_ body: () throws -> Void) -> FerryError? {
    do { try body() } catch { return error as? FerryError }
    return nil
  }

  /// Everything that both forms hold.
  static let sample: Value = [
    "string": "Ada & <Grace>", "empty": "", "text": "Zoë 🎈\u{10ffff}", "lines": "a\tb\nc\rd",
    "yes": true, "no": false,
    "integers": [
      0, 1, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, -128, .integer(-(1 << 63)),
      .integer(1 << 63 - 1), .integer(1 << 63), .integer(1 << 64 - 1),
    ],
    "reals": [
      0.0, 1.5, 0.1, -2.25, 1e300, .real(.leastNonzeroMagnitude), 1.7976931348623157e308, 2.0,
      123_456_789.125, 1e-5, 100_000,
      .real(.infinity), .real(-.infinity), .real(-0.0),
    ],
    "date": .date(secondsSince2001: 423_307_800), "early": .date(secondsSince2001: -63_113_904_000),
    "data": .data(Array(0...255)), "no data": .data([]),
    "array": [[], [[:]], [1, "1", 1.0, true]], "dictionary": ["": "", "a": ["b": ["c": []]]],
    "uid": .uid(0), "uids": [.uid(255), .uid(65_536), .uid(0)],
    "not a uid": ["CF$UID": "5"], "not alone": ["CF$UID": 5, "a": 1],
    "many": .array((0..<300).map { .integer($0 % 7) }),
  ]
}
