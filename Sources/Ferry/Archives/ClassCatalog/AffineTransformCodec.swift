/// The codec of `NSAffineTransform`: the six numbers of the matrix, stored as big-endian 32-bit floats.
///
///     NSTransformStruct 3F800000 00000000 00000000 3F800000 41200000 41A00000
///     {"m11": 1.0, "m12": 0.0, "m21": 0.0, "m22": 1.0, "tX": 10.0, "tY": 20.0}
struct AffineTransformCodec: ClassCodec {
  static let entries = [ClassCatalogEntry(ObjectClass("NSAffineTransform"), AffineTransformCodec())]

  let partNames = ["m11", "m12", "m21", "m22", "tX", "tY"]

  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? { try faultOfNumbers(in: decodedForm) }

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let bytes = try object.bytes("NSTransformStruct"), bytes.count == 4 * partNames.count else {
      return nil
    }
    var parts: [DecodedForm.Part] = []
    for (index, name) in partNames.enumerated() {
      let bits = bytes[4 * index..<4 * index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard let number = Double(shortest: Float(bitPattern: bits)) else { return nil }
      parts.append(.init(name, .scalar(.real(number))))
    }
    return .record(parts)
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    var bytes: [UInt8] = []
    for name in partNames {
      guard let number = parts[name]?.notation.flatMap(Double.init), let float = Float(shortest: number)
      else { return nil }
      for shift: UInt32 in [24, 16, 8, 0] {
        bytes.append(UInt8(truncatingIfNeeded: float.bitPattern >> shift))
      }
    }
    return [ArchivedKey("NSTransformStruct", .inline(.data(bytes)))]
  }
}

extension Double {
  /// Creates the number that has the shortest notation of a float: 0.1, not 0.10000000149011612. Fails for
  /// NaN and infinities.
  init?(shortest float: Float) {
    guard float.isFinite, let number = Double(float.description) else { return nil }
    self = number
  }
}

extension Float {
  /// Creates the float that equals a number, or whose shortest notation is the number. Fails if there is
  /// none.
  init?(shortest number: Double) {
    let float = Float(number)
    guard float.isFinite, Double(float) == number || Double(shortest: float) == number else { return nil }
    self = float
  }
}
