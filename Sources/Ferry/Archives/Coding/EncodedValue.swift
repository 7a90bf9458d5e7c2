internal import OrderedCollections

/// A value in the form in which an archive stores it.
///
/// A type may encode in any order: into two containers alternately, or into a nested container before the
/// preceding keys. Therefore the output is collected in a tree, and sent when it is complete.
enum EncodedValue {
  case null
  case boolean(Bool)
  case integer(Int128)
  case real(Double)
  case single(Float)
  case string(String)
  case data([UInt8])
  /// A date, in seconds since 2001.
  case date(Double)
  /// An object that represents a scalar: an `NSURL`, an `NSUUID`, an `NSDecimalNumber`.
  case scalar(ObjectClass, Value)
  case list(EncodedList)
  case dictionary(EncodedPairs)
  case object(EncodedObject)
  /// A reference to an object elsewhere in the tree.
  case reference(EncodedObject)
  /// A tree of values, as it is.
  case value(Value)
  /// The output of a nested encoder or a super encoder.
  case box(EncodedBox)
  /// A value of an optional type, empty or `nullText`, which a format may not tell from nil.
  indirect case optional(EncodedValue)
  /// An attribute, until it is added to the object of its element. Elsewhere, it is its content.
  indirect case attribute(EncodedValue)
}

/// The output of one encoder, or nil if it has not encoded anything yet.
final class EncodedBox {
  var value: EncodedValue?
}

/// An array or a set.
final class EncodedList {
  let isSet: Bool
  /// True for a list of an `ElementChoice`, whose values are the contents of an element.
  var isContents = false
  var values: [EncodedValue] = []

  init(isSet: Bool = false) { self.isSet = isSet }
  init(_ values: [EncodedValue]) { (isSet, self.values) = (false, values) }
}

/// A dictionary with keys of any kind.
final class EncodedPairs {
  var entries: [(key: EncodedValue, value: EncodedValue)] = []
}

/// An object with named values, in the order of encoding. An object without a class is an `NSDictionary`.
final class EncodedObject {
  let type: ObjectClass?
  /// The identity of the object if it has more than one reference, otherwise nil.
  var identity: Int?
  private(set) var fields: OrderedDictionary<ExactString, EncodedValue> = [:]
  /// The number of attributes, which are the first fields.
  private var attributeCount = 0
  var unknownKeys = UnknownKeys()

  init(_ type: ObjectClass?) { self.type = type }

  /// Adds a value. Returns false if the name is already taken.
  @discardableResult
  func add(_ name: String, _ value: EncodedValue) -> Bool {
    let name = ExactString(name)
    guard fields[name] == nil else { return false }
    fields[name] = value
    return true
  }

  /// Returns the output of the nested encoder with a name; nil if there is none.
  func box(_ name: String) -> EncodedBox? {
    if case .box(let box)? = fields[ExactString(name)] { box } else { nil }
  }

  /// Adds an attribute after the others, because attributes precede the contents of an element. Returns false if the name is already taken.
  func addAttribute(_ name: String, _ value: EncodedValue) -> Bool {
    let name = ExactString(name)
    guard fields[name] == nil else { return false }
    fields.updateValue(value, forKey: name, insertingAt: attributeCount)
    attributeCount += 1
    return true
  }
}

extension EncodedValue {
  /// The value in a box or an optional.
  var unwrapped: EncodedValue {
    switch self {
    case .box(let box): box.value?.unwrapped ?? .object(EncodedObject(nil))
    case .optional(let value), .attribute(let value): value.unwrapped
    default: self
    }
  }

  /// True for null.
  var isNull: Bool {
    switch self {
    case .null, .value(.null): true
    case .box(let box): box.value?.isNull ?? false
    default: false
    }
  }

  /// The text that represents nil in property lists of `PropertyListEncoder`.
  static let nullText = "$null"

  /// True for the text that represents nil in property lists.
  var isNullText: Bool {
    switch unwrapped {
    case .string(let text), .value(.string(let text)): text.equals(Self.nullText)
    default: false
    }
  }

  /// True for a value that may be read as nil: an empty one, or the text for nil.
  var mayLookLikeNil: Bool { isEmpty || isNullText }

  /// The value as one of an optional type, as `optional` if it may look like nil.
  var asOptional: EncodedValue {
    // An optional in an attribute is marked inside.
    if case .attribute = self { return self }
    return mayLookLikeNil ? .optional(self) : self
  }

