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
      keys.append(ArchivedKey("NSComponents", .inPlace(.data(Array(text.utf8)))))
    }
    if let custom = parts["customColorSpace"] {
      keys.append(ArchivedKey("NSCustomColorSpace", .value(at: custom.place)))
    }
    return keys
  }

  private static func keys(named parts: [ExactString: GivenForm]) -> [ArchivedKey]? {
    guard parts.count == 4, let catalog = parts["catalog"], let name = parts["name"],
      let value = parts["value"]
    else { return nil }
    return [
      ArchivedKey("NSColorSpace", .inPlace(.integer(named.number))),
      ArchivedKey("NSCatalogName", .value(at: catalog.place)),
      ArchivedKey("NSColorName", .value(at: name.place)), ArchivedKey("NSColor", .value(at: value.place)),
    ]
  }

  /// Keeps the color space if it can represent the new color; otherwise switches to RGB. The components in a
  /// custom color space change in the same way.
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    guard case .dictionary(var parts) = old else { return old.replacing(path, by: new) }
    if path.first == .key("components") {
      parts["color"] = nil
      return Value.dictionary(parts).replacing(path, by: new)
    }
    guard path.isEmpty || path.elementsEqual([.key("color")]), case .string(let text)? = new.colorAlone,
      let notation = ColorText.normalized(text), let channels = ColorText.numbers(text, digits: 10)
    else { return old.replacing(path, by: new) }
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
      ArchivedKey("NSColorSpace", .inPlace(.integer(space.number))),
      ArchivedKey(space.key, .inPlace(.data(Array(numbers.joined(separator: " ").utf8) + [0]))),
    ]
  }
}

/// The codec of `UIColor`: the color as `#RRGGBBAA`, and its other archived properties.
///
///     UIColorComponentCount 4, UIRed 1.0, UIGreen 0.5, UIBlue 0.0, UIAlpha 1.0,
///     NSRGB "1 0.5 0", NSColorSpace 2
///     {"color": "#FF8000FF", "components": [1.0, 0.5, 0.0, 1.0], "text": "1 0.5 0"}
///
/// `components` are `UIRed`, `UIGreen`, `UIBlue` and `UIAlpha`, or `UIWhite` and `UIAlpha`. The four are left
/// out if they are exactly the values of `color` as 32-bit reals. `doubles` are the components as 64-bit
/// reals (`UIRed-Double` …). `text` is the additional representation for AppKit (`NSRGB` or `NSWhite`, with
/// `NSColorSpace`), and `name` that of a system color. For writing, the text of the color is sufficient.
struct UIColorCodec: ClassCodec {
  static let entries = [ClassCatalogEntry(ObjectClass("UIColor"), UIColorCodec())]

  let partNames = ["color", "components", "doubles", "text", "name"]
  let notation: String? = ColorText.notation

  private static let colorKeys = ["UIRed", "UIGreen", "UIBlue", "UIAlpha"]
  private static let whiteKeys = ["UIWhite", "UIAlpha"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    var parts: [DecodedForm.Part] = []
    if let name = try object.take("UISystemColorName") { parts.append(.init("name", .archived(node: name))) }
    guard let count = try object.integer("UIColorComponentCount"), count == 2 || count == 4 else {
      return nil
    }
    let keys = count == 2 ? Self.whiteKeys : Self.colorKeys
    guard let components = try Self.reals(keys, &object) else { return nil }
    if let color = Self.color(components) {
      parts.append(.init("color", .scalar(.string(color))))
      if count == 2 || ColorText.steps(color) == nil || Self.components(color) != components {
        parts.append(.init("components", .list(components.map { .scalar($0) })))
      }
    } else {
      parts.append(.init("components", .list(components.map { .scalar($0) })))
    }
    if try object.has("UIAlpha-Double") {
      guard let doubles = try Self.reals(keys.map { "\($0)-Double" }, &object) else { return nil }
      parts.append(.init("doubles", .list(doubles.map { .scalar($0) })))
    }
    if let space = try object.integer("NSColorSpace") {
      guard space == (count == 2 ? 4 : 2), let bytes = try object.bytes(count == 2 ? "NSWhite" : "NSRGB"),
        bytes.allSatisfy({ 0x20..<0x7f ~= $0 })
      else { return nil }
      parts.append(.init("text", .scalar(.string(String(decoding: bytes, as: UTF8.self)))))
    }
    return .record(parts)
  }

  private static func reals(_ keys: [String], _ object: inout ArchivedObject) throws(FerryError) -> [Value]? {
    var reals: [Value] = []
    for key in keys {
      guard let real = try object.real(key) else { return nil }
      reals.append(real)
    }
    return reals
  }

  /// Returns red, green, blue and opacity.
  private static func channels(_ components: [Value]) -> [Value] {
    components.count == 2 ? [components[0], components[0], components[0], components[1]] : components
  }

  /// Returns the text of a color for components: `#RRGGBBAA` if that is exact, otherwise numbers. Returns nil
  /// if a component is out of range.
  private static func color(_ components: [Value]) -> String? {
    let channels = channels(components)
    guard let short = ColorText.hexadecimal(channels.map(\.asDouble)) else { return nil }
    if Self.components(short) == channels { return short }
    let long = ColorText.decimal(channels.map { $0.plainText ?? "0" })
    return ColorText.numbers(long) == nil ? short : long
  }

