/// The codec of `NSColor`: the color as `#RRGGBBAA`, and its color space.
///
///     NSColorSpace 1, NSRGB "1 0.5019607843 0"    {"color": "#FF8000FF", "colorSpace": "calibratedRGB"}
///     NSColorSpace 3, NSWhite "0.33 0.8"          {"color": "#0.33 0.33 0.33 0.8",
///                                                  "colorSpace": "calibratedWhite",
///                                                  "components": [0.33, 0.8]}
///     NSColorSpace 6, NSCatalogName, NSColorName, {"colorSpace": "named", "catalog": "System",
///       NSColor                                    "name": "textColor", "value": {"color": "#000000FF", …}}
///
/// The archived numbers are ASCII text that ends with a zero byte. If all of them are multiples of 1/255, the
/// color is shown as `#RRGGBBAA`. Otherwise it is shown as numbers, and additionally as `components`, which
/// must agree with `color`. A color in a custom color space also has `customComponents` and
/// `customColorSpace` (`NSComponents`, `NSCustomColorSpace`). For writing, the text of the color is
/// sufficient, and means a calibrated RGB color.
struct ColorCodec: ClassCodec {
  static let entries = [ClassCatalogEntry(ObjectClass("NSColor"), ColorCodec())]

  /// A color space whose components are numbers.
  private struct Space {
    let number: Int128
    let name: String
    let key: String
    /// The number of components, not counting opacity.
    let count: Int

    /// Returns red, green, blue and opacity for components, or nil if the space cannot be converted to RGB.
    func channels(_ numbers: [String]) -> [String]? {
      guard count != 4 else { return nil }
      let opacity = numbers.count > count ? numbers[count] : "1"
      let colors = count == 1 ? [numbers[0], numbers[0], numbers[0]] : Array(numbers.prefix(3))
      return colors + [opacity]
    }

    /// Returns the text of a color for components: `#RRGGBBAA` if that is exact, otherwise numbers. Returns
    /// nil if a component is out of range.
    func color(_ numbers: [String]) -> String? {
      guard let channels = channels(numbers),
        let short = ColorText.hexadecimal(channels.compactMap(Double.init))
      else { return nil }
      if self.numbers(short) == numbers { return short }
      let long = ColorText.decimal(channels)
      return ColorText.numbers(long) == nil ? short : long
    }

    /// Returns the components for the text of a color, or nil if the space cannot represent the color.
    func numbers(_ color: String) -> [String]? {
      guard count != 4, let channels = ColorText.numbers(color, digits: 10),
        count == 3 || (channels[0] == channels[1] && channels[1] == channels[2])
      else { return nil }
      return channels.prefix(count) + (channels[3] == "1" ? [] : [channels[3]])
    }
  }

  private static let spaces = [
    Space(number: 1, name: "calibratedRGB", key: "NSRGB", count: 3),
    Space(number: 2, name: "deviceRGB", key: "NSRGB", count: 3),
    Space(number: 3, name: "calibratedWhite", key: "NSWhite", count: 1),
    Space(number: 4, name: "deviceWhite", key: "NSWhite", count: 1),
    Space(number: 5, name: "deviceCMYK", key: "NSCMYK", count: 4),
  ]
  private static let named: (number: Int128, name: String) = (6, "named")

  let partNames = [
    "color", "colorSpace", "components", "customComponents", "customColorSpace", "catalog", "name", "value",
  ]

  let notation: String? = ColorText.notation

  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? { try faultOfColor(in: decodedForm) }

  func notation(ofPart name: String) -> String? {
    switch name {
    case "color": ColorText.notation
    case "colorSpace":
      "the name of a color space with the components of the color (\(Self.spaces.map(\.name).joined(separator: ", ")))"
    default: nil
    }
  }

  func hasFixedCount(ofPart name: String) -> Bool { name == "components" || name == "customComponents" }

