/// A scalar that an edit has added to a file.
struct NewScalar {
  let node: NodeID
  let kind: ScalarKind
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
  private var new: [(node: NodeID, kind: ScalarKind, role: Role)] = []
  private var waiting: ArraySlice<SharingDeviation> = []
  /// True if habits are learned. Roles are determined only in this case.
  let learns: Bool

  fileprivate var values: ScalarTable<Nodes>
  /// For the first node with a value, the last object with the value plus one among all scalars but constant keys, or 0 if there is none. For
  /// each other node, the first node with an equal value, plus one, or 0 if it is unknown.
  fileprivate(set) var links: [UInt32] = []
  /// For each value, the last object plus one among constant keys. Most of these are among the first objects, so the list is shorter.
  fileprivate var latestConstants: [UInt32] = []
  /// The objects of each value after the first.
  fileprivate var others: [Int: [NodeID]] = [:]
  /// The index of an object among those of its value, counted from 1. The first object is left out.
  fileprivate var ordinals: [NodeID: Int] = [:]
  /// For each value, the roles in which it was shared the last time. Most values that are shared are among the first objects, so the list
  /// is shorter than that of the nodes.
  fileprivate var habits: [ScalarHabits] = []
  /// For each node, the properties on which the rule depends, and the state of the node.
  fileprivate(set) var traits: [ScalarTraits] = []
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
    (links, latestConstants) = (file.links, file.latestConstants)
    (others, ordinals) = (file.others, file.ordinals)
    (habits, tendencies, traits) = (file.habits, file.tendencies, file.traits)
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
  ///
  /// - Parameter kind: The kind of the scalar; nil to find it only if it is needed.
  mutating func object(for node: NodeID, _ kind: ScalarKind?, _ role: Role) throws(FerryError) -> NodeID {
    if isSettled { return node }
    if node >= firstNew {
      new.append((node, try self.kind(of: node, known: kind), role))
      return node
    }
    distance += 1
    reserve(node)
    // Each node is compared once, regardless of its number of references.
    let value: Int
    if let known = knownValue(of: node) { value = known } else { value = try findValue(of: node) }
    // The first of equal scalars has an object, and all others share it.
    if rule == .equal, !learns { return NodeID(value) }
    let isFirst = links[value] == 0 && latest(value, isConstant: true) == 0
    // Most values occur once, and need no traits then, except keys.
    if isFirst, rule != .stored || role != .key {
      links[value] = UInt32(node.index + 1)
      traits[node.index].insert(.ownObject)
      return node
    }
    let kind = try self.kind(of: node, known: kind)
    let traits = try self.traits(of: node, kind)
    let isConstant = isConstant(traits, role)
    guard !isFirst else {
      setLatest(node, value, isConstant)
      self.traits[node.index].insert(.ownObject)
      return node
    }
    let last = latest(value, isConstant: isConstant)
    let candidate = last == 0 ? nil : NodeID(Int(last - 1))
    let isShared = candidate != nil && (isConstant || self.isShared(traits, role))
    let context = learns ? self.context(kind, traits, role, isShared, isKnown: candidate != nil) : 0
    var guess = isShared
    if learns {
      if tendencies[context] != 0 { guess = tendencies[context] > 0 }
      if let last = habit(of: value, role) { guess = last }
    }
    let chosen = decide(node, value, guess: guess ? candidate ?? NodeID(value) : nil)
    if learns {
      let tendency = tendencies[context] + (chosen == nil ? -1 : 1)
      tendencies[context] = max(-8, min(8, tendency))
      if candidate != nil { setHabit(of: value, role, chosen != nil) }
    }
    if chosen == nil {
      self.traits[node.index].insert(.ownObject)
      if learns {
        others[value, default: []].append(node)
        ordinals[node] = 1 + others[value, default: []].count
      }
    }
    setLatest(chosen ?? node, value, isConstant)
    return chosen ?? node
  }

