/// The number of a shape in a `ShapeTable`.
struct ShapeID: Hashable {
  let index: Int
}

/// The shape of the values at one path: their scalars, and the paths inside them.
struct ValueShape {
  /// An entry of the dictionaries at a path: a key, or in XML an attribute, the text, or the elements with one name.
  struct Entry {
    var key: String
    var shape: ShapeID
    /// The number of dictionaries that have the entry.
    var records = 0
    /// The largest number of values of the entry in one dictionary: of elements with the name in one element.
    var mostInOne = 0
    /// The name in XML of an element or attribute in a namespace, as a schema has it; nil for other entries.
    var xmlName: String?

    /// The name of an element as a schema has it.
    var elementName: String { xmlName ?? key }

    /// The prefix and the local name in the key of an element or attribute, which may be in a namespace.
    fileprivate var parts: (mark: String, prefix: String?, local: String) {
      let mark = key.utf8.first == UInt8(ascii: "@") ? "@" : ""
      let name = key.utf8.dropFirst(mark.utf8.count)
      guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
        return (mark, nil, String(name) ?? key)
      }
      return (mark, String(name[..<colon]), String(name[name.index(after: colon)...]) ?? key)
    }
  }

  /// The key or the element's name of the values. Elements of a list have that of the list.
  var name: String
  /// The shape of the dictionary or the list that contained the values when the shape was made, which was made before; nil for the
  /// document. It may be a part of another shape by now.
  let parent: ShapeID?
  /// The number of dictionaries and lists around the values when the shape was made.
  var depth = 0
  /// The number of values.
  var count = 0
  /// The number of nulls.
  var nulls = 0
  var scalars = ScalarSurvey()
  /// The number of dictionaries. An element of XML is one if it has attributes or elements.
  var dictionaries = 0
  /// The number of lists.
  var lists = 0
  /// The number of empty lists.
  var emptyLists = 0
  /// The entries of the dictionaries, in the order of their first occurrence.
  private(set) var entries: [Entry] = []
  private var indices: [ExactString: Int] = [:]
  /// The shape of the elements of the lists, or nil if all lists are empty.
  var items: ShapeID?
  /// The shape of the values of dictionaries with too many keys for entries, or nil if there are none.
  var values: ShapeID?
  /// The classes of the objects, in the order of their first occurrence.
  var classes: [ObjectClass] = []
  /// True if the values are elements of XML.
  var isElement = false
  /// True if values are references to objects that are counted elsewhere.
  var hasReferences = false
  /// True if an element contains text beside elements.
  var isMixed = false
  /// The number of elements with only white space as text, and without child elements.
  var blankTexts = 0

  init(name: String, parent: ShapeID?) { (self.name, self.parent) = (name, parent) }

  /// Returns the index of the entry with a key, or nil if there is none. The entry at `likely` is tried first.
  func index(of key: Span<UInt8>, likely: Int) -> Int? {
    if likely < entries.count, key.equals(entries[likely].key.utf8.span) { return likely }
    return indices[ExactString(key.decodedString)]
  }

  func index(of key: String) -> Int? { indices[ExactString(key)] }

  /// True if all values are dictionaries that have no key other than the empty one, or no key.
  var hasOnlyEmptyKey: Bool {
    entries.count == 1 && entries[0].key.isEmpty && lists == 0 && scalars.count == 0
  }

  mutating func add(_ entry: Entry) {
    indices[ExactString(entry.key)] = entries.count
    entries.append(entry)
  }

  /// Notes that a dictionary has an entry for the `times`th time.
  mutating func note(_ index: Int, times: Int) {
    if times == 1 { entries[index].records += 1 }
    if times > entries[index].mostInOne { entries[index].mostInOne = times }
  }

  mutating func addToEntry(_ index: Int, _ other: Entry) {
    entries[index].records += other.records
    entries[index].mostInOne = max(entries[index].mostInOne, other.mostInOne)
  }

  /// Gives the entries of elements and attributes in namespaces their names in a schema, and removes the prefixes of their keys,
  /// except for those that tell two entries apart.
  ///
  /// - Parameter emptyPrefix: The prefix in the schema of the elements whose keys have the empty prefix.
  mutating func nameEntries(emptyPrefix: String) {
    let parts = entries.map(\.parts)
    var counts: [ExactString: Int] = [:]
    for (mark, _, local) in parts { counts[ExactString(mark + local), default: 0] += 1 }
    indices.removeAll()
    for (index, (mark, prefix, local)) in parts.enumerated() {
      if let prefix {
        let final = mark.isEmpty && prefix.isEmpty ? emptyPrefix : prefix
        let name = final.isEmpty ? local : "\(final):\(local)"
        entries[index].xmlName = name
        let isAlone = counts[ExactString(mark + local)] == 1 && !final.equals("xml")
        entries[index].key = mark + (isAlone ? local : name)
      }
      indices[ExactString(entries[index].key)] = index
    }
  }

  mutating func removeEntries() {
    entries.removeAll()
    indices.removeAll()
  }

  /// True if every dictionary has an entry.
  func isRequired(_ entry: Entry) -> Bool {
    entry.records >= (isElement ? count : dictionaries)
  }
}
