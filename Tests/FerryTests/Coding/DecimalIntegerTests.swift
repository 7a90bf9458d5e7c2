import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Integers in decimal notation` {
  @Test(
    arguments: [
      ("1e3", 1000), ("1.23e3", 1230), ("1230.0", 1230), ("-12.50e1", -125), ("0.00", 0), ("-0", 0),
      ("0e999999999", 0),
      ("1e23", 100_000_000_000_000_000_000_000), ("29670426.89198e11", 2_967_042_689_198_000_000),
      ("9007199254740993.0", 9_007_199_254_740_993), ("12345678901234567e1", 123_456_789_012_345_670),
      ("1000e-3", 1), ("170141183460469231731687303715884105727.0", Int128.max),
      ("-1.70141183460469231731687303715884105728e38", Int128.min),
    ] as [(String, Int128)])
  func `A number with the value of an integer is that integer, with all of its digits`(
    _ text: String, _ value: Int128
  ) throws {
    #expect(Int128(decimal: text) == value)
    #expect(Value(number: text).integerValue(as: Int128.self) == value)
    #expect(try FerryDecoder().decode([Int128].self, from: "[\(text)]") == [value])
    let row = try FerryDecoder().decode([String: Int128].self, from: #"{"a": \#(text)}"#)
    #expect(row == ["a": value])
  }

  @Test(arguments: [
    "1e999999999", "-1e999999999", "1e-999999999", "0.5", "1.5e0",
    "340282366920938463463374607431768211456.0",
    "170141183460469231731687303715884105728e0",
  ])
  func `A number with a fraction or out of range is not an integer, whatever its exponent`(_ text: String) {
    #expect(Int128(decimal: text) == nil)
    #expect(Value(number: text).intValue == nil)
    let error = #expect(throws: DecodingError.self) {
      try FerryDecoder().decode([Int].self, from: "[\(text)]")
    }
    #expect(error.map { "\($0)" }?.contains("Int cannot hold \(text) exactly") == true)
  }

  @Test func `Each type has its own range`() throws {
    func decode<I: FixedWidthInteger & Decodable & Equatable>(_ type: I.Type) throws {
      for value in [I.max, .min, 0, 1] {
        let digits = "\(value)"
        // A number of JSON has no zeros before it.
        let multiples = value == 0 ? ["0e-1", "0.00e-3"] : ["\(digits)0e-1", "\(digits)000.00e-3"]
        for text in ["\(digits)", "\(digits).0"] + multiples {
          #expect(try FerryDecoder().decode([I].self, from: "[\(text)]") == [value], "\(type) \(text)")
        }
      }
      for text in ["\(I.max)5e-1", "\(I.max)0e0", "\(I.max)e1"] {
        #expect(throws: DecodingError.self, "\(type) \(text)") {
          try FerryDecoder().decode([I].self, from: "[\(text)]")
        }
      }
    }
    try decode(Int8.self)
    try decode(UInt8.self)
    try decode(Int16.self)
    try decode(UInt32.self)
    try decode(Int64.self)
    try decode(UInt64.self)
    try decode(Int.self)
    try decode(Int128.self)
    try decode(UInt128.self)
  }

  @Test func `Integers with a point and an exponent in any place are the same`() throws {
    var random = SeededGenerator(seed: 149)
    for _ in 0..<500 {
      let value = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
      let digits = "\(value)"
      let place = Int.random(in: 1...digits.count, using: &random)
      let (whole, fraction) = (digits.prefix(place), digits.dropFirst(place))
      let text = "\(whole)\(fraction.isEmpty ? "" : ".\(fraction)")e\(fraction.count)"
      #expect(try FerryDecoder().decode(UInt64.self, from: text) == value, "\(text)")
    }
  }

  @Test func `A real of JSON is the number in the file, and one of a binary property list its bits`() throws {
    #expect(try FerryDecoder().decode([Int128].self, from: "[1e+23]") == [100_000_000_000_000_000_000_000])
    #expect(
      try FerryDecoder().decode([Int].self, from: "[2.967042689198e+18]") == [2_967_042_689_198_000_000])
    let bytes = try FerryEncoder(to: .binaryPropertyList).encode([2.967042689198e18, 0x1p62])
    #expect(try FerryDecoder().decode([Int].self, from: bytes) == [2_967_042_689_198_000_128, 1 << 62])
    #expect(Value.real(0x1p62).intValue == 1 << 62)
  }

  @Test func `A decimal of an archive is an integer of any type that holds it`() throws {
    let decimals = [Decimal(string: "12e3"), Decimal(string: "18446744073709551615")].compactMap { $0 }
    let bytes = try KeyedArchiveEncoder().encode(decimals)
    #expect(try KeyedArchiveDecoder().decode([UInt64].self, from: bytes) == [12_000, .max])
    #expect(try KeyedArchiveDecoder().decode([UInt128].self, from: bytes) == [12_000, UInt128(UInt64.max)])
  }
}