  /// Returns the last object plus one of a value, or 0 if there is none.
  @inline(__always)
  private func latest(_ value: Int, isConstant: Bool) -> UInt32 {
    guard isConstant else { return links[value] }
    return value < latestConstants.count ? latestConstants[value] : 0
  }

  private mutating func setLatest(_ object: NodeID, _ value: Int, _ isConstant: Bool) {
    guard isConstant else { return links[value] = UInt32(object.index + 1) }
    if value >= latestConstants.count {
      let size = NodeRoom(mayEndEarly: true).size(for: NodeID(value), of: nodes.nodeCount)
      latestConstants.fill(to: size, with: 0)
    }
    latestConstants[value] = UInt32(object.index + 1)
  }

  @inline(__always)
  private func habit(of value: Int, _ role: Role) -> Bool? {
    value < habits.count ? habits[value][role] : nil
  }

  private mutating func setHabit(of value: Int, _ role: Role, _ isShared: Bool) {
    if value >= habits.count {
      let size = NodeRoom(mayEndEarly: true).size(for: NodeID(value), of: nodes.nodeCount)
      habits.fill(to: size, with: ScalarHabits())
    }
    habits[value][role] = isShared
  }

  private func kind(of node: NodeID, known: ScalarKind?) throws(FerryError) -> ScalarKind {
    if let known { return known }
    return try nodes.kind(of: node).ofScalar
  }

  /// Returns the value of a node: the index of the first node with an equal value. Returns nil if the node was not compared yet.
  @inline(__always)
  private func knownValue(of node: NodeID) -> Int? {
    if traits[node.index].contains(.firstOfValue) { return node.index }
    return links[node.index] == 0 ? nil : Int(links[node.index] - 1)
  }

  private mutating func findValue(of node: NodeID) throws(FerryError) -> Int {
    let first = try values.first(equalTo: node)
    setValue(of: node, first)
    return first.index
  }

  private mutating func setValue(of node: NodeID, _ first: NodeID) {
    if first == node {
      traits[node.index].insert(.firstOfValue)
    } else {
      links[node.index] = UInt32(first.index + 1)
    }
  }

  /// Takes another occurrence of a string as a key, as `object(for:_:_:)` does, if the occurrence is as predicted: the last equal key had
  /// the same node, and shared the object of an earlier one. Most keys of records are such occurrences. If each node is an object, every other
  /// occurrence of a string is one.
  ///
  /// - Returns: False if the occurrence is still to be passed to `object(for:_:_:)`.
  @inline(__always)
  mutating func repeatKey(_ node: NodeID) -> Bool {
    if isSettled { return (try? nodes.kind(of: node)) == .string }
    guard isStored, learns, node < firstNew, node.index < traits.count else { return false }
    let traits = traits[node.index]
    guard traits.contains([.ownObject, .string]), let value = knownValue(of: node) else { return false }
    let isConstant = isConstant(traits, .key)
    guard latest(value, isConstant: isConstant) == UInt32(node.index + 1), habit(of: value, .key) == true
    else { return false }
    distance += 1
    let context = context(
      .string, traits, .key, isConstant || isShared(traits, .key), isKnown: true)
    tendencies[context] = min(8, tendencies[context] + 1)
    return true
  }

  /// Returns true if a string with these traits is a constant key of a program.
  @inline(__always)
  private func isConstant(_ traits: ScalarTraits, _ role: Role) -> Bool {
    rule == .stored && role == .key && traits.contains([.string, .constantKey])
  }

  /// Notes the value of a scalar, so that it need not be compared, and those of its traits that are known.
  ///
  /// - Parameter first: The first of the scalars with an equal value, which may be the scalar itself. Either all scalars with a value are
  ///   noted, or none.
  mutating func note(_ node: NodeID, equalTo first: NodeID, _ traits: ScalarTraits) {
    reserve(node)
    setValue(of: node, first)
    self.traits[node.index].formUnion(traits)
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
      let stored = traits[node.index].contains(.ownObject) ? node : nil
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
    guard node.index >= traits.count else { return }
    let size = NodeRoom(mayEndEarly: isStored).size(for: node, of: nodes.nodeCount)
    links.fill(to: size, with: 0)
    traits.fill(to: size, with: [])
  }

