/// The classes of a typedstream that is being written: those of the copied file, and the classes of Foundation that new
/// values need.
struct TypedstreamClassTable {
  /// The names of the classes of new values.
  enum Name {
    static let string = "NSString"
    static let null = "NSNull"
  }

  private(set) var classes: [TypedstreamClass]
  private var numbers: [ExactString: TypedstreamClassNumber] = [:]

  /// The classes that Ferry can archive, with their versions and superclasses.
  static let standard: [ExactString: (version: Int64, superclass: String?)] = [
    "NSObject": (0, nil), "NSString": (1, "NSObject"), "NSMutableString": (1, "NSString"),
    "NSData": (0, "NSObject"), "NSMutableData": (0, "NSData"), "NSDate": (0, "NSObject"),
    "NSNull": (0, "NSObject"), "NSValue": (0, "NSObject"), "NSNumber": (0, "NSValue"),
    "NSURL": (0, "NSObject"), "NSArray": (0, "NSObject"), "NSMutableArray": (0, "NSArray"),
    "NSSet": (0, "NSObject"), "NSMutableSet": (0, "NSSet"), "NSDictionary": (0, "NSObject"),
    "NSMutableDictionary": (0, "NSDictionary"), "NSAttributedString": (0, "NSObject"),
    "NSMutableAttributedString": (0, "NSAttributedString"),
  ]

  /// Returns the version and the superclass that the class with a name has unless a file says otherwise.
  static func usual(_ name: String) -> (version: Int64, superclass: String?) {
    standard[ExactString(name)] ?? (0, name == "NSObject" ? nil : "NSObject")
  }

  /// Creates a table with the classes of a file.
  init(_ classes: [TypedstreamClass]) {
    self.classes = classes
    for (number, type) in zip(classes.numbers, classes) where numbers[ExactString(type.name)] == nil {
      numbers[ExactString(type.name)] = number
    }
  }

  /// Returns the number of a class, which is added with its superclass. If a class with the name exists, returns its
  /// number.
  mutating func add(
    _ name: String, version: Int64, superclass: TypedstreamClassNumber?
  ) -> TypedstreamClassNumber {
    let above = superclass.map { classes[$0] }
    let number = classes.end
    classes.append(
      TypedstreamClass(
        name: name, version: version, superclass: superclass, depth: (above?.depth ?? 0) + 1,
        known: KnownClass(rawValue: name) ?? above?.known))
    numbers[ExactString(name)] = number
    return number
  }

  /// Returns the number of a class that Ferry can archive, or nil for other names. Adds the class if the file does not have it.
  mutating func number(ofStandard name: String) -> TypedstreamClassNumber? {
    guard let type = Self.standard[ExactString(name)] else { return nil }
    if let number = numbers[ExactString(name)] { return number }
    let superclass = type.superclass.flatMap { number(ofStandard: $0) }
    return add(name, version: type.version, superclass: superclass)
  }

  /// Returns the number of the class for a new value: the class of the replaced object if it accepts the value, otherwise Foundation's
  /// class.
  mutating func number(
    like entry: TypedstreamEntryIndex?, for content: TapeIndex, _ encoding: TypedstreamEncoding,
    _ source: Typedstream?
  ) -> TypedstreamClassNumber {
    if let entry, let source, let object = source.shapes.object(at: entry) {
      let type = source.shapes.objects[object].type
      let isList = if case .list = source.shapes.shape(of: object) { true } else { false }
      if !isList, encoding.accepts(content, for: classes[type]) { return type }
    }
    let name =
      switch encoding.tape.kind(at: content) {
      case .null: Name.null
      case .boolean, .integer, .real, .single: "NSNumber"
      case .data: "NSData"
      case .date: "NSDate"
      case .beginArray: "NSArray"
      case .beginSet: "NSSet"
      case .beginDictionary: "NSDictionary"
      default: Name.string
      }
    return number(ofStandard: name) ?? .first
  }

  /// Returns the type of the value in a new NSNumber: the type of the replaced number if that is of the same kind and the type can represent
  /// the value, otherwise the usual type.
  func numberType(
    like entry: TypedstreamEntryIndex?, for content: TapeIndex, of tape: EventTape, _ source: Typedstream?
  ) -> UInt8 {
    let kind = tape.kind(at: content)
    if let entry, let source, let object = source.shapes.object(at: entry),
      case .number(let value) = source.shapes.shape(of: object)
    {
      let code = source.shapes.entries[value].code
      switch (source.shapes.entries[value].kind, kind) {
      case (.integer, .integer), (.unsigned, .integer):
        if TypedstreamEncoding.fits(tape.integer(at: content), code) { return code }
      case (.single, .single), (.real, .real), (.boolean, .boolean): return code
      // A number whose type the caller wants to keep has been converted to it before, and so is of the same kind.
      default: break
      }
    }
    switch kind {
    case .boolean: return UInt8(ascii: "B")
    case .integer: return UInt8(ascii: Int64(exactly: tape.integer(at: content)) == nil ? "Q" : "q")
    case .single: return UInt8(ascii: "f")
    default: return UInt8(ascii: "d")
    }
  }
}
