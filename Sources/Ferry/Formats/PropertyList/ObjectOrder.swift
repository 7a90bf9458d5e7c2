/// The order of the objects in a binary property list, and the object number of each node, by
/// CoreFoundation's rules.
///
/// Values are numbered depth first: a dictionary, then all its keys, then all its values; an array, then its
/// elements. Each occurrence of a collection, a boolean or a UID is a new object. A string, number, date or
/// data is a new object unless it shares an earlier object. References are to the first of several equal
/// objects. For example, `[true, true]` becomes
///
///     object 0   array of object 1, object 1
///     object 1   true
///     object 2   true, without a reference
///
/// A `BinaryLayout` changes these rules.
struct ObjectOrder<Nodes: PropertyListNodes> {
  /// The node of each object.
  private(set) var nodes: OrderedNodes
  /// The object number that references to each node use. Empty if the order ends with the first node whose number is changed.
  var numbers: [UInt32] { numberOfNode.all }
  /// The scalars that do not follow the sharing rule.
  var deviations: [SharingDeviation] { scalars.deviations }

  /// Returns, for each scalar that an edit added and that shares an object, the node of the scalar that it
  /// shares with. Afterward, the order must not be used any more.
  mutating func sharedNewScalars() throws(FerryError) -> [NodeID: NodeID] { try scalars.sharedNewScalars() }

  private let tree: Nodes
  private let layout: BinaryLayout
  /// The sharing of scalars, with the habits learned from a file.
  private(set) var scalars: ScalarSharing<Nodes>
  private var numberOfNode: NodeNumbers
  private var references = FirstReferences()
  private let room: NodeRoom
  /// The objects of the first false and of the first true.
  private var firstBooleans: (no: UInt32?, yes: UInt32?)
  private var firstEmptyArray: UInt32?
  private static var none: UInt32 { NodeNumbers.none }

  /// A collection whose children are being numbered.
  private struct Frame {
    /// The range of its children in `children`.
    let children: Range<Int>
    let isDictionary: Bool
    /// The role of the elements, for sharing.
    var role = ScalarSharing<Nodes>.Role.element
    var next = 0
  }

  private var frames: [Frame] = []
  /// The children of all frames: elements, or keys and then values.
  private var children: [NodeID] = []
  /// For each node that is a key, the role of its values plus one, or 0 if it is unknown.
  private var rolesOfValues: [UInt8] = []
  /// The references and bytes that may still be visited.
  private var rest: Int
  /// True if every node so far has its own number as object number, as in a file that has this layout.
  private(set) var keepsNumbers = true
  /// True if two of the nodes are equal UIDs, and the layout is not that of a file in which each is an object.
  private(set) var hasEqualReferences = false
  /// True if two of the nodes are equal booleans, and the layout is not that of a file in which each is an object.
  private(set) var hasEqualBooleans = false

  /// Finds the order of a tree's nodes.
  ///
  /// - Parameters:
  ///   - tree: The nodes.
  ///   - layout: The properties that the values do not determine.
  ///   - sharing: The source of the decisions on shared scalars.
  ///   - onlyIfKept: Pass true to stop at the first node whose object number differs from its node number.
  ///     `keepsNumbers` is false then, and the order is incomplete.
  init(
    of tree: Nodes, layout: BinaryLayout, sharing: ScalarSharing<Nodes>.Source, onlyIfKept: Bool = false
  ) throws(FerryError) {
    self.tree = tree
    self.layout = layout
    room = NodeRoom(mayEndEarly: onlyIfKept)
    numberOfNode = NodeNumbers(areKept: onlyIfKept)
    nodes = OrderedNodes(areKept: onlyIfKept)
    scalars = ScalarSharing(of: tree, rule: ScalarRule(layout.rule), from: sharing)
    rest = tree.visitLimit
    try add(tree.root, .value)
    while keepsNumbers || !onlyIfKept, let top = frames.indices.last {
      let frame = frames[top]
      var next = frame.next
      // The children up to the first collection, whose children come before the next ones.
      while next < frame.children.count, frames.count == top + 1, keepsNumbers || !onlyIfKept {
        if frame.isDictionary {
          try addEntryPart(next, of: frame.children)
        } else {
          try add(children[frame.children.lowerBound + next], frame.role)
        }
        next += 1
      }
      frames[top].next = next
      guard next == frame.children.count, frames.count == top + 1 else { continue }
      children.removeLast(frame.children.count)
      frames.removeLast()
    }
  }