  // MARK: The rule

  /// Returns the properties of a scalar on which the rule depends. Its text is examined once, regardless of the number of
  /// references to it.
  private mutating func traits(of node: NodeID, _ kind: ScalarKind) throws(FerryError) -> ScalarTraits {
    if traits[node.index].contains(.known) { return traits[node.index] }
    traits[node.index].formUnion(try findTraits(of: node, kind).union(.known))
    return traits[node.index]
  }

  private func findTraits(of node: NodeID, _ kind: ScalarKind) throws(FerryError) -> ScalarTraits {
    switch kind {
    case .data: return []
    case .string:
      // A long string need not be read.
      guard try nodes.length(of: node) <= 2 * BorrowedText.pointerLength else {
        return [.string, .constantKey]
      }
      let isStored = rule == .stored
      return try nodes.withText(of: node) { text throws(FerryError) in
        let isShort = text.utf8.count <= BorrowedText.pointerLength && text.fitsInPointer
        var traits: ScalarTraits = isShort ? [.string, .short] : .string
        if isStored ? text.isSharedInArchives : isShort { traits.insert(.shared) }
        if text.isConstantKeyOfArchives { traits.insert(.constantKey) }
        return traits
      }
    default: return .shared
    }
  }

  /// Returns true if equal values with these traits are identical objects for an archiver: numbers, short strings
  /// that fit in a tagged pointer, and class names that are constants of Foundation.
  private func isShared(_ traits: ScalarTraits, _ role: Role) -> Bool {
    guard rule != .equal, rule == .objects || role != .key else { return true }
    return traits.contains(.shared)
  }

  /// Returns a number that is equal for similar scalars: with the same role, kind, length, and choice of the
  /// rule.
  private func context(
    _ kind: ScalarKind, _ traits: ScalarTraits, _ role: Role, _ isShared: Bool, isKnown: Bool
  ) -> Int {
    let type =
      switch kind {
      case .string: traits.contains(.short) ? 0 : 1
      case .data: 2
      case .date: 3
      case .integer: 4
      default: 5
      }
    return ((role.rawValue * 6 + type) * 2 + (isShared ? 1 : 0)) * 2 + (isKnown ? 1 : 0)
  }
}

extension BorrowedText {
  /// True for a key of Foundation, and a key that is too long for a tagged pointer: programs have them as constants.
  var isConstantKeyOfArchives: Bool {
    utf8.count > Self.pointerLength || utf8.starts(with: "NS") || utf8.starts(with: "$") || !fitsInPointer
  }

  /// True if equal strings in the property list of an archive share an object, unless they are constant keys.
  var isSharedInArchives: Bool {
    utf8.count <= 2 * Self.pointerLength && (fitsInPointer || isFoundationConstant)
  }

  /// True for class names that are constants of Foundation, and therefore shared in archives.
  fileprivate var isFoundationConstant: Bool {
    guard utf8.starts(with: "NS") else { return false }
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
    let isShort = utf8.count <= 9
    let (low, high) =
      isShort ? (Self.alphabetLow, Self.alphabetHigh) : (Self.frequentLow, Self.frequentHigh)
    for index in utf8.indices {
      let byte = UInt64(utf8[index])
      guard (byte < 64 ? low : high) &>> byte & 1 != 0 else { return false }
    }
    return true
  }

  // The characters of the alphabet `eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX`, which begins with the most
  // frequent ones, as a bit for each ASCII character. Literals need no initialization, for which each access would check.
  private static let alphabetLow: UInt64 = 0x03ff_e001_0000_0000
  private static let alphabetHigh: UInt64 = 0x07fd_fffe_83fd_fffe
  /// The bits of the first 32 characters.
  private static let frequentLow: UInt64 = 0x001b_4001_0000_0000
  private static let frequentHigh: UInt64 = 0x013d_fffa_001c_2208
}
