/// An element with its contents in memory, in document order.
final class ElementFragment: ElementDelegate {
  struct Element {
    var name: String
    var attributes: [(name: String, value: [UInt8])] = []
    /// The namespace declarations, by prefix; the default namespace has an empty one.
    var declarations: [(prefix: String, namespace: [UInt8])] = []
    var children: [Int] = []
    /// The text directly inside the element.
    var text: [UInt8] = []
    /// True if white space beside its children is content, because of `xml:space` or a CDATA section.
    var keepsSpace = false
  }

  /// The elements in document order. The first one is the root element.
  private(set) var elements: [Element] = []
  private var open: [Int] = []
  private var space = SpaceScopes(keepsSpace: false)

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? { self }

  override func didStart(_ element: borrowing XMLStartTag) {
    var new = Element(name: element.name.qualified)
    space.open(element)
    new.keepsSpace = space.keepsSpace
    for index in 0..<element.attributeCount {
      let value = [UInt8](copying: element.attributeValue(index).utf8)
      new.attributes.append((element.attributeName(index).qualified, value))
    }
    for index in 0..<element.declarationCount {
      let name = element.declarationName(index)
      let namespace = [UInt8](copying: element.declarationValue(index).utf8)
      new.declarations.append((name.prefix == nil ? "" : name.local, namespace))
    }
    if let parent = open.last { elements[parent].children.append(elements.count) }
    open.append(elements.count)
    elements.append(new)
  }

  override func text(_ text: BorrowedText) {
    if let last = open.last { elements[last].text.append(copying: text.utf8) }
  }

  override func cdata(_ text: BorrowedText) {
    if let last = open.last { elements[last].keepsSpace = true }
    self.text(text)
  }

  override func didEnd() {
    if open.popLast() != nil { space.close() }
  }

  /// Returns the children of an element by their names, in the order of first occurrence.
  func groups(in element: Int) -> (groups: [(name: String, elements: [Int])], isScattered: Bool) {
    var groups: [(name: String, elements: [Int])] = []
    var index: [ExactString: Int] = [:]
    var (isScattered, last) = (false, -1)
    for child in elements[element].children {
      let name = elements[child].name
      if let group = index[name] {
        if group != last { isScattered = true }
        groups[group].elements.append(child)
        last = group
      } else {
        index[name] = groups.count
        last = groups.count
        groups.append((name, [child]))
      }
    }
    return (groups, isScattered)
  }
}