  /// Adds a key or a value of a dictionary.
  private mutating func addEntryPart(_ part: Int, of range: Range<Int>) throws(FerryError) {
    let count = range.count / 2
    let isKey = layout.isInPairs ? part.isMultiple(of: 2) : part < count
    let index = range.lowerBound + (layout.isInPairs ? part / 2 : isKey ? part : part - count)
    guard !isKey else { return try add(children[index], .key) }
    let role = scalars.learns ? try role(ofValuesFor: children[index]) : .value
    try add(children[index + count], role)
  }

  /// Returns the role of the values of a key in an archive, or of the elements of these values.
  private mutating func role(ofValuesFor key: NodeID) throws(FerryError) -> ScalarRole {
    if key.index >= rolesOfValues.count {
      rolesOfValues.fill(to: room.size(for: key, of: tree.nodeCount), with: 0)
    }
    if let known = ScalarRole(rawValue: Int(rolesOfValues[key.index]) - 1) { return known }
    let role = try findRole(ofValuesFor: key)
    rolesOfValues[key.index] = UInt8(role.rawValue + 1)
    return role
  }

  private func findRole(ofValuesFor key: NodeID) throws(FerryError) -> ScalarRole {
    if try tree.isString(key, "$classname") { return .className }
    if try tree.isString(key, "$classes") { return .chain }
    return try tree.isString(key, "$objects") ? .object : .value
  }

  private mutating func add(_ node: NodeID, _ role: ScalarSharing<Nodes>.Role) throws(FerryError) {
    guard nodes.count < Int(Self.none) else {
      throw FerryError(.overBudget(.values(Int(UInt32.max))))
    }
    let number = UInt32(nodes.count)
    if node.index >= numberOfNode.count {
      numberOfNode.fill(to: room.size(for: node, of: tree.nodeCount))
      nodes.reserveCapacity(numberOfNode.count)
    }
    defer { if numberOfNode[node.index] != node.index { keepsNumbers = false } }
    switch try tree.outline(of: node) {
    case .array(0) where layout.sharesEmptyArrays:
      numberOfNode[node.index] = firstEmptyArray ?? number
      guard firstEmptyArray == nil else { return }
      firstEmptyArray = number
    case .array(let count), .set(let count):
      guard numberOfNode[node.index] == Self.none else { return }
      try spend(count)
      try open(node, isDictionary: false, role == .chain || role == .object ? role : .element)
      numberOfNode[node.index] = number
    case .dictionary(let count):
      guard numberOfNode[node.index] == Self.none else { return }
      try spend(2 * count)
      try open(node, isDictionary: true)
      numberOfNode[node.index] = number
    case .boolean(let value):
      let known = value ? firstBooleans.yes : firstBooleans.no
      let first = layout.booleans == .separate ? number : known ?? number
      if value { firstBooleans.yes = first } else { firstBooleans.no = first }
      if layout.booleans != .separate, known != nil, first != node.index { hasEqualBooleans = true }
      numberOfNode[node.index] = first
      if known != nil, layout.booleans == .shared { return }
    case .uid(let object):
      let first =
        layout.references == .separate ? node : references.first(to: object, node, of: tree.nodeCount)
      if first == node, layout.references == .separate || numberOfNode[node.index] == Self.none {
        numberOfNode[node.index] = number
      } else {
        if first != node { hasEqualReferences = true }
        numberOfNode[node.index] = numberOfNode[first.index]
        if layout.references == .shared { return }
      }
    case .scalar(let kind, let length):
      if numberOfNode[node.index] == Self.none { try spend(length) }
      let first = try scalars.object(for: node, kind, role)
      guard first == node, numberOfNode[node.index] == Self.none else {
        numberOfNode[node.index] = numberOfNode[first.index]
        return
      }
      numberOfNode[node.index] = number
    }
    nodes.append(node)
  }

  private mutating func open(
    _ node: NodeID, isDictionary: Bool, _ role: ScalarRole = .element
  ) throws(FerryError) {
    let first = children.count
    try tree.appendReferences(of: node, to: &children)
    var frame = Frame(children: first..<children.count, isDictionary: isDictionary, role: role)
    if isDictionary, !layout.isInPairs { frame.next = addRepeatedKeys(frame.children) }
    frames.append(frame)
  }

