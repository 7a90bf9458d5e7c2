/// The names of the elements in which a value without names of its own is written: the root element around the value, and the elements of a
/// list that is the value.
///
///     [1, 2]     <root><item>1</item><item>2</item></root>
struct XMLListNames {
  /// The name that is given for the root element; nil if the only key of a dictionary may be its name.
  var givenRoot: String?
  /// True if the name of the root element is the key of a record, which may have a prefix that the record declares, and is escaped like other
  /// keys.
  var rootIsKey = false
  /// The name that is given for the elements; nil if it is not given.
  var givenItem: String?
  /// True if the root element is reported as one that the value does not have.
  var reportsRoot = true
  /// The declarations on the root element of a list.
  var declarations: [NamespaceDeclaration] = []

  var root: String { givenRoot ?? "root" }
  var item: String { givenItem ?? Self.item }

  /// The name of an element of a list without a key: of one that is the value, and of one inside another list.
  static let item = "item"
}