  /// True for an empty text, data or collection, and an object without values.
  var isEmpty: Bool {
    switch self {
    case .string(let text): text.isEmpty
    case .data(let bytes): bytes.isEmpty
    case .list(let list): list.values.isEmpty
    case .dictionary(let pairs): pairs.entries.isEmpty
    case .object(let object): object.fields.values.allSatisfy(\.isNull)
    case .optional(let value), .attribute(let value): value.isEmpty
    default: false
    }
  }

  /// The elements of a list; nil for other values.
  var elements: [EncodedValue]? {
    switch unwrapped {
    case .list(let list): list.values
    case .value(let value): value.listElements?.map { .value($0) }
    default: nil
    }
  }

  /// The number of entries of a dictionary or an object; nil for other values.
  var entryCount: Int? {
    switch unwrapped {
    case .dictionary(let pairs): pairs.entries.count
    case .object(let object), .reference(let object): object.fields.count
    case .value(let value): value.dictionaryValue?.count
    default: nil
    }
  }

  /// True for a list, a dictionary and an object with keys.
  var isCollection: Bool {
    switch self {
    case .list, .dictionary, .object, .reference: true
    case .value(let value): value.isCollection
    case .box, .optional, .attribute: unwrapped.isCollection
    case .null, .boolean, .integer, .real, .single, .string, .data, .date, .scalar: false
    }
  }

  /// The name of a key in a path; nil for a collection.
  var name: String? {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value.notation
    case .real(let value): value.notation
    case .single(let value): Double(value).notation
    case .string(let text): text
    case .date(let seconds): Value.date(secondsSince2001: seconds).plainText
    case .scalar(_, let value), .value(let value): value.plainText
    case .optional(let value), .attribute(let value): value.name
    case .box(let box): box.value?.name
    case .data(let bytes): Value.data(bytes).plainText
    case .list, .dictionary, .object, .reference: nil
    }
  }

  /// Sends the value as the key of an entry, whose value follows.
  func send(asKeyTo sink: any ValueSink) throws(FerryError) {
    if case .string(let text) = self { return try sink.key(BorrowedText(text.utf8.span)) }
    try sink.beginKey()
    try send(to: sink)
    try sink.endKey()
  }

  /// Sends the value to a sink. The recursion is bounded by the depth limit of the encoder.
  func send(to sink: any ValueSink) throws(FerryError) {
    switch self {
    case .null: try sink.null()
    case .boolean(let value): try sink.boolean(value)
    case .integer(let value): try sink.integer(value)
    case .real(let value): try sink.real(value)
    case .single(let value): try sink.single(value)
    case .string(let text): try sink.string(BorrowedText(text.utf8.span))
    case .data(let bytes): try sink.data(bytes.span)
    case .date(let seconds): try sink.date(seconds)
    case .scalar(let type, let value):
      try sink.beginObject(type, identity: nil)
      try value.replay(into: sink)
      try sink.endObject()
    case .list(let list): try list.send(to: sink)
    case .dictionary(let pairs): try pairs.send(to: sink)
    case .object(let object): try object.send(to: sink)
    case .reference(let object):
      guard let identity = object.identity else { return try sink.null() }
      try sink.reference(identity)
    case .value(let value): try value.replay(into: sink)
    case .box(let box):
      // An encoder that was requested but not used encodes an empty dictionary, as in Foundation's encoders.
      guard let value = box.value else { return try EncodedObject(nil).send(to: sink) }
      try value.send(to: sink)
    case .optional(let value), .attribute(let value): try value.send(to: sink)
    }
  }
}

extension EncodedList {
  fileprivate func send(to sink: any ValueSink) throws(FerryError) {
    if isSet { try sink.beginSet(count: values.count) } else { try sink.beginArray(count: values.count) }
    for value in values { try value.send(to: sink) }
    if isSet { try sink.endSet() } else { try sink.endArray() }
  }
}

extension EncodedPairs {
  fileprivate func send(to sink: any ValueSink) throws(FerryError) {
    try sink.beginDictionary(count: entries.count)
    for (key, value) in entries {
      try key.send(asKeyTo: sink)
      try value.send(to: sink)
    }
    try sink.endDictionary()
  }
}

extension EncodedObject {
  fileprivate func send(to sink: any ValueSink) throws(FerryError) {
    if let type { try sink.beginObject(type, identity: identity) }
    try sink.beginDictionary(count: fields.count)
    for (name, value) in fields {
      try sink.key(BorrowedText(name.string.utf8.span))
      try value.send(to: sink)
    }
    try sink.endDictionary()
    if type != nil { try sink.endObject() }
  }
}
