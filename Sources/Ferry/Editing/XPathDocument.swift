/// A document of XML with its changes, in which XPaths select values. It is read again after a change, unless the change has only replaced
/// texts that are known in the document: reading it for each of many XPaths would take quadratic time.
final class XPathDocument {
  let tree: XMLTree
  var paths: ElementPaths
  /// The number of changes of the values that the document has.
  private var changeCount: Int
  /// True if the text of each value is that of its element or attribute.
  private let hasPlainTexts: Bool
  /// The texts in the document of values that XPaths have selected.
  private var texts: [ValuePath: XMLTextOwner] = [:]

  fileprivate init(of file: EditableFile) throws(FerryError) {
    let text = try file.contents(losses: LossReport())
    let reader = try XMLTreeReader(budget: file.options.budget, entities: file.options.xml.entities)
    try reader.readAll(file.document(text).input)
    tree = try reader.tree()
    let record = file.elementSchema(of: text)?.record.element
    paths = ElementPaths(
      in: file.list, hasRootElement: record == nil ? try file.hasRootElement() : false, recordElement: record)
    hasPlainTexts = record == nil && !tree.hasDoctype && (try? file.hasElementTypes()) == false
    changeCount = file.list.changeCount
  }

  /// Returns true if the document has all changes of the values.
  fileprivate func isCurrent(in list: EditedPropertyList) -> Bool { changeCount == list.changeCount }

  /// Notes a selected value, and the node that has its text.
  func note(_ value: EditableFile.SelectedValue, _ node: XMLTreeNode) {
    guard hasPlainTexts, !value.isMissingText else { return }
    switch node {
    case .element(let element): texts[value.path] = element.onlyText
    case .text(_, let owner): texts[value.path] = owner
    case .other: break
    }
  }

  /// A text in the document, with the value that it has before a change.
  fileprivate struct KnownText {
    let owner: XMLTextOwner
    let element: XMLTreeElement
    let walk: EditableFile.Walk
  }

  /// Returns the text of a selected value; nil if the document cannot replace it.
  fileprivate func text(of value: EditableFile.SelectedValue, in file: EditableFile) -> KnownText? {
    guard let owner = texts[value.path], let element = owner.element,
      let walk = try? file.walk(to: value.path), walk.endsAtNode,
      (try? file.list.kind(of: walk.location.node)) == .string
    else { return nil }
    return KnownText(owner: owner, element: element, walk: walk)
  }

  /// Replaces a text after a change of its value, if the change has replaced nothing else and the text is written as it is.
  fileprivate func update(_ text: KnownText, after walk: EditableFile.Walk, in file: EditableFile) {
    let nodes = walk.passed.map(\.node)
    guard changeCount + 1 == file.list.changeCount, walk.endsAtNode,
      nodes == text.walk.passed.map(\.node),
      (try? file.list.kind(of: walk.location.node)) == .string,
      let new = try? file.list.withText(of: walk.location.node, { [UInt8](copying: $0.utf8) }),
      new.isPlainXMLText,
      paths.hasPlaces(around: text.element, among: Set(nodes + [file.list.root])),
      text.owner.replaceText(by: new)
    else { return }
    paths.note(walk.location.node, at: walk.path, of: text.element)
    changeCount = file.list.changeCount
  }
}

extension EditableFile {
  /// Returns the document with all changes, to evaluate XPaths.
  func documentForXPaths() throws(FerryError) -> XPathDocument {
    if let xpathDocument, xpathDocument.isCurrent(in: list) { return xpathDocument }
    // The earlier document takes memory.
    xpathDocument = nil
    let document = try XPathDocument(of: self)
    xpathDocument = document
    return document
  }

  /// Changes a value that an XPath has selected. If only its text changes, the next XPath does not read the document again.
  ///
  /// - Parameter change: Makes the change.
  package func change<Result>(
    _ value: SelectedValue, _ change: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    guard let document = xpathDocument, document.isCurrent(in: list),
      let text = document.text(of: value, in: self)
    else { return try change() }
    let result = try change()
    if let walk = try? walk(to: value.path) { document.update(text, after: walk, in: self) }
    return result
  }
}

extension [UInt8] {
  /// True for characters that XML has as they are, without white space at the beginning and the end, and nothing that may be an escape. Other
  /// texts may be plain, too.
  fileprivate var isPlainXMLText: Bool {
    guard let first, let last, first != UInt8(ascii: " "), last != UInt8(ascii: " ") else { return false }
    // The first bytes of the characters among which are line ends, controls and those that XML does not have.
    let isPlain = allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != 0xc2 && $0 != 0xe2 && $0 != 0xef }
    return isPlain && !contains { $0 == UInt8(ascii: "_") }
  }
}
