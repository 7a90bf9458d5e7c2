extension XMLPaths {
  /// A path of element names, with the properties of the elements that have it.
  struct Path {
    /// The name in the style of the options. `key` is the name as a key.
    var name: String
    /// The number of the name as it occurred last, and of its table, by which names are compared faster than as text.
    var lastNumber = -1
    var lastTable = -1
    var key: [UInt8]
    var parent: Int
    /// True if somewhere two elements with this path have the same parent, or if it is always a list.
    var repeats = false
    /// True if somewhere two elements with this path have the same parent.
    var recurs = false
    /// True if the options make it a list everywhere.
    var isAlwaysList = false
    /// True if the options make it a list everywhere by its name, and not by one that matches any name.
    var isNamedList = false
    /// The number of the path in the common shape of several documents, or nil if they do not have it.
    var common: Int?
    /// True if an element with this path has attributes or children.
    var isDictionary = false
    /// True if every byte of the key is less than 0x80.
    var isKeyASCII = false
    /// True if the key has no control characters, quotation marks or backslashes.
    var isKeyPlain = false
    /// True if the key has the bytes of the name in the last tag, so that it can be taken from the input.
    var isKeyWritten = false
    /// True if somewhere children of an element with this path that have one name are not beside each other.
    var isScattered = false
    /// True if somewhere an element with this path contains text beside elements, or beside comments or instructions that
    /// count like elements.
    var isMixed = false
    /// True if an element with this path contains elements.
    var hasChildren = false
    /// True if an element with this path contains markup that is a part of its contents.
    var hasMarkup = false
    /// The kind of reserved key that the key is in a dictionary; nil for the key of an element.
    var reserved: XMLReservedKey?
    /// True if a reader of a dictionary would take the key of some element with this path for this reserved key: for the contents if the
    /// elements are a list, and for any other reserved key if they are single.
    var mayBeMisread = false
    /// The number of paths of children that a reader of a dictionary would take for something else.
    var misreadChildren = 0
    /// True if the children are put together by name in spite of their order.
    var isGrouped = false
    /// The number of the last parent of an element with this path. Elements are counted in document order.
    var lastParent = -1
    /// The number of the first element with this path in that parent, and true if attributes mark it as the first of a list. Only
    /// known in a document that was written with types.
    var firstElement = -1
    var isFirstMarked = false
    /// The number of the document for which these properties were found.
    var document = 0
    /// True if the elements with this path were a list in one of the earlier documents, and if they were single in one.
    fileprivate(set) var wasList = false, wasSingle = false
    /// The paths that last followed as the first child and as the next sibling. They are tried first.
    var firstChild = 0
    var nextSibling = 0

    /// Forgets the properties found for another document.
    ///
    /// - Parameter common: The properties in the common shape of several documents.
    mutating func begin(document: Int, _ common: XMLCommonShape.Properties) {
      recurs = common.repeats
      repeats = isAlwaysList || recurs
      isDictionary = false
      (isScattered, isMixed) = (common.isScattered, common.isMixed)
      (hasChildren, hasMarkup) = (common.hasChildren, common.hasMarkup)
      (mayBeMisread, misreadChildren) = (false, 0)
      lastParent = -1
      self.document = document
    }

    /// Notes an occurrence in an element. Returns true if the element contains another one.
    @inline(__always)
    mutating func occur(in element: Int) -> Bool {
      defer { lastParent = element }
      guard lastParent == element else { return false }
      (recurs, repeats) = (true, true)
      return true
    }

    /// True if the contents of the elements are entries of a dictionary in their order, and the key has no meaning of its own.
    @inline(__always)
    var isPlain: Bool { !isScattered && !isMixed && !hasMarkup && misreadChildren == 0 && reserved == nil }

    /// True if the elements may be the records of a document: if they are a list, and not only because all elements are.
    var mayBeRecords: Bool { (recurs || isNamedList) && isDictionary }

    /// Returns true if the contents of the elements are a list in document order.
    @inline(__always)
    func isOrdered(_ order: XMLOrder, isDocument: Bool) -> Bool {
      guard !isGrouped else { return false }
      switch order {
      case .never: return hasMarkup
      case .needed: return hasMarkup || isMixed || isScattered || misreadChildren > 0
      case .always: return hasMarkup || hasChildren && !isDocument
      }
    }

    /// Returns true if the elements with the path are sent in the same form as those with another one.
    func hasForm(of other: Path) -> Bool { form == other.form }

    /// The form in which the elements with the path are sent.
    var form: XMLPathForms.Form {
      XMLPathForms.Form(
        repeats: repeats, isScattered: isScattered, isMixed: isMixed, hasMarkup: hasMarkup,
        misreadChildren: misreadChildren)
    }

    /// Returns true if a name is the one that occurred last, by its number and its table.
    func isLast(_ number: Int, _ table: Int) -> Bool { lastNumber == number && lastTable == table }
  }
}

// MARK: - Forms

extension XMLPaths.Path {
  /// Notes the form that the elements have had in a document.
  mutating func noteForm() {
    if repeats { wasList = true } else { wasSingle = true }
  }
}

/// The form in which the elements with a path are sent.
extension XMLPaths {
  /// Returns true if the elements with a path are sent as lists. In a document with marked lists, only some may be.
  func isList(_ path: Int) -> Bool { self[path].repeats && !marksLists }

  /// Returns true if a list is sent that begins with an element.
  ///
  /// - Parameter element: The number of the element. Elements are counted from 1 in document order.
  func isList(_ path: Int, beginningWith element: Int) -> Bool {
    marksLists ? unmarkedLists.contains(element) : self[path].repeats
  }

  /// Returns true if all elements with a path in one parent are sent as a list, after they were put together.
  ///
  /// - Parameter count: The number of these elements.
  func isList(_ path: Int, of count: Int) -> Bool { marksLists ? count > 1 : self[path].repeats }

  /// Returns true if the children of the elements with a path are put together by name.
  func isReordered(_ path: Int) -> Bool { self[path].isScattered }

  /// Returns true if the contents of single elements with a path may be a list in document order.
  func mayBeOrdered(_ path: Int) -> Bool { order != .never && !self[path].isGrouped }

  /// Returns true if the contents of the elements with a path are a list in document order.
  func isOrdered(_ path: Int) -> Bool {
    paths[path].isOrdered(order, isDocument: path == 0)
  }
}
