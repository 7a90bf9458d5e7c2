/// The codec of `NSCharacterSet`: a named set, a string of characters, a range of code points, or a bitmap.
///
///     NSBuiltinID 10                                        {"name": "alphanumerics"}
///     NSString "abc", inline                                {"characters": "abc"}
///     NSRange 32 × 2³² + 10                                 {"range": {"location": 32, "length": 10}}
///     NSBitmap, NSBuiltinID2 if the system knows the set    {"bitmap": …, "name": …}
///     NSIsInverted yes                                      … "inverted": true
struct CharacterSetCodec: ClassCodec {
  static let entries = [
    ClassCatalogEntry(ObjectClass("NSCharacterSet"), CharacterSetCodec()),
    ClassCatalogEntry(ObjectClass("NSMutableCharacterSet", "NSCharacterSet"), CharacterSetCodec()),
  ]

  /// The names of the built-in sets, in the order of their numbers from 1.
  private static let sets = [
    "controlCharacters", "whitespaces", "whitespacesAndNewlines", "decimalDigits", "letters",
    "lowercaseLetters", "uppercaseLetters", "nonBaseCharacters", "decomposables", "alphanumerics",
    "punctuationCharacters", "illegalCharacters", "capitalizedLetters", "symbols", "newlines",
  ]

  let partNames = ["name", "characters", "range", "bitmap", "inverted"]
  private static let rangeNames = ["location", "length"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard var parts = try Self.parts(of: &object) else { return nil }
    let flag = parts[0].name == "bitmap" ? "NSIsInverted2" : "NSIsInverted"
    if let isInverted = try object.boolean(flag) {
      guard isInverted else { return nil }
      parts.append(.init("inverted", .scalar(true)))
    }
    return .record(parts)
  }

  private static func parts(of object: inout ArchivedObject) throws(FerryError) -> [DecodedForm.Part]? {
    if let number = try object.integer("NSBuiltinID") {
      guard let name = name(of: number) else { return nil }
      return [.init("name", .scalar(.string(name)))]
    }
    if let string = try object.take("NSString") {
      return try object.kind(of: string) == .string ? [.init("characters", .archived(node: string))] : nil
    }
    if let range = try object.integer("NSRange") {
      guard let range = Int64(exactly: range) else { return nil }
      let bits = UInt64(bitPattern: range)
      return [
        .init(
          "range",
          .record([
            .init("location", .scalar(.integer(Int128(bits >> 32)))),
            .init("length", .scalar(.integer(Int128(bits & 0xffff_ffff)))),
          ])
        )
      ]
    }
    guard let bitmap = try object.take("NSBitmap"), try object.kind(of: bitmap) == .data else { return nil }
    var parts = [DecodedForm.Part("bitmap", .archived(node: bitmap))]
    if let number = try object.integer("NSBuiltinID2") {
      guard let name = name(of: number) else { return nil }
      parts.append(.init("name", .scalar(.string(name))))
    }
    return parts
  }

  /// Returns a flaw if the bitmap has an invalid size: it has 8 KiB for the first 65,536 characters, and for
  /// each further plane the number of the plane followed by 8 KiB.
  func flaw(of value: Value) -> String? {
    if let range = value["range"] {
      guard let location = range["location"]?.wholeNumber, let length = range["length"]?.wholeNumber,
        location >= 0, length >= 0, location + length <= 0x11_0000
      else { return "a range of characters ends at 1114112" }
    }
    guard case .data(let bytes)? = value["bitmap"]?.scalar else { return nil }
    let isWhole = bytes.isEmpty || (bytes.count >= 8192 && (bytes.count - 8192) % 8193 == 0)
    guard isWhole,
      stride(from: 8192, to: bytes.count, by: 8193).allSatisfy({ 1...16 ~= bytes[$0] })
    else { return "a bitmap has 8192 bytes, and 8193 more for each plane" }
    return nil
  }

  private static func name(of number: Int128) -> String? {
    1...Int128(sets.count) ~= number ? sets[Int(number) - 1] : nil
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    guard var parts = try decodedForm.parts(named: partNames) else { return nil }
    let inverted = parts.removeValue(forKey: "inverted")
    guard inverted == nil || inverted?.boolean == true else { return nil }
    var keys: [ArchivedKey] = []
    let bitmap = parts.removeValue(forKey: "bitmap")
    if let name = try parts.removeValue(forKey: "name")?.string {
      guard let index = Self.sets.firstIndex(of: name) else { return nil }
      let key = bitmap == nil ? "NSBuiltinID" : "NSBuiltinID2"
      keys.append(ArchivedKey(key, .inline(.integer(Int128(index + 1)))))
    } else if let characters = parts.removeValue(forKey: "characters") {
      guard characters.kind == .string else { return nil }
      keys.append(ArchivedKey("NSString", .scalar(at: characters.tapeIndex)))
    } else if let range = parts.removeValue(forKey: "range") {
      guard let bounds = try range.parts(named: Self.rangeNames),
        let location = bounds["location"]?.integer.flatMap({ UInt32(exactly: $0) }),
        let length = bounds["length"]?.integer.flatMap({ UInt32(exactly: $0) })
      else { return nil }
      let bits = Int64(bitPattern: UInt64(location) << 32 | UInt64(length))
      keys.append(ArchivedKey("NSRange", .inline(.integer(Int128(bits)))))
    }
    if let bitmap {
      guard keys.isEmpty || keys[0].name == "NSBuiltinID2", bitmap.kind == .data else { return nil }
      keys.append(ArchivedKey("NSBitmap", .scalar(at: bitmap.tapeIndex)))
    }
    guard parts.isEmpty, !keys.isEmpty else { return nil }
    if inverted != nil {
      // If there is a bitmap, the flag only records how the set was made.
      let key = bitmap == nil ? "NSIsInverted" : "NSIsInverted2"
      keys.append(ArchivedKey(key, .inline(true)))
    }
    return keys
  }
}
