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

  func fault(in decodedForm: GivenForm) throws(FerryError) -> String? { try faultOfColor(in: decodedForm) }

  func notation(ofPart name: String) -> String? { name.equals("color") ? ColorText.notation : nil }

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
    if let name = parts["name"] { keys.append(ArchivedKey("UISystemColorName", .value(at: name.tapeIndex))) }
    let text = try parts["text"]?.string
    guard parts["text"] == nil || text != nil else { return nil }
    keys += Self.keys(components, text: text)
    if let doubles = parts["doubles"] {
      guard let values = doubles.elements?.compactMap(\.real), values.count == components.count else {
        return nil
      }
      let names = components.count == 2 ? Self.whiteKeys : Self.colorKeys
      keys += zip(names, values).map { ArchivedKey("\($0)-Double", .inline($1)) }
    }
    return keys
  }

  /// Returns the representation of a color for AppKit, which is stored in addition to the components.
  private static func text(_ channels: ArraySlice<String>, opacity: String) -> String {
    (channels + (opacity == "1" ? [] : [opacity])).joined(separator: " ")
  }

  func hasFixedCount(ofPart name: String) -> Bool { name == "components" || name == "doubles" }

  /// Keeps a gray as white and opacity, and updates the other archived properties of the color. A changed
  /// system color loses its name.
  func revised(_ old: Value, at path: ArraySlice<ValuePath.Step>, to new: Value) -> Value? {
    old.replacingColor(at: path, by: new) { parts, text in recolored(parts, text) }
  }

  /// Returns the decoded form for the text of a new color, or nil if the text is invalid.
  private func recolored(_ parts: KeyedValues, _ text: String) -> Value? {
    guard let notation = ColorText.normalized(text), let channels = ColorText.numbers(text, digits: 3),
      let singles = Self.components(text), let doubles = Self.doubles(text)
    else { return nil }
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
    var keys = [ArchivedKey("UIColorComponentCount", .inline(.integer(Int128(components.count))))]
    keys += zip(isWhite ? whiteKeys : colorKeys, components).map { ArchivedKey($0, .inline($1)) }
    if let text {
      keys.append(ArchivedKey(isWhite ? "NSWhite" : "NSRGB", .inline(.data(Array(text.utf8)))))
      keys.append(ArchivedKey("NSColorSpace", .inline(.integer(isWhite ? 4 : 2))))
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
