// The changes of a document, found by a comparison of its values with the changed ones.

extension XMLEdits {
  /// Collects the changes of the document.
  mutating func collect() throws(FerryError) {
    guard markup.text.count < XMLMarkup.sizeLimit else {
      throw FerryError(.overBudget(.textBytes(XMLMarkup.sizeLimit)))
    }
    guard !markup.elements.isEmpty else { throw unreadable }
    if let recordElement, try tree.kind(of: tree.root).isArray, try list.kind(of: list.root).isArray {
      let (old, new) = (try elements(of: tree.root, in: tree), try elements(of: list.root, in: list))
      return try compare(old, new, markup.children(of: 0, withKey: recordElement), key: recordElement)
    }
    let (old, new) = (try entries(of: tree.root, in: tree), try entries(of: list.root, in: list))
    guard let key = old.keys.first, old.keys == new.keys, old.keys.count == 1,
      let before = old.values[key], let after = new.values[key], try !list.kind(of: after).isArray
    else { throw refused("an XML document has one root element, which keeps its name") }
    try compare(before, after, element: 0, key: key)
  }

  /// Collects the changes of an element's value.
  mutating func compare(
    _ old: NodeID, _ new: NodeID, element: Int, key: [UInt8]
  ) throws(FerryError) {
    guard try isChanged(old, new) else { return }
    guard try !isCarried(new, insteadOf: old) else { return try replace(element, by: new, key: key) }
    switch (try tree.kind(of: old), try list.kind(of: new)) {
    case (.dictionary, .dictionary):
      try compareEntries(of: entries(of: old, in: tree), entries(of: new, in: list), element)
    case (let before, let after) where !before.isCollection && !after.isCollection:
      if old != new { try replaceText(of: element, by: new) }
    case (.string, .dictionary):
      let entries = try entries(of: new, in: list)
      try compareEntries(of: textEntry(of: old, besides: entries, in: element), entries, element)
    case (.dictionary, .string) where try keepsMarkup(of: element, without: new):
      // Without entries, an element is an empty text. Its comments stay.
      try compareEntries(of: entries(of: old, in: tree), Entries(), element)
    default: try replace(element, by: new, key: key)
    }
  }

  /// Returns the text of an element without attributes and children as an entry beside the entries that it gets. White space alone is
  /// an entry beside attributes. Beside elements it becomes layout, and the result is empty.
  private func textEntry(
    of text: NodeID, besides new: Entries, in element: Int
  ) throws(FerryError) -> Entries {
    let isBlank = try tree.withText(of: text) { $0.isBlank }
    let hasSpace = try isBlank ? tree.length(of: text) > 0 : false
    let staysText = hasSpace ? try addsOnlyAttributes(new, to: element) : false
    if hasSpace, !staysText, markup.elements[element].keepsSpace {
      throw refused("the white space here is text, because of xml:space")
    }
    guard !isBlank || staysText else { return Entries() }
    let key = Array("#text".utf8)
    return Entries(keys: [key], values: [key: text])
  }

  /// Returns true if an element gets an empty text as its value, and has comments or instructions, but no text, which white space would be
  /// beside them.
  private mutating func keepsMarkup(of element: Int, without new: NodeID) throws(FerryError) -> Bool {
    try list.length(of: new) == 0 && !elementsWithText.contains(element)
      && !markup.content(of: element).markup.isEmpty
  }

  /// Returns true if the entries of an element's new value are attributes, apart from its text.
  private func addsOnlyAttributes(_ new: Entries, to element: Int) throws(FerryError) -> Bool {
    let entries = markup.entries(of: element)
    for (key, node) in new.values {
      switch entries.part(of: key) {
      case .text: break
      case .attribute: if try list.kind(of: node).isCollection { return false }
      case .elements: return false
      }
    }
    return true
  }

  /// Returns true if a value is another one. A new value may be equal to the old one.
  func isChanged(_ old: NodeID, _ new: NodeID) throws(FerryError) -> Bool {
    guard old != new else { return isTouched(new) }
    let (old, new) = (try tree.builtValue(of: old), try list.builtValue(of: new))
    return old != new && old.asElements != new.asElements
  }

  /// Collects the changes of the entries of an element: its attributes, its text and its elements.
  private mutating func compareEntries(of old: Entries, _ new: Entries, _ element: Int) throws(FerryError) {
    let entries = markup.entries(of: element)
    try noteDeclarations(among: new, entries, of: element)
    let old = try renaming(old, new, entries, of: element)
    let renamed = try renamedChildren(old, new, entries)
    // Beside new elements, white space is layout and stays.
    let addsElements = new.keys.contains { key in
      guard old.values[key] == nil, renamed.elements[key] == nil else { return false }
      if case .elements = entries.part(of: key) { return true }
      return false
    }
    for key in old.keys where new.values[key] == nil {
      var part = entries.part(of: key)
      if case .elements(let children) = part, !renamed.all.isDisjoint(with: children) {
        let others = children.filter { !renamed.all.contains($0) }
        if others.isEmpty { continue }
        part = .elements(others)
      }
      if case .text = part, addsElements, !elementsWithText.contains(element) { continue }
      try remove(part, from: element)
    }
    var added: [(key: [UInt8], node: NodeID)] = []
    for key in new.keys {
      guard let after = new.values[key] else { continue }
      switch (entries.part(of: key), old.values[key]) {
      case (.elements(let children), let before) where renamed.changes(key, with: children):
        let nodes = try before.map { before throws(FerryError) in try listed(before, in: tree) } ?? []
        guard nodes.count == children.count else { throw notDeclared }
        let named = renamed.list(of: key, nodes, children)
        let values = try listed(after, in: list)
        // All children with the name may get others.
        guard !named.isEmpty else {
          added += values.map { (key, $0) }
          continue
        }
        try compare(named.map(\.node), values, named.map(\.child), key: key, renamed)
      case (.text, let before?) where addsElements:
        let mustChange = try isChanged(before, after) ? true : isOnlyText(after, of: element)
        if mustChange { try replaceText(of: element, by: after, besideElements: true) }
      case (let part, let before?): try compare(before, after, under: key, at: part, in: element)
      case (.text, nil): try replaceText(of: element, by: after, besideElements: addsElements)
      case (.attribute, nil) where try !list.kind(of: after).isCollection:
        try insertAttribute(key, after, into: element)
      // An attribute is a text, and another value has an element.
      case (.attribute, nil), (.elements, nil): added += try listed(after, in: list).map { (key, $0) }
      }
    }
    if !added.isEmpty {
      try insert(added, into: element)
    } else if !changes[element].textBeforeElements.isEmpty {
      fill(element, with: changes[element].textBeforeElements)
    }
  }

