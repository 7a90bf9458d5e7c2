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
  private(set) var nodes: [UInt32] = []
  /// The object number that references to each node use.
  private(set) var numbers: [UInt32]
  /// The scalars that do not follow the sharing rule.
  var deviations: [SharingDeviation] { scalars.deviations }

  /// Returns, for each scalar that an edit added and that shares an object, the node of the scalar that it
  /// shares with. Afterward, the order must not be used any more.
  mutating func sharedNewScalars() throws(FerryError) -> [NodeID: NodeID] { try scalars.sharedNewScalars() }

  private let tree: Nodes
  private let layout: BinaryLayout
  /// The sharing of scalars, with the habits learned from a file.
  private(set) var scalars: ScalarSharing<Nodes>
  private var references: ScalarTable<Nodes>
  /// The objects of the first false and of the first true.
  private var firstBooleans: (no: UInt32?, yes: UInt32?)
  private var firstEmptyArray: UInt32?
  private static var none: UInt32 { .max }

  /// A collection whose children are being numbered.
  private struct Frame {
    let node: NodeID
    let count: Int
    let isDictionary: Bool
    /// The role of the elements, for sharing.
    var role = ScalarSharing<Nodes>.Role.element
    var next = 0
  }

  private var frames: [Frame] = []
  /// For each node that is a key, the role of its values plus one, or 0 if it is unknown.
  private var rolesOfValues: [UInt8] = []
  /// The references and bytes that may still be visited.
  private var rest: Int
  /// True if every node so far has its own number as object number, as in a file that has this layout.
  private(set) var keepsNumbers = true

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
    numbers = [UInt32](repeating: Self.none, count: tree.nodeCount)
    scalars = ScalarSharing(of: tree, rule: ScalarRule(layout.rule), from: sharing)
    references = ScalarTable(tree)
    rest = tree.visitLimit
    try add(tree.root, .value)
    while keepsNumbers || !onlyIfKept, let top = frames.indices.last {
      let frame = frames[top]
      guard frame.next < (frame.isDictionary ? 2 * frame.count : frame.count) else {
        frames.removeLast()
        continue
      }
      frames[top].next += 1
      if frame.isDictionary {
        try addEntryPart(frame.next, of: frame)
      } else {
        try add(tree.element(frame.next, of: frame.node), frame.role)
      }
    }
  }

  /// Adds a key or a value of a dictionary.
  private mutating func addEntryPart(_ part: Int, of frame: Frame) throws(FerryError) {
    let isKey = layout.isInPairs ? part.isMultiple(of: 2) : part < frame.count
    let index = layout.isInPairs ? part / 2 : part % frame.count
    guard !isKey else { return try add(tree.key(index, of: frame.node), .key) }
    let role = scalars.learns ? try self.role(ofValue: index, of: frame.node) : .value
    try add(tree.value(index, of: frame.node), role)
  }

  /// Returns the role of a value in an archive, or of the elements of the value.
  private mutating func role(ofValue index: Int, of node: NodeID) throws(FerryError) -> ScalarRole {
    let key = try tree.key(index, of: node)
    if rolesOfValues.isEmpty { rolesOfValues = [UInt8](repeating: 0, count: tree.nodeCount) }
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
      throw FerryError(.overBudget(.tokenBytes(Int(UInt32.max))))
    }
    let number = UInt32(nodes.count)
    defer { if numbers[node.index] != node.index { keepsNumbers = false } }
    switch try tree.kind(of: node) {
    case .array(0) where layout.sharesEmptyArrays:
      numbers[node.index] = firstEmptyArray ?? number
      guard firstEmptyArray == nil else { return }
      firstEmptyArray = number
    case .array(let count), .set(let count):
      guard numbers[node.index] == Self.none else { return }
      try spend(count)
      let elements = role == .chain || role == .object ? role : .element
      frames.append(Frame(node: node, count: count, isDictionary: false, role: elements))
      numbers[node.index] = number
    case .dictionary(let count):
      guard numbers[node.index] == Self.none else { return }
      try spend(2 * count)
      frames.append(Frame(node: node, count: count, isDictionary: true))
      numbers[node.index] = number
    case .boolean(let value):
      let known = value ? firstBooleans.yes : firstBooleans.no
      let first = layout.booleans == .separate ? number : known ?? number
      if value { firstBooleans.yes = first } else { firstBooleans.no = first }
      numbers[node.index] = first
      if known != nil, layout.booleans == .shared { return }
    case .uid:
      let first = layout.references == .separate ? node : try references.first(equalTo: node)
      if first == node, layout.references == .separate || numbers[node.index] == Self.none {
        numbers[node.index] = number
      } else {
        numbers[node.index] = numbers[first.index]
        if layout.references == .shared { return }
      }
    case let kind:
      if numbers[node.index] == Self.none, kind == .string || kind == .data {
        try spend(tree.length(of: node))
      }
      let first = try scalars.object(for: node, kind, role)
      guard first == node, numbers[node.index] == Self.none else {
        numbers[node.index] = numbers[first.index]
        return
      }
      numbers[node.index] = number
    }
    nodes.append(UInt32(node.index))
  }

  private mutating func spend(_ count: Int) throws(FerryError) {
    guard count <= rest else { throw FerryError(.propertyList(.overlapping)) }
    rest -= count
  }
}
