/// A rule by which equal scalars share an object.
enum ScalarRule {
  /// All equal scalars share an object, as in property lists from Apple's tools.
  case equal
  /// Equal keys, numbers, short strings and class names of Foundation share an object, as in the property
  /// list of an archive.
  case stored
  /// Equal numbers and short strings share an object, as among the objects of an archive.
  case objects

  init(_ sharing: BinaryPropertyListWriter.Sharing) { self = sharing == .archiver ? .stored : .equal }
}

/// The role of a scalar in its collection.
enum ScalarRole: Int, CaseIterable {
  case key, className, chain, object, element, value
}

/// A scalar that an edit has added to a file.
struct NewScalar {
  let node: NodeID
  let kind: NodeKind
  let role: ScalarRole
}

/// A model of the scalars in a property list that share an object of its binary file. It predicts by a rule,
/// learns from the habits of the file, and records wrong predictions.
///
/// A program that shares a class name (or does not) always does so. Therefore the next prediction repeats the
/// last choice for the same value, or for a similar value in the same role, and a file with a thousand
/// objects against the rule needs a single record. If there are no records, nothing is learned and the rule
/// alone decides.
struct ScalarSharing<Nodes: PropertyListNodes> {
  /// The source of the decisions.
  enum Source {
    /// The rule, and recorded deviations from it.
    case noted([SharingDeviation])
    /// The nodes are the objects of a file, so equal nodes with different numbers do not share an object.
    case stored
    /// The nodes below a number are the objects of a file. Nodes from that number on are new. Decisions for
    /// them are made last, by the habits of the file.
    case edited(from: NodeID)
    /// Each node is an object of its own. Nothing is compared.
    case settled
  }

  typealias Role = ScalarRole

  /// The deviations recorded so far.
  private(set) var deviations: [SharingDeviation] = []

  private let nodes: Nodes
  fileprivate let rule: ScalarRule
  private var isStored = false
  private var isSettled = false
  /// The number of the first new node.
  private var firstNew = NodeID(.max)
  private var new: [(node: NodeID, kind: NodeKind, role: Role)] = []
  private var waiting: ArraySlice<SharingDeviation> = []
  /// True if habits are learned. Roles are determined only in this case.
  let learns: Bool

  fileprivate var values: ScalarTable<Nodes>
  /// For each value, the last object plus one: first among constant keys, then among all other scalars.
  fileprivate var latest: [[UInt32]] = [[], []]
  /// The objects of each value after the first.
  fileprivate var others: [Int: [NodeID]] = [:]
  /// The index of an object among those of its value, counted from 1. The first object is left out.
  fileprivate var ordinals: [NodeID: Int] = [:]
  fileprivate var hasOwnObject: [Bool] = []
  /// For each node, the first node with an equal value, plus one.
  fileprivate var valueOfNode: [UInt32] = []
  /// For each value in a role, true if it was shared the last time.
  fileprivate var habits: [Int: Bool] = [:]
  /// For each kind of value in a role, the recent number of shared minus unshared occurrences.
  fileprivate var tendencies: [Int8]
  private var distance = 0

  init(of nodes: Nodes, rule: ScalarRule, from source: Source) {
    self.nodes = nodes
    self.rule = rule
    values = ScalarTable(nodes)
    tendencies = [Int8](repeating: 0, count: Role.allCases.count * 48)
    switch source {
    case .stored: (isStored, learns) = (true, true)
    case .settled: (isSettled, learns) = (true, false)
    case .edited(let first): (isStored, learns, firstNew) = (true, true, first)
    case .noted(let deviations):
      learns = !deviations.isEmpty
      waiting = deviations[...]
    }
  }

  /// Copies the learned habits of a file, whose nodes come first in `nodes` with the same numbers.
  init(_ file: ScalarSharing<BinaryPropertyList>, in nodes: Nodes) {
    self.nodes = nodes
    (rule, learns) = (file.rule, file.learns)
    values = ScalarTable(file.values, in: nodes)
    (latest, others, ordinals) = (file.latest, file.others, file.ordinals)
    (hasOwnObject, valueOfNode) = (file.hasOwnObject, file.valueOfNode)
    (habits, tendencies) = (file.habits, file.tendencies)
  }

