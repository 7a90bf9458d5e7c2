/// The keys of child elements that begin with `@`, as those of attributes do, and the children beside which an attribute may have
/// the same key.
///
///     <a id="1"><_x0040_id>2</_x0040_id></a>      {"a": {"@id": "1", "#content": [{"@id": "2"}]}}
///
/// The contents of such an element are sent as a list, because a dictionary has each key once. The reader of the values compares
/// the keys.
struct KeysLikeAttributes {
  /// A child whose key may be that of an attribute beside it.
  struct Child: Hashable {
    /// The number of the element around the child.
    var element: Int
    var key: [UInt8]
  }

  /// The keys of children, with the number of elements before the first child with the key.
  private var firsts: [[UInt8]: Int] = [:]
  /// The keys that attributes of open elements share with such children, with the number of each element, the innermost last.
  private var shared: [(owner: Int, keys: Set<[UInt8]>)] = []
  /// The children beside which an attribute may have their key.
  private(set) var children: Set<Child> = []

  /// True if no child has a key that begins with `@`.
  var isEmpty: Bool { firsts.isEmpty }

  /// True if an element may have a child with the key of one of its attributes.
  var hasChildren: Bool { !children.isEmpty }

  /// Returns true if an element has a child with the key of one of its attributes.
  ///
  /// - Parameter element: The number of the element. Elements are counted from 1 in document order.
  func hasChild(withKeyOf attribute: [UInt8], in element: Int) -> Bool {
    children.contains(Child(element: element, key: attribute))
  }

  /// Notes the key of a child, and the child if an attribute beside it may have the key.
  ///
  /// - Parameters:
  ///   - element: The number of the element around the child.
  ///   - hasAttributes: True if that element has attributes or declarations.
  ///   - count: The number of elements before the child.
  mutating func note(_ key: [UInt8], ofChildIn element: Int, hasAttributes: Bool, after count: Int) {
    let first = firsts[key] ?? count
    firsts[key] = first
    guard hasAttributes else { return }
    // The attributes of an element that began before the first child with the key were not compared with it.
    if element > first {
      guard let last = shared.last, last.owner == element, last.keys.contains(key) else { return }
    }
    children.insert(Child(element: element, key: key))
  }

  /// Notes the key of an attribute, or a declaration, of the innermost element, if a child of an earlier element has it.
  mutating func note(_ key: [UInt8], ofAttributeIn element: Int) {
    guard firsts[key] != nil else { return }
    if shared.last?.owner != element { shared.append((element, [])) }
    shared[shared.count - 1].keys.insert(key)
  }

  /// Notes that the innermost element ends.
  mutating func end(_ element: Int) {
    if shared.last?.owner == element { shared.removeLast() }
  }

  /// Forgets all keys, before another document.
  mutating func removeAll() {
    if !firsts.isEmpty { firsts = [:] }
    if !shared.isEmpty { shared = [] }
    if !children.isEmpty { children = [] }
  }
}
