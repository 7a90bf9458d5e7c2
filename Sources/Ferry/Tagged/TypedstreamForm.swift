/// The typed form of an object in a typedstream.
///
/// An object whose values are in exactly the groups that its class archives has a short form. All other objects are shown
/// as their groups.
enum TypedstreamForm {
  case string(Range<Int>)
  case data(Range<Int>)
  case date(Double)
  /// The value of an NSNumber with the type that new numbers have, by its entry.
  case number(TypedstreamEntryIndex)
  /// An object without values.
  case empty
  /// Objects in a range of entries.
  case list(Range<TypedstreamEntryIndex>)
  /// Alternating keys and values, with keys as text, or as objects.
  case entries(Range<TypedstreamEntryIndex>)
  case pairs(Range<TypedstreamEntryIndex>)
  case groups(Range<TypedstreamEntryIndex>)

  /// Finds the form of an object.
  init(of object: TypedstreamObjectNumber, in stream: Typedstream) {
    let shapes = stream.shapes
    let values = shapes.values(of: object)
    let known = shapes.classes[shapes.objects[object].type].known
    guard !values.isEmpty else {
      self = .empty
      return
    }
    self = .groups(values)
    let reader = GroupReader(stream, values)
    switch (shapes.shape(of: object), known) {
    case (.string(let range), .string) where reader.have(["+"]): self = .string(range)
    case (.data(let range), .data) where reader.have(["i", "[\(range.count)c]"]): self = .data(range)
    case (.date(let seconds), .date) where reader.have(["d"]): self = .date(seconds)
    case (.number(let index), .number):
      let entry = shapes.entries[index]
      let isDefault =
        switch entry.code {
        case UInt8(ascii: "q"), UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "B"): true
        case UInt8(ascii: "Q"): entry.payload > UInt64(Int64.max)
        default: false
        }
      let code = String(UnicodeScalar(entry.code))
      if isDefault, reader.have(["*", code]), reader.cString(is: code) { self = .number(index) }
    case (.array(let first, let count), .array) where reader.have("i", objects: count):
      self = .list(first..<values.upperBound)
    case (.set(let first, let count), .set) where reader.have("I", objects: count):
      self = .list(first..<values.upperBound)
    case (.dictionary(let first, let count), .dictionary) where reader.have("i", objects: 2 * count):
      let range = first..<values.upperBound
      self = Self.hasPlainKeys(range, in: shapes) ? .entries(range) : .pairs(range)
    default: break
    }
  }

  /// True if the form shows the class by itself.
  var isBare: Bool {
    switch self {
    case .string, .data, .date, .number, .list, .entries: true
    case .empty, .pairs, .groups: false
    }
  }

  /// Returns true if objects of the class with a name are shown in this form without their class.
  func isClass(_ name: String) -> Bool {
    switch self {
    case .string: name == "NSString"
    case .data: name == "NSData"
    case .date: name == "NSDate"
    case .number: name == "NSNumber"
    case .list: name == "NSArray"
    case .entries: name == "NSDictionary"
    case .empty, .pairs, .groups: false
    }
  }

  /// Returns true if all keys are different strings of the class NSString, each with a single reference.
  private static func hasPlainKeys(_ range: Range<TypedstreamEntryIndex>, in shapes: TypedstreamShapes)
    -> Bool
  {
    var keys: Set<[UInt8]> = []
    var index = range.lowerBound
    while index < range.upperBound {
      let entry = shapes.entries[index]
      guard entry.kind == .object, shapes.objects[entry.objectNumber].uses == 1,
        shapes.classes[shapes.objects[entry.objectNumber].type].name == "NSString",
        let text = shapes.text(at: index), keys.insert(Array(shapes.bytes[text])).inserted
      else { return false }
      index = shapes.next(after: shapes.next(after: index))
    }
    return true
  }
}

/// The types of the groups of an object's values.
private struct GroupReader {
  let stream: Typedstream
  let values: Range<TypedstreamEntryIndex>

  init(_ stream: Typedstream, _ values: Range<TypedstreamEntryIndex>) {
    (self.stream, self.values) = (stream, values)
  }

  private func isGroup(_ types: String, at index: TypedstreamEntryIndex) -> Bool {
    guard let group = stream.shapes.entries[index].group else { return false }
    return stream.types(of: group).elementsEqual(types.utf8)
  }

  /// Returns true if each value is a group with these types.
  func have(_ types: [String]) -> Bool {
    var index = values.lowerBound
    for type in types {
      guard index < values.upperBound, isGroup(type, at: index) else { return false }
      index = stream.shapes.next(after: index)
    }
    return index == values.upperBound
  }

  /// Returns true if a group with a count is followed by this number of groups with one object each.
  func have(_ count: String, objects: Int) -> Bool {
    guard isGroup(count, at: values.lowerBound) else { return false }
    var index = stream.shapes.next(after: values.lowerBound)
    var found = 0
    while index < values.upperBound {
      guard isGroup("@", at: index) else { return false }
      found += 1
      index = stream.shapes.next(after: index)
    }
    return found == objects
  }

  /// Returns true if the first value is a C string with this text.
  func cString(is text: String) -> Bool {
    let entry = stream.shapes.entries[values.lowerBound]
    return entry.kind == .cString && stream.shapes.bytes[entry.range].elementsEqual(text.utf8)
  }
}
