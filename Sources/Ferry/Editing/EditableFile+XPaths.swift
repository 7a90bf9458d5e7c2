// The values that XPaths select from a document of XML, to change them by their paths.

extension EditableFile {
  /// A value that an XPath selects, or that a path names.
  package struct SelectedValue: Hashable {
    /// The path of the value.
    package let path: ValuePath
    /// True if the path is that of the text of an element with attributes, and the element has no text yet.
    package var isMissingText = false
    /// True if the XPath selects the text of an element whose value is this text alone.
    package var isWholeText = false
    /// The path of the element around the value; nil for the value of a path.
    var parent: ValuePath?
    /// The list of the elements with its name in its parent, if the value is an element of it.
    var list: ElementPaths.NamedList?

    package init(path: ValuePath) { self.path = path }
  }

  /// The change of values that an XPath selects.
  package enum SelectedChange {
    /// The values are replaced as a whole.
    case replacement
    /// The texts of elements are replaced. Those with attributes keep them.
    case text
    case removal
    /// The values are new.
    case insertion
    /// The values are moved or copied.
    case transfer
    /// Other values are moved or copied there.
    case destination
  }

  /// True if an XPath can select values of the file: a document of XML with values of its own.
  package var takesXPaths: Bool {
    guard format.isOfElements, nesting == 0 else { return false }
    // The values that a document in the typed form describes have paths.
    return (try? format.isTypedDocument(source.copy, budget: options.budget)) != true
  }

  /// Returns the paths of the values that an XPath selects from the document with its changes. Returns none if it selects nothing.
  ///
  /// An insertion has a new element or attribute in each element that the XPath before the last step selects, if that is a name. Otherwise
  /// it has one before each element that the XPath selects, the last one first.
  ///
  /// - Parameter insertsMissing: True to add the path of a new value for each element in which the name of the last step is missing.
  /// - Throws: A `FerryError` with a reason of `XMLProblem`: `badXPath` or `undeclaredPrefix` for an XPath that cannot be evaluated,
  ///   `noNodes` for one with a single value, `noValues` if it selects a comment or another node without a value, `noPath` if the
  ///   value of a node has no path, or is inside another one that is to be replaced, and `noTarget` if it does not say where a new value goes.
  package func values(
    selectedBy xpath: String, for change: SelectedChange, insertsMissing: Bool = false
  ) throws(FerryError) -> [SelectedValue] {
    var values = try XPathValues(of: self)
    switch change {
    case .insertion: return try values.insertions(at: xpath)
    case .destination: return try values.destinations(at: xpath)
    case .replacement, .text, .removal, .transfer:
      if insertsMissing { return try values.valuesToSetOrInsert(at: xpath, for: change) }
      return try values.values(of: values.nodes(xpath), selectedBy: xpath, for: change)
    }
  }

  /// Returns the detected contents of the document with a text.
  func document(_ text: [UInt8]) throws(FerryError) -> DetectedInput {
    try DetectedInput(
      MemoryInput(text), named: nil, given: format, encoding: options.encoding, budget: options.budget)
  }

  /// Returns the error of an XPath that selects nothing. If the last step of an insertion is a name, the XPath before it selects nothing.
  package func nothing(
    selectedBy xpath: String, for change: SelectedChange, insertsMissing: Bool = false
  ) throws(FerryError) -> FerryError {
    var (selecting, problem) = (xpath, XMLProblem.selectsNothing(xpath))
    if insertsMissing || change.addsValues {
      switch (XPathTarget.ending(of: xpath), change) {
      case (.target(let target), _): (selecting, problem) = (target.parents, .selectsNothing(target.parents))
      case (.other, .insertion): problem = .selectsNothingToPrecede(xpath)
      default: break
      }
    }
    if !XPathExpression(selecting).elementNamesWithoutPrefix.isEmpty,
      let namespace = RootNamespace.find(in: try document(source.copy).head, budget: options.budget)
    {
      problem = .selectsNothingInNamespace(selecting, namespace: namespace)
    }
    // The values that are moved or copied exist.
    if case .destination = change { problem = .noTarget(xpath, why: "\(problem)") }
    return FerryError(.xml(problem))
  }

  /// Removes selected values, or none if one cannot be removed. An element whose text is its value, and is removed, becomes empty.
  ///
  /// - Returns: The number of removed values, without those inside other removed values.
  package func remove(_ values: [SelectedValue]) throws(FerryError) -> Int {
    let (texts, others) = (values.filter(\.isWholeText), values.filter { !$0.isWholeText })
    let removals = Self.joiningLists(others)
    let lists = removals.filter { $0.values.count > 1 }
    let counts = Dictionary(lists.map { ($0.path, $0.values.count) }) { first, _ in first }
    guard !texts.isEmpty else { return try remove(at: removals.map(\.path), counting: counts) }
    var count = 0
    try edit { file throws(FerryError) in
      for text in texts { try file.set(.string(""), at: text.path) }
      count = texts.count
      if !removals.isEmpty { count += try file.remove(at: removals.map(\.path), counting: counts) }
    }
    return count
  }

  /// Throws if values that an XPath has named as attributes have become elements, because an attribute is only a text.
  ///
  /// - Parameters:
  ///   - values: The values, after they were set, inserted, moved or copied.
  ///   - xpath: The XPath.
  package func checkAttributes(_ values: [SelectedValue], of xpath: String) throws(FerryError) {
    guard case .target(let target) = XPathTarget.ending(of: xpath), target.isAttribute, !values.isEmpty else {
      return
    }
    var document = try XPathValues(of: self)
    var owners: Set<ValuePath> = []
    for node in try document.nodes("//@\(target.qualifiedName)") {
      guard case .text(_, let owner) = node, let element = owner.element else { continue }
      // Other elements with such an attribute need no path.
      if let place = try? document.place(of: element, selectedBy: xpath) { owners.insert(place.path) }
    }
    for value in values {
      guard let parent = value.parent, !owners.contains(parent) else { continue }
      throw FerryError(.path(.cannotPut("the value", .other("an attribute is a text"))), path: parent)
    }
  }
}

extension EditableFile {
  /// A value with its path, or a list of elements of which all are selected.
  struct JoinedValues {
    let path: ValuePath
    var values: [SelectedValue]
  }

  /// Returns the values by their paths. If all elements with one name in one parent are selected, they have the path of their list: without
  /// its elements, no element of the list is to be left, not even an empty one that marks it as a list.
  static func joiningLists(_ values: [SelectedValue]) -> [JoinedValues] {
    var selected: [ValuePath: Set<ValuePath>] = [:]
    for value in values { if let list = value.list { selected[list.path, default: []].insert(value.path) } }
    var (joined, indices) = ([JoinedValues](), [ValuePath: Int]())
    var known: Set<ValuePath> = []
    for value in values where known.insert(value.path).inserted {
      guard let list = value.list, selected[list.path]?.count == list.count else {
        joined.append(JoinedValues(path: value.path, values: [value]))
        continue
      }
      if let index = indices[list.path] {
        joined[index].values.append(value)
      } else {
        indices[list.path] = joined.count
        joined.append(JoinedValues(path: list.path, values: [value]))
      }
    }
    return joined
  }
}

extension EditableFile.SelectedChange {
  /// True if values are added at the paths.
  package var addsValues: Bool {
    switch self {
    case .insertion, .destination: true
    case .replacement, .text, .removal, .transfer: false
    }
  }
}