  /// Returns the components for the text of a color, as 32-bit reals.
  private static func components(_ color: String) -> [Value]? {
    if let numbers = ColorText.numbers(color) { return numbers.map { .single(Float($0) ?? 0) } }
    return ColorText.steps(color)?.map { .single(Float($0) / 255) }
  }

  /// Returns the components for the text of a color, as 64-bit reals.
  private static func doubles(_ color: String) -> [Value]? {
    if let numbers = ColorText.numbers(color) { return numbers.map { .real(Double($0) ?? 0) } }
    return ColorText.steps(color)?.map { .real(Double($0) / 255) }
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    if let color = try decodedForm.string {
      guard let channels = ColorText.numbers(color, digits: 3), let components = Self.components(color)
      else { return nil }
      return Self.keys(components, text: Self.text(channels.prefix(3), opacity: channels[3]))
    }
    guard let parts = try decodedForm.parts(named: partNames),
      let components = try Self.components(parts)
    else { return nil }
    var keys: [ArchivedKey] = []
    if let name = parts["name"] { keys.append(ArchivedKey("UISystemColorName", .value(at: name.place))) }
    let text = try parts["text"]?.string
    guard parts["text"] == nil || text != nil else { return nil }
    keys += Self.keys(components, text: text)
    if let doubles = parts["doubles"] {
      guard let values = doubles.elements?.compactMap(\.real), values.count == components.count else {
        return nil
      }
      let names = components.count == 2 ? Self.whiteKeys : Self.colorKeys
      keys += zip(names, values).map { ArchivedKey("\($0)-Double", .inPlace($1)) }
    }
    return keys
  }

  /// Returns the representation of a color for AppKit, which is stored in addition to the components.
  private static func text(_ channels: ArraySlice<String>, opacity: String) -> String {
    (channels + (opacity == "1" ? [] : [opacity])).joined(separator: " ")
  }

  /// Keeps a gray as white and opacity, and updates the other archived properties of the color. A changed
  /// system color loses its name.
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    guard case .dictionary(var parts) = old else { return old.replacing(path, by: new) }
    if path.first == .key("components") {
      parts["color"] = nil
      return Value.dictionary(parts).replacing(path, by: new)
    }
    guard path.isEmpty || path.elementsEqual([.key("color")]), case .string(let text)? = new.colorAlone,
      let notation = ColorText.normalized(text), let channels = ColorText.numbers(text, digits: 3),
      let singles = Self.components(text), let doubles = Self.doubles(text)
    else { return old.replacing(path, by: new) }
    var used = 3
    if case .array(let components)? = parts["components"], components.count == 2,
      singles[0] == singles[1], singles[1] == singles[2]
    {
      used = 1
    }
    var color = KeyedValues()
    color["color"] = .string(notation)
    if used == 1 { color["components"] = .array([singles[0], singles[3]]) }
    if parts["doubles"] != nil { color["doubles"] = .array(doubles.prefix(used) + [doubles[3]]) }
    if parts["text"] != nil {
      color["text"] = .string(Self.text(channels.prefix(used), opacity: channels[3]))
    }
    return .dictionary(color)
  }

  private static func components(_ parts: [ExactString: GivenForm]) throws(FerryError) -> [Value]? {
    let color = try parts["color"]?.string
    guard let given = parts["components"] else {
      return color.flatMap(components)
    }
    guard let elements = given.elements, elements.count == 2 || elements.count == 4 else { return nil }
    let values = elements.compactMap(\.real)
    guard values.count == elements.count else { return nil }
    guard parts["color"] != nil else { return values }
    guard let color else { return nil }
    let isExact = Self.components(color) == Self.channels(values)
    return isExact || ColorText.fits(color, Self.channels(values).map(\.asDouble)) ? values : nil
  }

  private static func keys(_ components: [Value], text: String?) -> [ArchivedKey] {
    let isWhite = components.count == 2
    var keys = [ArchivedKey("UIColorComponentCount", .inPlace(.integer(Int128(components.count))))]
    keys += zip(isWhite ? whiteKeys : colorKeys, components).map { ArchivedKey($0, .inPlace($1)) }
    if let text {
      keys.append(ArchivedKey(isWhite ? "NSWhite" : "NSRGB", .inPlace(.data(Array(text.utf8)))))
      keys.append(ArchivedKey("NSColorSpace", .inPlace(.integer(isWhite ? 4 : 2))))
    }
    return keys
  }
}

extension Value {
  /// The number in a real of 32 or 64 bits, or 0 for other values.
  fileprivate var asDouble: Double {
    switch self {
    case .real(let value): value
    case .single(let value): Double(value)
    default: 0
    }
  }
}

extension Value {
  /// The text of the color, or nil if the color has other properties.
  fileprivate var colorAlone: Value? {
    guard case .dictionary(let parts) = self else { return self }
    return parts.count == 1 ? parts["color"] : nil
  }
}
