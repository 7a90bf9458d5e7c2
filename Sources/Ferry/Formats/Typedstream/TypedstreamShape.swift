/// The decoded form of an object in a typedstream, as found from its values.
enum TypedstreamShape {
  case null
  case string(Range<Int>)
  case data(Range<Int>)
  case date(Double)
  /// A number, by the index of the entry with its value.
  case number(TypedstreamEntryIndex)
  /// A URL without a base, by the range of its text.
  case url(Range<Int>)
  /// A value wrapped in an NSValue, usually a structure, by the index of its entry.
  case value(TypedstreamEntryIndex)
  /// Elements beginning at an entry.
  case array(first: TypedstreamEntryIndex, count: Int)
  case set(first: TypedstreamEntryIndex, count: Int)
  /// Alternating keys and values, beginning at an entry.
  case dictionary(first: TypedstreamEntryIndex, count: Int)
  case record([TypedstreamField])
  case attributedString(string: TypedstreamEntryIndex, [TypedstreamRun])
  /// All values of the object, in order.
  case list
}

/// A field of a record.
struct TypedstreamField {
  /// The content of the field.
  enum Content {
    case entry(TypedstreamEntryIndex)
    case word(String)
    case integer(Int128)
    /// Numbers beginning at an entry.
    case entries(first: TypedstreamEntryIndex, count: Int)
    case runs([TypedstreamRun])
    /// An `NSMutableArray` of entries at arbitrary indices of the list.
    case mutableArray([TypedstreamEntryIndex])
    /// An `NSMutableData`.
    case mutableData([UInt8])
  }

  var name: String
  /// The key that the class uses in a keyed archive, or nil if Ferry cannot write the value that the class
  /// expects there.
  var archiveKey: String?
  var content: Content
}

/// A run of an attributed string.
struct TypedstreamRun {
  /// The start of the run, in UTF-16 code units like the length.
  var location: Int128
  var length: Int128
  /// The index of the entry with the attributes.
  var attributes: TypedstreamEntryIndex
}

/// A decoder of the values of objects. An object whose values are not exactly those that its class archives
/// is decoded as a list.
struct TypedstreamShapes {
  let bytes: [UInt8]
  let entries: [TypedstreamEntry]
  let objects: [TypedstreamObject]
  let classes: [TypedstreamClass]

  /// Returns the index after a value and its contents.
  func next(after index: TypedstreamEntryIndex) -> TypedstreamEntryIndex {
    switch entries[index].kind {
    case .object, .array, .structure: entries[index].end
    default: index + 1
    }
  }

  /// Returns the number of the object at an entry, or of the object that the entry refers to, or nil.
  func object(at index: TypedstreamEntryIndex) -> TypedstreamObjectNumber? {
    switch entries[index].kind {
    case .object, .reference: entries[index].objectNumber
    default: nil
    }
  }

  /// Returns the range of the entries with an object's values.
  func values(of object: TypedstreamObjectNumber) -> Range<TypedstreamEntryIndex> {
    let entry = objects[object].entry
    return entry + 1..<entries[entry].end
  }

  /// Returns the decoded form of an object.
  func shape(of object: TypedstreamObjectNumber) -> TypedstreamShape {
    let type = classes[objects[object].type]
    guard let known = type.known else { return .list }
    var values = TypedstreamValues(values(of: object), in: self)
    let shape: TypedstreamShape? =
      switch known {
      case .null: .null
      case .string: values.string()
      case .data: values.data()
      case .date: values.real().map { .date($0) }
      // Only NSNumber itself is decoded, because no decoded form represents a number with another class.
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

  /// Returns true if a shared string is valid UTF-8.
  func isText(_ range: Range<Int>) -> Bool {
    let bytes = bytes
    if case .invalid = bytes.span.extracting(range).checkUTF8() { return false }
    return true
  }

  /// Returns the byte range of the text of a string object, or nil.
  func text(at index: TypedstreamEntryIndex) -> Range<Int>? {
    guard let object = object(at: index), classes[objects[object].type].known == .string,
      case .string(let range) = shape(of: object)
    else { return nil }
    return range
  }

  /// Returns the decoded form of an object if it is a scalar, otherwise nil. Takes only a few steps.
  func scalar(_ object: TypedstreamObjectNumber) -> TypedstreamShape? {
    guard let known = classes[objects[object].type].known, known.isScalar else { return nil }
    let shape = shape(of: object)
    switch shape {
    case .null, .string, .data, .date, .number, .url: return shape
    default: return nil
    }
  }

  /// Returns true if an object is a collection of NeXTSTEP, for which keyed archives have no class.
  func isOfNeXT(_ object: TypedstreamObjectNumber) -> Bool {
    let known = classes[objects[object].type].known
    return known == .list || known == .hashTable
  }

  private func version(of name: String, from type: TypedstreamClassNumber) -> Int64? {
    var type = Optional(type)
    while let number = type {
      if classes[number].name.equals(name) { return classes[number].version }
      type = classes[number].superclass
    }
    return nil
  }

  /// Returns true if an object contains only scalars.
  func isLeaf(_ object: TypedstreamObjectNumber) -> Bool {
    let values = values(of: object)
    var index = values.lowerBound
    while index < values.upperBound {
      if let inner = self.object(at: index) {
        guard scalar(inner) != nil else { return false }
        index = next(after: index)
      } else {
        index = index + 1
      }
    }
    return true
  }
}