  /// Adds the keys at the beginning of a dictionary that earlier dictionaries have, too. These keys already have object numbers, so only the
  /// sharing of scalars takes note of them. Returns the number of these keys.
  private mutating func addRepeatedKeys(_ range: Range<Int>) -> Int {
    var count = 0
    while count < range.count / 2 {
      let key = children[range.lowerBound + count]
      guard key.index < numberOfNode.count, numberOfNode[key.index] != Self.none, scalars.repeatKey(key)
      else { break }
      count += 1
    }
    return count
  }

  private mutating func spend(_ count: Int) throws(FerryError) {
    guard count <= rest else { throw FerryError(.propertyList(.overlapping)) }
    rest -= count
  }
}

/// The nodes of objects, by object number.
struct OrderedNodes {
  private(set) var count = 0
  /// The node of each object. If the numbers are kept, only the nodes with other numbers than their objects, with those numbers: these are the
  /// UIDs and booleans to which nothing refers.
  private var nodes: [UInt32] = []
  private var numbers: [UInt32] = []
  private let areKept: Bool

  fileprivate init(areKept: Bool) { self.areKept = areKept }

  /// The nodes, if their numbers need not be kept.
  var all: [UInt32] { areKept ? [] : nodes }

  fileprivate mutating func reserveCapacity(_ count: Int) { if !areKept { nodes.reserveCapacity(count) } }

  @inline(__always)
  fileprivate mutating func append(_ node: NodeID) {
    if !areKept {
      nodes.append(UInt32(node.index))
    } else if node.index != count {
      nodes.append(UInt32(node.index))
      numbers.append(UInt32(count))
    }
    count += 1
  }

  /// Calls a function with each object number and its node, until the function returns false. Returns true if it did not.
  @inline(__always)
  func forEach(_ body: (_ number: Int, NodeID) throws(FerryError) -> Bool) throws(FerryError) -> Bool {
    var next = 0
    for number in 0..<count {
      var node = number
      if !areKept {
        node = Int(nodes[number])
      } else if next < numbers.count, numbers[next] == UInt32(number) {
        node = Int(nodes[next])
        next += 1
      }
      guard try body(number, NodeID(node)) else { return false }
    }
    return true
  }
}

/// The object number of each node. If each must be the number of the node, it takes one byte.
private struct NodeNumbers {
  private(set) var all: [UInt32] = []
  /// For each node, true if its object has its number.
  private var isKept: [Bool] = []
  private let areKept: Bool

  static let none: UInt32 = .max

  init(areKept: Bool) { self.areKept = areKept }

  var count: Int { areKept ? isKept.count : all.count }

  /// Accesses the number of a node. If the numbers must be kept, another one is as none.
  subscript(node: Int) -> UInt32 {
    @inline(__always)
    get {
      guard areKept else { return all[node] }
      return isKept[node] ? UInt32(truncatingIfNeeded: node) : Self.none
    }
    @inline(__always)
    set {
      guard areKept else { return all[node] = newValue }
      isKept[node] = newValue == node
    }
  }

  mutating func fill(to size: Int) {
    if areKept { isKept.fill(to: size, with: false) } else { all.fill(to: size, with: Self.none) }
  }
}

/// The first of equal UIDs: of the references to an object of an archive. Their numbers are below that of the nodes, so that
/// they need no hash table.
private struct FirstReferences {
  /// For each object the number of the first node that refers to it plus one, or 0.
  private var nodes: [UInt32] = []
  /// The first nodes that refer to objects with larger numbers.
  private var others: [UInt64: NodeID] = [:]

  private static let smallest = 1 << 12

  /// Returns the first node that refers to an object. If there is none, adds a node and returns it.
  ///
  /// - Parameter count: The number of nodes in the property list.
  mutating func first(to object: UInt64, _ node: NodeID, of count: Int) -> NodeID {
    guard object < UInt64(count) else {
      if let first = others[object] { return first }
      others[object] = node
      return node
    }
    let index = Int(object)
    // An archive has fewer objects than nodes.
    if index >= nodes.count { nodes.fill(to: min(max(Self.smallest, 2 * index), count), with: 0) }
    guard nodes[index] == 0 else { return NodeID(Int(nodes[index] - 1)) }
    nodes[index] = UInt32(node.index + 1)
    return node
  }
}