  /// Notes the prefixes that the attributes of an element declare.
  private mutating func noteDeclarations(
    among new: Entries, _ entries: XMLMarkup.Entries, of element: Int
  ) throws(FerryError) {
    for key in new.keys where key.starts(with: "@xmlns:".utf8) {
      guard case .attribute = entries.part(of: key), let node = new.values[key],
        try !list.kind(of: node).isCollection
      else { continue }
      prefixes.declare(Array(key.dropFirst("@xmlns:".utf8.count)), in: element)
    }
  }

  /// Collects the changes of the value under a key.
  private mutating func compare(
    _ old: NodeID, _ new: NodeID, under key: [UInt8], at part: XMLMarkup.Entries.Part, in element: Int
  ) throws(FerryError) {
    switch part {
    case .attribute(let attribute):
      guard try isChanged(old, new) else { return }
      // A declaration in the document type may give a value to an attribute that is not there.
      guard let attribute else { return try insertAttribute(key, new, into: element) }
      let quote = markup.text[attribute.value.upperBound]
      try edits.append(ByteEdit(range: attribute.value, text: attributeText(of: new, in: quote)))
    case .text:
      if try isChanged(old, new) { try replaceText(of: element, by: new) }
    case .elements(let children):
      try compare(listed(old, in: tree), listed(new, in: list), children, key: key)
    }
  }

  /// Collects the changes of elements with one name.
  ///
  /// - Parameter renamed: The children that get other names. Those among the elements have another name now.
  private mutating func compare(
    _ old: [NodeID], _ new: [NodeID], _ children: [Int], key: [UInt8],
    _ renamed: RenamedChildren = RenamedChildren()
  ) throws(FerryError) {
    // Elements from the text of an entity have no place in the document.
    guard old.count == children.count else {
      guard old == new, new.allSatisfy({ !isTouched($0) }) else { throw notDeclared }
      return
    }
    if old.count == new.count, !hasMoved(new, among: old) {
      for index in old.indices {
        rename(children[index], renamed)
        try compare(old[index], new[index], element: children[index], key: key)
      }
      return
    }
    let oldNodes = Set(old)
    var newNodes = new
    for (index, node) in new.enumerated() where !oldNodes.contains(node) {
      if let origin = list.original(of: node), oldNodes.contains(origin) { newNodes[index] = origin }
    }
    let common = oldNodes.intersection(newNodes)
    let steps = ListStep.steps(
      from: old, to: new, try identities(of: old, in: tree, common),
      try identities(of: newNodes, in: list, common))
    // A child with another name so far may be removed, with the white space before it.
    let first = children.first { renamed.names[$0] == nil } ?? children[0]
    var anchor: Int?
    for step in steps {
      switch step {
      case .replace(let from, let to) where renamed.names[children[from]] != nil:
        changes[children[from]].isRemoved = true
        try insert(new[to..<to + 1].map { (key, $0) }, after: anchor, before: first)
      case .keep(let from, let to), .replace(let from, let to):
        rename(children[from], renamed)
        try compare(old[from], new[to], element: children[from], key: key)
        anchor = children[from]
      case .remove(let range): for child in children[range] { changes[child].isRemoved = true }
      case .insert(let range): try insert(new[range].map { (key, $0) }, after: anchor, before: first)
      }
    }
  }

  /// Returns true if an element of a list has the node or the text of an element with another index.
  private func hasMoved(_ new: [NodeID], among old: [NodeID]) -> Bool {
    guard old != new else { return false }
    let indices = Dictionary(zip(old, old.indices)) { first, _ in first }
    for (index, node) in new.enumerated() where node != old[index] {
      let origin = indices[node] == nil ? list.original(of: node) : node
      if let origin, let other = indices[origin], other != index { return true }
    }
    return false
  }

  /// The identity of an element in a list: its node if that is in both lists, or else its value.
  private enum Identity: Hashable {
    case node(NodeID)
    case value(Value)
  }

  /// Returns the identities of the elements of a list.
  private func identities(
    of list: [NodeID], in nodes: any PropertyListNodes, _ common: Set<NodeID>
  ) throws(FerryError) -> [Identity] {
    var identities: [Identity] = []
    for node in list {
      identities.append(common.contains(node) ? .node(node) : .value(try nodes.builtValue(of: node)))
    }
    return identities
  }
}