  // MARK: Reading

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let number = try object.integer("NSColorSpace") else { return nil }
    if number == Self.named.number { return try Self.named(&object) }
    guard let space = Self.spaces.first(where: { $0.number == number }),
      let texts = try Self.numbers(space.key, isTerminated: true, &object),
      space.count...space.count + 1 ~= texts.count
    else { return nil }
    var parts: [DecodedForm.Part] = []
    if let color = space.color(texts) {
      parts.append(.init("color", .scalar(.string(color))))
      let isExact = ColorText.steps(color) != nil && space.numbers(color) == texts
      parts.append(.init("colorSpace", .scalar(.string(space.name))))
      if !isExact { parts.append(.init("components", Self.list(texts))) }
    } else {
      parts = [.init("colorSpace", .scalar(.string(space.name))), .init("components", Self.list(texts))]
    }
    if try object.has("NSComponents") {
      guard let custom = try Self.numbers("NSComponents", isTerminated: false, &object) else { return nil }
      parts.append(.init("customComponents", Self.list(custom)))
    }
    if let custom = try object.take("NSCustomColorSpace") {
      parts.append(.init("customColorSpace", .archived(node: custom)))
    }
    return .record(parts)
  }

  private static func named(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    guard let catalog = try object.take("NSCatalogName"), let name = try object.take("NSColorName"),
      let value = try object.take("NSColor")
    else { return nil }
    return .record([
      .init("colorSpace", .scalar(.string(named.name))), .init("catalog", .archived(node: catalog)),
      .init("name", .archived(node: name)), .init("value", .archived(node: value)),
    ])
  }

  private static func list(_ texts: [String]) -> DecodedForm {
    .list(texts.map { .scalar(Value(number: $0)) })
  }

  /// Returns the numbers in a text of numbers separated by spaces, or nil for any other text.
  private static func numbers(
    _ key: String, isTerminated: Bool, _ object: inout ArchivedObject
  ) throws(FerryError) -> [String]? {
    guard let bytes = try object.bytes(key), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let end: [UInt8] = isTerminated ? [0] : []
    let texts = String(decoding: bytes.dropLast(end.count), as: UTF8.self).split(separator: " ").map(
      String.init)
    guard !texts.isEmpty, Array(texts.joined(separator: " ").utf8) + end == bytes,
      texts.allSatisfy({ $0.utf8.span.flawInJSONNumber == nil })
    else { return nil }
    return texts
  }

  // MARK: Writing

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    if let color = try decodedForm.string {
      return Self.keys(space: Self.spaces[0], numbers: Self.spaces[0].numbers(color))
    }
    guard let parts = try decodedForm.parts(named: partNames) else { return nil }
    let name = try parts["colorSpace"]?.string ?? Self.spaces[0].name
    if name == Self.named.name { return Self.keys(named: parts) }
    guard let space = Self.spaces.first(where: { $0.name == name }),
      parts["catalog"] == nil, parts["name"] == nil, parts["value"] == nil,
      var keys = Self.keys(space: space, numbers: try Self.numbers(of: space, parts))
    else { return nil }
    if let custom = parts["customComponents"] {
      guard let numbers = custom.elements?.map(\.notation), !numbers.isEmpty, !numbers.contains(nil) else {
        return nil
      }
      let text = numbers.compactMap { $0 }.joined(separator: " ")
      keys.append(ArchivedKey("NSComponents", .inline(.data(Array(text.utf8)))))
    }
    if let custom = parts["customColorSpace"] {
      keys.append(ArchivedKey("NSCustomColorSpace", .value(at: custom.tapeIndex)))
    }
    return keys
  }

  private static func keys(named parts: [ExactString: GivenForm]) -> [ArchivedKey]? {
    guard parts.count == 4, let catalog = parts["catalog"], let name = parts["name"],
      let value = parts["value"]
    else { return nil }
    return [
      ArchivedKey("NSColorSpace", .inline(.integer(named.number))),
      ArchivedKey("NSCatalogName", .value(at: catalog.tapeIndex)),
      ArchivedKey("NSColorName", .value(at: name.tapeIndex)),
      ArchivedKey("NSColor", .value(at: value.tapeIndex)),
    ]
  }

  /// Keeps the color space if it can represent the new color; otherwise switches to RGB. The components in a
  /// custom color space change in the same way.
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    old.replacingColor(at: path, by: new) { parts, text in recolored(parts, text) }
  }

  /// Returns the decoded form for the text of a new color, or nil if the text is invalid.
  private func recolored(_ parts: KeyedValues, _ text: String) -> Value? {
    guard let notation = ColorText.normalized(text), let channels = ColorText.numbers(text, digits: 10)
    else { return nil }
    let space = Self.spaces.first { .string($0.name) == parts["colorSpace"] && $0.numbers(text) != nil }
    var color = KeyedValues()
    color["color"] = .string(notation)
    guard let space else {
      let isDevice =
        if case .string(let name)? = parts["colorSpace"] { name.hasPrefix("device") } else { false }
      color["colorSpace"] = .string(Self.spaces[isDevice ? 1 : 0].name)
      return .dictionary(color)
    }
    color["colorSpace"] = .string(space.name)
    guard let custom = parts["customColorSpace"] else { return .dictionary(color) }
    if let components = parts["customComponents"] {
      guard case .array(let numbers) = components, numbers.count == space.count + 1 else {
        return .dictionary(color)
      }
      color["customComponents"] = .array(
        (channels.prefix(space.count) + [channels[3]]).map { Value(number: $0) })
    }
    color["customColorSpace"] = custom
    return .dictionary(color)
  }

  /// Returns the components for a color, or the given components, which must agree with the color.
  private static func numbers(of space: Space, _ parts: [ExactString: GivenForm]) throws(FerryError)
    -> [String]?
  {
    let color = try parts["color"]?.string
    guard let components = parts["components"] else {
      return color.flatMap(space.numbers)
    }
    guard let elements = components.elements, space.count...space.count + 1 ~= elements.count else {
      return nil
    }
    let texts = elements.compactMap(\.notation)
    guard texts.compactMap(Double.init).count == elements.count else { return nil }
    guard parts["color"] != nil else { return texts }
    guard let color, let channels = space.channels(texts),
      ColorText.fits(color, channels.compactMap(Double.init))
    else { return nil }
    return texts
  }

  private static func keys(space: Space, numbers: [String]?) -> [ArchivedKey]? {
    guard let numbers else { return nil }
    return [
      ArchivedKey("NSColorSpace", .inline(.integer(space.number))),
      ArchivedKey(space.key, .inline(.data(Array(numbers.joined(separator: " ").utf8) + [0]))),
    ]
  }
}

extension Value {
  /// Returns the decoded form of a color with a part replaced. New components replace the text of the color, and a
  /// new text everything else.
  ///
  /// - Parameter recolored: Returns the decoded form for the text of a new color, or nil if the text is invalid.
  func replacingColor(
    at path: ArraySlice<ValuePath.Step>, by new: Value, _ recolored: (KeyedValues, String) -> Value?
  ) -> Value? {
    guard case .dictionary(var parts) = self else { return replacing(path, by: new) }
    if path.first == .key("components") {
      parts["color"] = nil
      return Value.dictionary(parts).replacing(path, by: new)
    }
    guard path.isEmpty || path.elementsEqual([.key("color")]), case .string(let text)? = new.colorAlone,
      let color = recolored(parts, text)
    else { return replacing(path, by: new) }
    return color
  }

  /// The text of the color, or nil if the color has other properties.
  private var colorAlone: Value? {
    guard case .dictionary(let parts) = self else { return self }
    return parts.count == 1 ? parts["color"] : nil
  }
}
