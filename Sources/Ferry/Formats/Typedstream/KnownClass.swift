/// The classes whose objects Ferry decodes, with the values that each class archives, in their order.
///
/// An object of such a class, or of a subclass, is sent in its decoded form if it has exactly these values.
/// Any other object is sent as the list of its values.
///
///     NSString            its bytes in UTF-8; also for mutable variants, here and below
///     NSData              a length, the bytes
///     NSDate              seconds since 2001
///     NSNull              no values
///     NSNumber, NSValue   the type as a C string; a value of this type
///     NSURL               0 and the URL; or 1, the base URL and the relative part
///     NSArray, NSSet      a count, the elements
///     NSDictionary        a count; keys and values, alternating
///     NSAttributedString  the string; runs: a number, a length and, if the number is new, the attributes
///     NSColor             a color space and its components; or catalog, name and color
///     NSFont              a length, the name as a serialized property list; the size; four flags
///     List                in version 0 a capacity, a count, the elements; in version 1 without the capacity
///     HashTable           a count, the types of keys and of values; keys and values, alternating
enum KnownClass: String, CaseIterable {
  case string = "NSString"
  case data = "NSData"
  case date = "NSDate"
  case null = "NSNull"
  case number = "NSNumber"
  case value = "NSValue"
  case url = "NSURL"
  case array = "NSArray"
  case set = "NSSet"
  case dictionary = "NSDictionary"
  case attributedString = "NSAttributedString"
  case color = "NSColor"
  case font = "NSFont"
  case list = "List"
  case hashTable = "HashTable"

  /// True if a repeated object of the class is sent in full each time, because it cannot be distinguished
  /// from an equal object.
  var isScalar: Bool {
    switch self {
    case .string, .data, .date, .null, .number, .url: true
    default: false
    }
  }
}

/// The field names of well-known structures.
enum KnownStructure {
  /// Returns the field names of a structure, or nil if the structure is unknown or has another number of
  /// fields.
  static func fields(of name: String, count: Int) -> [String]? {
    guard let fields = fields[name], fields.count == count else { return nil }
    return fields
  }

  private static let fields: [ExactString: [String]] = {
    let (point, size, rect) = (["x", "y"], ["width", "height"], ["origin", "size"])
    return [
      "_NSPoint": point, "NSPoint": point, "CGPoint": point,
      "_NSSize": size, "NSSize": size, "CGSize": size,
      "_NSRect": rect, "NSRect": rect, "CGRect": rect,
      "_NSRange": ["location", "length"], "NSRange": ["location", "length"],
      "CGVector": ["dx", "dy"],
      "NSEdgeInsets": ["top", "left", "bottom", "right"],
      "CGAffineTransform": ["a", "b", "c", "d", "tx", "ty"],
      "NSAffineTransformStruct": ["m11", "m12", "m21", "m22", "tX", "tY"],
    ]
  }()
}
