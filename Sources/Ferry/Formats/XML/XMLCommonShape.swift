/// The shape of several documents together: an element that occurs several times in one of them is a list in all of them.
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
  }

  struct Key: Hashable {
    var parent: Int
    var name: ExactString
  }

  /// The properties of the paths. The first path is that of the document.
  private var paths = [Properties()]
  private var index: [Key: Int] = [:]

  /// Creates the shape of no documents.
  init() {}

  /// Adds the shape of a document.
  mutating func add(_ document: XMLPaths) {
    var numbers = [0]
    for path in 0..<document.count {
      let found = document[path]
      if path > 0 {
        let key = Key(parent: numbers[found.parent], name: ExactString(found.name))
        if let number = index[key] {
          numbers.append(number)
        } else {
          index[key] = paths.count
          numbers.append(paths.count)
          paths.append(Properties())
        }
      }
      let number = numbers[path]
      if found.repeats { paths[number].repeats = true }
      if found.isScattered { paths[number].isScattered = true }
      if found.isMixed { paths[number].isMixed = true }
      if found.hasChildren { paths[number].hasChildren = true }
      if found.hasMarkup, path > 0 { paths[number].hasMarkup = true }
    }
  }

  /// Returns the number of a path, or nil if no document has it.
  func path(_ name: String, in parent: Int) -> Int? { index[Key(parent: parent, name: ExactString(name))] }

  subscript(path: Int) -> Properties { paths[path] }
}
