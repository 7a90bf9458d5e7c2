/// The classes whose objects are one scalar: how each lies in an archive, and what it is as a value.
///
///     NSDate           NS.time: seconds since 2001              a date
///     NSNull           nothing                                  null
///     NSMutableString  NS.string, or NS.bytes in UTF-8          a string
///     NSMutableData    NS.data or NS.bytes                      data
///     NSURL            NS.relative, and NS.base when it has one a string, when it has no base
///     NSUUID           NS.uuidbytes: 16 bytes                   a string: E621E1F8-C36C-495A-93FC-0C247A3E6E5F
///
/// Any but `NSString`, `NSData`, `NSDate` and `NSNull` comes wrapped in an object of its class.
enum ScalarClass: String, CaseIterable {
  case null = "NSNull"
  case date = "NSDate"
  case string = "NSString"
  case mutableString = "NSMutableString"
  case data = "NSData"
  case mutableData = "NSMutableData"
  case url = "NSURL"
  case uuid = "NSUUID"

  /// The chain that Foundation archives.
  var type: ObjectClass {
    switch self {
    case .mutableString: ObjectClass("NSMutableString", "NSString")
    case .mutableData: ObjectClass("NSMutableData", "NSData")
    default: ObjectClass(rawValue)
    }
  }

  /// Whether its value alone tells the class.
  var isPlain: Bool {
    switch self {
    case .null, .date, .string, .data: true
    default: false
    }
  }
}

/// An archived object that is one scalar, found by its class and its keys.
struct ScalarObject {
  private let type: ObjectClass
  private let scalar: ScalarClass
  private let nodes: any PropertyListNodes
  /// The node that holds the scalar.
  private let node: Int

  /// Nil when the class is another, or when the object holds other keys than its class is known to have.
  init?(_ type: ObjectClass, _ object: Int, in objects: ArchiveObjects) throws(Failure) {
    guard let scalar = ScalarClass(rawValue: type.name),
      case .dictionary(let count) = try objects.nodes.kind(of: object)
    else { return nil }
    let nodes = objects.nodes
    self.type = type
    self.scalar = scalar
    self.nodes = nodes
    if scalar == .null, count == 1 {
      node = object
      return
    }
    if scalar == .url {
      guard count == 3, let base = try nodes.value("NS.base", of: object),
        try nodes.kind(of: base) == .uid(0),
        let relative = try nodes.value("NS.relative", of: object)
      else { return nil }
      node = try Self.target(of: relative, in: objects)
      guard try nodes.kind(of: node) == .string else { return nil }
      return
    }
    guard count == 2, let held = try Self.held(by: scalar, object, nodes) else { return nil }
    node = try Self.target(of: held, in: objects)
    guard try isWellFormed() else { return nil }
  }

  private static func held(by scalar: ScalarClass, _ object: Int, _ nodes: any PropertyListNodes)
    throws(Failure) -> Int?
  {
    switch scalar {
    case .date: return try nodes.value("NS.time", of: object)
    case .uuid: return try nodes.value("NS.uuidbytes", of: object)
    case .data, .mutableData:
      if let data = try nodes.value("NS.data", of: object) { return data }
      return try nodes.value("NS.bytes", of: object)
    case .string, .mutableString:
      if let string = try nodes.value("NS.string", of: object) { return string }
      return try nodes.value("NS.bytes", of: object)
    case .null, .url: return nil
    }
  }

  private static func target(of node: Int, in objects: ArchiveObjects) throws(Failure) -> Int {
    guard case .uid(let uid) = try objects.nodes.kind(of: node) else { return node }
    return try objects.node(of: uid, referredFrom: node)
  }

  private func isWellFormed() throws(Failure) -> Bool {
    switch (scalar, try nodes.kind(of: node)) {
    case (.date, .real), (.date, .integer), (.date, .single): true
    case (.data, .data), (.mutableData, .data), (.string, .string), (.mutableString, .string): true
    case (.string, .data), (.mutableString, .data):
      try nodes.withData(of: node) { bytes throws(Failure) in
        if case .invalid = bytes.checkUTF8() { false } else { true }
      }
    case (.uuid, .data): try nodes.withData(of: node) { bytes throws(Failure) in bytes.count == 16 }
    default: false
    }
  }

  /// Sends the value, inside an object where the value alone would not tell the class.
  func send(to sink: any ValueSink) throws(Failure) {
    if !scalar.isPlain { try sink.beginObject(type, identity: nil) }
    switch (scalar, try nodes.kind(of: node)) {
    case (.null, _): try sink.null()
    case (_, .real(let seconds)): try sink.date(seconds)
    case (_, .single(let seconds)): try sink.date(Double(seconds))
    case (_, .integer(let seconds)): try sink.date(Double(seconds))
    case (_, .string): try nodes.withText(of: node) { text throws(Failure) in try sink.string(text) }
    case (.uuid, _):
      let text = try nodes.withData(of: node) { bytes throws(Failure) in UUIDText.text(bytes) }
      try sink.string(Text(text.utf8.span))
    case (.string, _), (.mutableString, _):
      try nodes.withData(of: node) { bytes throws(Failure) in try sink.string(Text(bytes)) }
    default: try nodes.withData(of: node) { bytes throws(Failure) in try sink.data(bytes) }
    }
    if !scalar.isPlain { try sink.endObject() }
  }

  /// How many bytes the value has.
  var weight: Int {
    get throws(Failure) {
      switch try nodes.kind(of: node) {
      case .string: try nodes.withText(of: node) { text throws(Failure) in text.utf8.count }
      case .data: try nodes.withData(of: node) { bytes throws(Failure) in bytes.count }
      default: 8
      }
    }
  }
}
