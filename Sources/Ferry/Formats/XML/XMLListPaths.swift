/// The elements that are always lists, by the ends of their paths: `author`, `book.author`, `book.*`, `*`.
struct XMLListPaths {
  /// The keys of each path, the innermost first. Nil is any key.
  private let paths: [[ExactString?]]

  init(_ paths: [ValuePath]) {
    self.paths = paths.map { path in
      path.steps.reversed().map { step in
        guard case .key(let key) = step else { return ExactString("") }
        return key.equals(Self.anyName) ? nil : ExactString(key)
      }
    }
  }

  /// The key in a path that matches any name.
  static let anyName = "*"

  var isEmpty: Bool { paths.isEmpty }

  /// Returns the indices of the paths in which an element's path ends.
  ///
  /// - Parameter keys: The keys of the element and of those around it, the innermost first.
  func indices(endingIn keys: [[UInt8]]) -> [Int] {
    paths.indices.filter { index in
      let path = paths[index]
      return path.count <= keys.count
        && zip(path, keys).allSatisfy { wanted, key in
          wanted?.string.utf8.elementsEqual(key) ?? true
        }
    }
  }

  /// Returns true if a path names the elements, and does not end in the key that matches any name.
  func isNamed(_ index: Int) -> Bool { paths[index].first.map { $0 != nil } ?? true }
}
