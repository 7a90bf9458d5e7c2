/// The open collections, and the current key of the innermost one.
extension XMLRecordWriter {
  /// The current key of a dictionary or a record, which determines how its value is written.
  struct CurrentKey {
    enum Location {
      /// An element with a name.
      case element(String)
      /// The items of a list, as elements of the record. An empty list reads back as a missing one if it is optional.
      case items(String, isOptional: Bool)
      /// An attribute with a name. A collection is an element that is named for the key.
      case attribute(String, key: String)
      /// An attribute after elements, with a name, whose key the schema does not declare. A collection is an element that is named for the
      /// key.
      case lateAttribute(String, key: String)
      /// The text of the element, which is a field. A collection is an element that is named for the key.
      case text(key: String)
      /// The text of the element if a reader finds it there again, and an element otherwise.
      case undeclaredText
      /// The list of the contents of an undeclared element, if the value is an array, and an element otherwise.
      case contents
      /// Text in such a list.
      case textOfContents(isMixed: Bool)
    }

    var location: Location
    /// The declared type of the value, or any if the schema does not declare one.
    var type: FieldType
    /// True if no record may lack the value, so that an undeclared array has an element, even if it is empty.
    var isRequired = false

    /// True if the schema declares the type of the value.
    var isDeclared: Bool { if case .any = type { false } else { true } }
  }

  /// An open collection.
  struct Level {
    let kind: Kind
    /// The number of values so far.
    var count = 0
    /// The keys of the attributes of an element that the schema does not describe.
    var attributeKeys: [String] = []
    /// True if the element contains a child, so that no attribute can be added.
    var hasChildren = false
    /// The text of the element, held back until its next child or its end.
    var text: [UInt8]?
    /// The contents of the element in order, held back until the next key that is not that of an attribute, or its end.
    var contents: [Value]?
    /// True if an undeclared array needs an element, even if it is empty.
    var isRequired = false
    /// True if the record may lack the list, so that an empty list reads back as a missing one.
    var isOptional = false
    /// True if the collection is a record that is not inside another record.
    var isOutermostRecord = false

    /// True if the collection is a list.
    var isList: Bool {
      switch kind {
      case .list, .repeated: true
      case .record, .dictionary, .unknown: false
      }
    }

    /// True if the collection has an element of its own.
    var hasElement: Bool {
      switch kind {
      case .repeated(_, let hasElement), .list(_, _, let hasElement): hasElement
      case .record, .dictionary, .unknown: true
      }
    }
  }

  /// The kind of a collection, which determines its contents.
  enum Kind {
    case record(RecordType)
    /// A list. Without an element of its own, its items are elements of the record.
    case list(FieldType, element: String, hasElement: Bool)
    /// A dictionary with any keys, whose values have a type.
    case dictionary(FieldType)
    /// A dictionary that the schema does not declare.
    case unknown
    /// An array that the schema does not declare. Each of its elements is written as an element with its
    /// name. Only an array inside another has an element of its own.
    case repeated(name: String, hasElement: Bool)
  }
}