  /// Returns the objects that new scalars share, by node. A scalar with an object of its own is left out.
  mutating func shared(_ new: [NewScalar]) throws(FerryError) -> [NodeID: NodeID] {
    var shared: [NodeID: NodeID] = [:]
    for scalar in new {
      let object = try object(for: scalar.node, scalar.kind, scalar.role)
      if object != scalar.node { shared[scalar.node] = object }
    }
    return shared
  }

  /// Returns the node whose object a scalar shares: an earlier node, or the scalar itself.
  mutating func object(for node: NodeID, _ kind: NodeKind, _ role: Role) throws(FerryError) -> NodeID {
    if isSettled { return node }
    if node >= firstNew {
      new.append((node, kind, role))
      return node
    }
    distance += 1
    reserve(node)
    // Each node is compared once, regardless of its number of references.
    if valueOfNode[node.index] == 0 {
      valueOfNode[node.index] = UInt32(try values.first(equalTo: node).index + 1)
    }
    let value = Int(valueOfNode[node.index] - 1)
    let pool = try isConstantKey(node, kind, role) ? 1 : 0
    guard latest[0][value] != 0 || latest[1][value] != 0 else {
      latest[pool][value] = UInt32(node.index + 1)
      hasOwnObject[node.index] = true
      return node
    }
    let candidate = latest[pool][value] == 0 ? nil : NodeID(Int(latest[pool][value] - 1))
    var isShared = candidate != nil
    if isShared, pool == 0 { isShared = try self.isShared(node, kind, role) }
    let context = learns ? try self.context(node, kind, role, isShared, isKnown: candidate != nil) : 0
    let habit = value * Role.allCases.count + role.rawValue
    var guess = isShared
    if learns {
      if tendencies[context] != 0 { guess = tendencies[context] > 0 }
      if let last = habits[habit] { guess = last }
    }
    let chosen = decide(node, value, guess: guess ? candidate ?? NodeID(value) : nil)
    if learns {
      let tendency = tendencies[context] + (chosen == nil ? -1 : 1)
      tendencies[context] = max(-8, min(8, tendency))
      if candidate != nil { habits[habit] = chosen != nil }
    }
    if chosen == nil {
      hasOwnObject[node.index] = true
      if learns {
        others[value, default: []].append(node)
        ordinals[node] = 1 + others[value, default: []].count
      }
    }
    latest[pool][value] = UInt32((chosen ?? node).index + 1)
    return chosen ?? node
  }

  /// Returns, for each new scalar that shares an object, the node of the scalar that it shares with.
  mutating func sharedNewScalars() throws(FerryError) -> [NodeID: NodeID] {
    var shared: [NodeID: NodeID] = [:]
    let new = new
    (isStored, firstNew) = (false, NodeID(.max))
    for (node, kind, role) in new {
      let object = try object(for: node, kind, role)
      if object != node { shared[node] = object }
    }
    return shared
  }

  /// Returns the object that a scalar shares, or nil for an object of its own. That is the prediction, unless
  /// the nodes or a recorded deviation contradict it.
  private mutating func decide(_ node: NodeID, _ value: Int, guess: NodeID?) -> NodeID? {
    if isStored {
      let stored = hasOwnObject[node.index] ? node : nil
      guard stored != guess else { return stored }
      let choice = stored.map { ordinals[$0] ?? 1 } ?? 0
      deviations.append(SharingDeviation(distance: distance, choice: choice))
      distance = 0
      return stored
    }
    guard let note = waiting.first, note.distance == distance else { return guess }
    waiting.removeFirst()
    distance = 0
    guard note.choice > 1 else { return note.choice == 1 ? NodeID(value) : nil }
    let objects = others[value] ?? []
    return note.choice - 2 < objects.count ? objects[note.choice - 2] : guess
  }

