/// The forms of the elements with paths that the beginning of a document lacks, in parts of the document.
///
/// The values of the elements in a part have the form that the part shows. It is that of the whole document if all parts with a path
/// show the same one:
///
///     <person><tag/></person>              tag is single
///     <person><tag/><tag/></person>        tag is a list, also in the part above
struct XMLPathForms: Sendable {
  /// The form in which the elements with a path are sent.
  struct Form: Equatable, Sendable {
    var repeats: Bool
    var isScattered: Bool
    var isMixed: Bool
    var hasMarkup: Bool
    var misreadChildren: Int
  }

  /// The forms by the names on the path, the innermost first.
  private var forms: [[[UInt8]]: Form] = [:]

  /// The number of paths.
  var count: Int { forms.count }

  /// Adds a path.
  fileprivate mutating func add(_ names: [[UInt8]], _ form: Form) { forms[names] = form }

  /// Adds the paths of another part. Returns false if elements have another form in it.
  mutating func add(_ other: XMLPathForms) -> Bool {
    for (names, form) in other.forms {
      guard forms[names] ?? form == form else { return false }
      forms[names] = form
    }
    return true
  }
}

extension XMLPaths {
  /// The path of the root element's children, if these are a list and its only contents; otherwise nil. It is also nil if the root element has
  /// attributes, declarations or markup that is a part of its contents, or if the document has types or reserved keys.
  ///
  /// Comments and instructions that are not a part of the contents are losses.
  var onlyListInRoot: Int? {
    guard count > 2, hasPlainForms, !hasAttributesInRoot, declarationsOfRoot.isEmpty, !hasTextInRoot,
      !hasCDATAInRoot, !isOrdered(0), !isOrdered(1), !isReordered(1)
    else { return nil }
    let children = children(of: 1)
    return children.count == 1 && self[children[0]].repeats ? children[0] : nil
  }

  /// Returns the forms of the elements with the paths after the first ones.
  ///
  /// - Parameter count: The number of first paths.
  func forms(ofPathsAfter count: Int) -> XMLPathForms {
    var forms = XMLPathForms()
    for path in count..<self.count { forms.add(names(of: path), self[path].form) }
    return forms
  }

  /// Returns the names on a path, the innermost first.
  private func names(of path: Int) -> [[UInt8]] {
    var (names, path) = ([[UInt8]](), path)
    while path != 0 {
      names.append(Array(self[path].name.utf8))
      path = self[path].parent
    }
    return names
  }
}
