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

    /// The local name of an element of XML with a prefix; nil for other entries.
    fileprivate var localName: String? {
      guard key.utf8.first != UInt8(ascii: "@"), let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        return nil
      }
      return String(key[key.utf8.index(after: colon)...])
    }
  }

  /// The key or the element's name of the values. Elements of a list have that of the list.
  var name: String
  /// The shape of the dictionary or the list that contains the values; nil for the document.
  var parent: ShapeID?
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
  /// True if an element contains text beside elements.
  var isMixed = false
  /// The number of elements with attributes and only white space as text.
  var blankTexts = 0

  init(name: String, parent: ShapeID?) { (self.name, self.parent) = (name, parent) }

  /// Returns the index of the entry with a key, or nil if there is none. The entry at `likely` is tried first.
  func index(of key: Span<UInt8>, likely: Int) -> Int? {
    if likely < entries.count, key.equals(entries[likely].key.utf8.span) { return likely }
    return indices[ExactString(key.decodedString)]
  }

  func index(of key: String) -> Int? { indices[ExactString(key)] }

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

  /// Removes the prefixes of elements, except for those that tell two elements apart.
  mutating func removeNeedlessPrefixes() {
    guard entries.contains(where: { $0.localName != nil }) else { return }
    var counts: [ExactString: Int] = [:]
    for entry in entries { counts[ExactString(entry.localName ?? entry.key), default: 0] += 1 }
    indices.removeAll()
    for index in entries.indices {
      if let local = entries[index].localName, counts[ExactString(local)] == 1 { entries[index].key = local }
      indices[ExactString(entries[index].key)] = index
    }
  }

  mutating func setShape(_ shape: ShapeID, ofEntry index: Int) { entries[index].shape = shape }

  mutating func removeEntries() {
    entries.removeAll()
    indices.removeAll()
  }

  /// True if every dictionary has an entry.
  func isRequired(_ entry: Entry) -> Bool {
    entry.records >= (isElement ? count : dictionaries)
  }
}