  private mutating func reserve(_ node: NodeID) {
    guard node.index >= hasOwnObject.count else { return }
    let missing = max(nodes.nodeCount, node.index + 1) - hasOwnObject.count
    latest[0].append(contentsOf: repeatElement(0, count: missing))
    latest[1].append(contentsOf: repeatElement(0, count: missing))
    hasOwnObject.append(contentsOf: repeatElement(false, count: missing))
    valueOfNode.append(contentsOf: repeatElement(0, count: missing))
  }

  // MARK: The rule

  /// Returns true if a key is a constant of the program that wrote the archive, so that it never shares an
  /// object with an archived string: a key of Foundation, or a key that is too long for a tagged pointer.
  private func isConstantKey(_ node: NodeID, _ kind: NodeKind, _ role: Role) throws(FerryError) -> Bool {
    guard rule == .stored, role == .key, kind == .string else { return false }
    guard try nodes.length(of: node) <= BorrowedText.pointerLength else { return true }
    return try nodes.withText(of: node) { text throws(FerryError) in
      text.utf8.starts(with: "NS") || text.utf8.starts(with: "$") || !text.fitsInPointer
    }
  }

  /// Returns true if equal values of this kind are identical objects for an archiver: numbers, short strings
  /// that fit in a tagged pointer, and class names that are constants of Foundation.
  private func isShared(_ node: NodeID, _ kind: NodeKind, _ role: Role) throws(FerryError) -> Bool {
    guard rule != .equal, rule == .objects || role != .key else { return true }
    switch kind {
    case .data: return false
    case .string:
      let mayBeConstant = rule == .stored
      guard try nodes.length(of: node) <= 2 * BorrowedText.pointerLength else { return false }
      return try nodes.withText(of: node) { text throws(FerryError) in
        text.fitsInPointer || (mayBeConstant && text.isFoundationConstant)
      }
    default: return true
    }
  }

  /// Returns a number that is equal for similar scalars: with the same role, kind, length, and choice of the
  /// rule.
  private func context(_ node: NodeID, _ kind: NodeKind, _ role: Role, _ isShared: Bool, isKnown: Bool)
    throws(FerryError) -> Int
  {
    let type: Int
    switch kind {
    case .string:
      var isShort = try nodes.length(of: node) <= BorrowedText.pointerLength
      if isShort { isShort = try nodes.withText(of: node) { text throws(FerryError) in text.fitsInPointer } }
      type = isShort ? 0 : 1
    case .data: type = 2
    case .date: type = 3
    case .integer: type = 4
    default: type = 5
    }
    return ((role.rawValue * 6 + type) * 2 + (isShared ? 1 : 0)) * 2 + (isKnown ? 1 : 0)
  }
}

extension BorrowedText {
  /// True for class names that are constants of Foundation, and therefore shared in archives.
  fileprivate var isFoundationConstant: Bool {
    for name: StaticString in [
      "NSDictionary", "NSMutableArray", "NSMutableData", "NSMutableDictionary", "NSMutableSet",
      "NSMutableString",
    ] where equals(name) { return true }
    return false
  }

  /// The maximum number of characters of a string in a tagged pointer.
  static var pointerLength: Int { 11 }

  /// True if Apple's 64-bit systems store this string in a tagged pointer: up to 7 bytes of ASCII, 9
  /// characters of a 64-character alphabet (6 bits each), or 11 of the first 32 of these characters (5 bits
  /// each).
  var fitsInPointer: Bool {
    guard isASCII, utf8.count <= Self.pointerLength else { return false }
    if utf8.count <= 7 { return true }
    let limit = utf8.count <= 9 ? 64 : 32
    for index in utf8.indices where Self.indexInAlphabet[Int(utf8[index])] >= limit { return false }
    return true
  }

  /// For each byte, its index in the alphabet, or 64. The alphabet begins with the most frequent characters.
  private static let indexInAlphabet: [UInt8] = {
    var indices = [UInt8](repeating: 64, count: 256)
    let alphabet = "eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX"
    for (index, character) in alphabet.utf8.enumerated() { indices[Int(character)] = UInt8(index) }
    return indices
  }()
}
