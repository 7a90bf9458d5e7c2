/// What an object of a typedstream is, once its values have been looked at.
enum TypedstreamShape {
  case null
  case string(Range<Int>)
  case data(Range<Int>)
  case date(Double)
  /// The entry of a number's value.
  case number(Int)
  /// The text of a URL that has no base.
  case url(Range<Int>)
  /// The entry of what a value wraps: a structure, as a rule.
  case value(Int)
  /// Elements, from an entry on.
  case array(first: Int, count: Int)
  case set(first: Int, count: Int)
  /// Keys and values in turn, from an entry on.
  case dictionary(first: Int, count: Int)
  case record([TypedstreamField])
  case attributedString(string: Int, [TypedstreamRun])
  /// All values, in their order.
  case list
}

/// An entry of a record.
struct TypedstreamField {
  /// What the entry holds.
  enum Content {
    case entry(Int)
    case word(String)
    case integer(Int128)
    /// Numbers, from an entry on.
    case entries(first: Int, count: Int)
    case runs([TypedstreamRun])
    /// An `NSMutableArray` of entries that lie anywhere.
    case mutableArray([Int])
    /// An `NSMutableData`.
    case mutableData([UInt8])
  }

  var name: String
  /// The key that the class itself uses in a keyed archive, where Ferry can write what it expects.
  var archiveKey: String?
  var content: Content
}

/// A run of an attributed string.
struct TypedstreamRun {
  /// Counted in UTF-16 units, as the length is.
  var location: Int128
  var length: Int128
  /// The entry of the attributes.
  var attributes: Int
}

/// Looks at the values of one object. Anything but what its class is known to archive makes it a list.
struct TypedstreamShapes {
  let bytes: [UInt8]
  let entries: [TypedstreamEntry]
  let objects: [TypedstreamObject]
  let classes: [TypedstreamClass]

  /// The place behind the value that begins at a place.
  func next(after index: Int) -> Int {
    switch entries[index].kind {
    case .object, .array, .structure: entries[index].extra
    default: index + 1
    }
  }

  /// The object that an entry is or refers to.
  func object(at index: Int) -> Int? {
    switch entries[index].kind {
    case .object, .reference: entries[index].number
    default: nil
    }
  }

  /// Where the values of an object lie.
  func values(of object: Int) -> Range<Int> {
    let entry = objects[object].entry
    return entry + 1..<entries[entry].extra
  }

  /// What an object is.
  func shape(of object: Int) -> TypedstreamShape {
    let type = classes[objects[object].type]
    guard let known = type.known else { return .list }
    var values = TypedstreamValues(values(of: object), in: self)
    let shape: TypedstreamShape? =
      switch known {
      case .null: .null
      case .string: values.string()
      case .data: values.data()
      case .date: values.real().map { .date($0) }
      // A number of another class would have a value that no object holds.
      case .number: type.name == KnownClass.number.rawValue ? values.number() : nil
      case .value: values.value()
      case .url: values.url()
      case .array: values.elements { .array(first: $0, count: $1) }
      case .set: values.elements { .set(first: $0, count: $1) }
      case .dictionary: values.pairs()
      case .attributedString: values.attributedString()
      case .color: values.color()
      case .font: values.font()
      case .list: values.list(version: version(of: "List", from: objects[object].type))
      case .hashTable: values.hashTable()
      }
    guard let shape, values.isAtEnd else { return .list }
    return shape
  }

  /// Whether a shared string is UTF-8.
  func isText(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
    return true
  }

  /// The text of a string object.
  func text(at index: Int) -> Range<Int>? {
    guard let object = object(at: index), classes[objects[object].type].known == .string,
      case .string(let range) = shape(of: object)
    else { return nil }
    return range
  }

  /// What an object is when it is a scalar, found in as many steps as a scalar takes.
  func scalar(_ object: Int) -> TypedstreamShape? {
    guard let known = classes[objects[object].type].known, known.isScalar else { return nil }
    let shape = shape(of: object)
    switch shape {
    case .null, .string, .data, .date, .number, .url: return shape
    default: return nil
    }
  }

  /// Whether an object is a collection of a time before Foundation, which no keyed archive has.
  func isOfNeXT(_ object: Int) -> Bool {
    let known = classes[objects[object].type].known
    return known == .list || known == .hashTable
  }

  private func version(of name: String, from type: Int) -> Int64? {
    var type = Optional(type)
    while let number = type {
      if classes[number].name.equals(name) { return classes[number].version }
      type = classes[number].superclass
    }
    return nil
  }

  /// Whether an object holds nothing but scalars.
  func isLeaf(_ object: Int) -> Bool {
    let values = values(of: object)
    var index = values.lowerBound
    while index < values.upperBound {
      if let inner = self.object(at: index) {
        guard scalar(inner) != nil else { return false }
        index = next(after: index)
      } else {
        index += 1
      }
    }
    return true
  }
}
