/// The shape of several documents together: an element that occurs several times in one of them is a list in all of them. Files that are
/// converted one by one with it get values of one type, which programs can decode alike.
///
///     var conversion = Conversion(to: .json)
///     conversion.noteCommonShape(ofFiles: ["a.xml", "b.xml"])
public struct XMLCommonShape: Hashable, Sendable {
  /// The properties of a path of elements that some document has.
  struct Properties: Hashable, Sendable {
    var repeats = false
    var isScattered = false
    var isMixed = false
    var hasChildren = false
    var hasMarkup = false
    /// True if an element with the path has attributes or children.
    var isDictionary = false
    /// True if a root element with the path has attributes, children or text.
    var isFilled = false
  }

  /// The children of the root elements with one name that may be the records of their documents.
  private struct Candidates: Equatable {
    /// The paths of the elements that are a list of records in a document.
    var lists: Set<Int> = []
    /// The paths of elements that are records if there is no such list: those that are a list in one document and have attributes or children
    /// in another one.
    var others: Set<Int> = []
    /// The paths of elements that are the only child of a root element, which are records, too, unless the root elements are.
    var onlyChildren: Set<Int> = []
    /// True if such a root element has attributes or text.
    var haveContentsBeside = false
    /// The number of documents with the root element.
    var documentCount = 0

    /// True if the root elements are records: several have at most one child, and some have attributes or text, too.
    var haveRecordsAsRoots: Bool {
      documentCount > 1 && haveContentsBeside && lists.isEmpty && others.isEmpty && onlyChildren.count == 1
    }

    /// Returns the path of the records; nil if no path, or more than one, may be theirs.
    func record(rootMayBeRecord: Bool) -> Int? {
      if rootMayBeRecord, haveRecordsAsRoots { return nil }
      let found = lists.isEmpty ? others.union(onlyChildren) : lists
      return found.count == 1 ? found.first : nil
    }
  }

  private struct Key: Hashable {
    var parent: Int
    var name: ExactString
  }

  /// The properties of the paths. The first path is that of the document.
  private var paths = [Properties()]
  private var keys = [Key(parent: 0, name: ExactString(""))]
  /// The numbers of the paths by their parents and names.
  private var index = HashedNumbers()
  /// The candidates for the records by the paths of the root elements.
  private var candidates: [Int: Candidates] = [:]
  /// The number of documents.
  private(set) var documentCount = 0
  /// True if the values of other inputs, which are not XML or can be read only once, are used together with those of the documents.
  var hasOtherInputs = false

  /// Creates the shape of no documents.
  init() {}

  /// Adds the shape of a document.
  mutating func add(_ document: XMLPaths) {
    documentCount += 1
    var numbers = [0]
    let hasOnlyChild = document.children(of: 1).count == 1
    for path in 0..<document.count {
      let found = document[path]
      if path > 0 {
        numbers.append(number(ofPath: found.name, in: numbers[found.parent]))
      }
      let number = numbers[path]
      if found.recurs { paths[number].repeats = true }
      if found.isScattered { paths[number].isScattered = true }
      if found.isMixed { paths[number].isMixed = true }
      if found.hasChildren { paths[number].hasChildren = true }
      if found.hasMarkup, path > 0 { paths[number].hasMarkup = true }
      if path == 1 {
        if !document.hasEmptyRoot { paths[number].isFilled = true }
        candidates[number, default: Candidates()].documentCount += 1
        if hasOnlyChild, document.hasContentsBesideChildren {
          candidates[number, default: Candidates()].haveContentsBeside = true
        }
      }
      if path > 1, found.parent == 1 { addChildOfRoot(number, found, isOnly: hasOnlyChild) }
    }
  }

  /// Adds the elements that are children of a root element and have one name.
  private mutating func addChildOfRoot(_ number: Int, _ found: XMLPaths.Path, isOnly: Bool) {
    if found.isDictionary { paths[number].isDictionary = true }
    let root = keys[number].parent
    if found.mayBeRecords { candidates[root, default: Candidates()].lists.insert(number) }
    if paths[number].repeats && paths[number].isDictionary {
      candidates[root, default: Candidates()].others.insert(number)
    }
    if found.isDictionary && isOnly { candidates[root, default: Candidates()].onlyChildren.insert(number) }
  }

  /// Returns the name of the elements that are the records of the documents with a root element, which is the same in each of them: that of
  /// the only list. Returns nil if no element or several may be the records.
  ///
  /// - Parameter rootMayBeRecord: True if the root elements may be the records themselves.
  func nameOfRecords(inRoot root: Int, rootMayBeRecord: Bool) -> String? {
    candidates[root]?.record(rootMayBeRecord: rootMayBeRecord).map { keys[$0].name.string }
  }

  /// Returns true if the root elements with a path are the records of their documents.
  func hasRecords(asRoots root: Int) -> Bool { candidates[root]?.haveRecordsAsRoots == true }

  /// Returns the number of a path, or nil if no document has it.
  func path(_ name: String, in parent: Int) -> Int? {
    guard var probe = index.search(for: Self.hash(of: name, in: parent)) else { return nil }
    return known(name, in: parent, at: &probe)
  }

  /// Returns the number of a path, which is added if no document before had it.
  private mutating func number(ofPath name: String, in parent: Int) -> Int {
    var probe = index.probe(for: Self.hash(of: name, in: parent))
    if let known = known(name, in: parent, at: &probe) { return known }
    index.add(paths.count, at: probe)
    paths.append(Properties())
    keys.append(Key(parent: parent, name: ExactString(name)))
    return paths.count - 1
  }

  /// Returns the number of a path that was added before. Advances the probe to the end if there is none.
  private func known(_ name: String, in parent: Int, at probe: inout HashedNumbers.Probe) -> Int? {
    while let number = index.next(at: &probe) {
      if keys[number].parent == parent, keys[number].name.string.equals(name) { return number }
    }
    return nil
  }

  private static func hash(of name: String, in parent: Int) -> UInt64 {
    WordHash.hash(of: name.utf8.span.hashOfBytes, UInt64(parent))
  }

  subscript(path: Int) -> Properties { paths[path] }

  /// True if each input is a document with nothing but the same empty root element, such as `<people/>`.
  var isAlwaysEmpty: Bool { paths.count == 2 && !paths[1].isFilled && !hasOtherInputs }

  /// Returns true if both are the shape of the same paths, with the same properties.
  public static func == (a: XMLCommonShape, b: XMLCommonShape) -> Bool {
    a.keys == b.keys && a.paths == b.paths && a.candidates == b.candidates
      && a.isAlwaysEmpty == b.isAlwaysEmpty
  }

  /// Hashes the paths with their properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
    hasher.combine(paths)
  }
}
