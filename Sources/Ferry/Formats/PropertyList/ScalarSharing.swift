/// The rule that decides which equal scalars are one object.
enum ScalarRule {
  /// All equal scalars, as in property lists that Apple's tools write.
  case equal
  /// Equal keys, numbers, short strings and well-known class names, as in the property list of an archive.
  case stored
  /// Equal numbers and short strings, as an archiver sees its objects.
  case objects

  init(_ sharing: BinaryPropertyListWriter.Sharing) { self = sharing == .archiver ? .stored : .equal }
}

/// The role of a scalar in its collection.
enum ScalarRole: Int, CaseIterable {
  case key, className, chain, object, element, value
}

/// A scalar that an edit has added to a file.
struct NewScalar {
  let node: Int
  let kind: NodeKind
  let role: ScalarRole
}

/// A model of which scalars of a property list are one object of its binary file. It guesses by a rule,
/// learns from the file's own habits, and records wrong guesses.
///
/// A program that shares a class name, or does not, does so throughout. The next guess therefore repeats the
/// last choice for the value, or for a similar value in the same role, so a file of a thousand objects
/// against the rule needs one record. Without records there is nothing to learn, and the rule alone decides.
struct ScalarSharing<Nodes: PropertyListNodes> {
  /// The source of the decisions.
  enum Source {
    /// The rule, and the deviations from it.
    case noted([SharingDeviation])
    /// The nodes, which are a file's own objects.
    case stored
    /// The nodes below a number, which are a file's own objects. Nodes from that number on are new; they are
    /// decided after all others, by the habits of the file.
    case edited(from: Int)
    /// The nodes, each of which is an object of its own. Nothing is compared.
    case settled
  }

  typealias Role = ScalarRole

  /// The deviations recorded so far.
  private(set) var deviations: [SharingDeviation] = []

  private let nodes: Nodes
  fileprivate let rule: ScalarRule
  private var isStored = false
  private var isSettled = false
  /// The first new node, and the new scalars found so far.
  private var firstNew = Int.max
  private var new: [(node: Int, kind: NodeKind, role: Role)] = []
  private var waiting: ArraySlice<SharingDeviation> = []
  /// True if there are habits to learn. Roles matter only then.
  let learns: Bool

  fileprivate var values: ScalarTable<Nodes>
  /// The last object of each value, plus one: among constant keys, and among all other scalars.
  fileprivate var latest: [[UInt32]] = [[], []]
  /// The objects of a value after its first.
  fileprivate var others: [Int: [Int]] = [:]
  /// The index of an object among those of its value, counted from 1. The first object of a value is not
  /// listed.
  fileprivate var ordinals: [Int: Int] = [:]
  fileprivate var isMet: [Bool] = []
  /// The first node with the same value, plus one.
  fileprivate var valueOfNode: [UInt32] = []
  /// For a value in a role, whether it was shared last time.
  fileprivate var habits: [Int: Bool] = [:]
  /// For a kind of value in a role, the recent balance of shared against unshared ones.
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

  /// Copies the learned habits of a file, for nodes that begin with the file's own under the same numbers.
  init(_ file: ScalarSharing<BinaryPropertyList>, in nodes: Nodes) {
    self.nodes = nodes
    (rule, learns) = (file.rule, file.learns)
    values = ScalarTable(file.values, in: nodes)
    (latest, others, ordinals) = (file.latest, file.others, file.ordinals)
    (isMet, valueOfNode) = (file.isMet, file.valueOfNode)
    (habits, tendencies) = (file.habits, file.tendencies)
  }

  /// Returns the objects that new scalars share, by node. Scalars that become objects of their own are left
  /// out.
  mutating func shared(_ new: [NewScalar]) throws(FerryError) -> [Int: Int] {
    var shared: [Int: Int] = [:]
    for scalar in new {
      let object = try object(for: scalar.node, scalar.kind, scalar.role)
      if object != scalar.node { shared[scalar.node] = object }
    }
    return shared
  }

  /// Returns the node whose object a scalar shares: an earlier node, or the scalar itself.
  mutating func object(for node: Int, _ kind: NodeKind, _ role: Role) throws(FerryError) -> Int {
    if isSettled { return node }
    if node >= firstNew {
      new.append((node, kind, role))
      return node
    }
    distance += 1
    reserve(node)
    // A node is compared once, however many references it has.
    if valueOfNode[node] == 0 { valueOfNode[node] = UInt32(try values.first(equalTo: node) + 1) }
    let value = Int(valueOfNode[node] - 1)
    let pool = try isConstantKey(node, kind, role) ? 1 : 0
    guard latest[0][value] != 0 || latest[1][value] != 0 else {
      latest[pool][value] = UInt32(node + 1)
      isMet[node] = true
      return node
    }
    let candidate = latest[pool][value] == 0 ? nil : Int(latest[pool][value] - 1)
    var isShared = candidate != nil
    if isShared, pool == 0 { isShared = try self.isShared(node, kind, role) }
    let context = learns ? try self.context(node, kind, role, isShared, isKnown: candidate != nil) : 0
    let habit = value * Role.allCases.count + role.rawValue
    var guess = isShared
    if learns {
      if tendencies[context] != 0 { guess = tendencies[context] > 0 }
      if let last = habits[habit] { guess = last }
    }
    let chosen = decide(node, value, guess: guess ? candidate ?? value : nil)
    if learns {
      let tendency = tendencies[context] + (chosen == nil ? -1 : 1)
      tendencies[context] = max(-8, min(8, tendency))
      if candidate != nil { habits[habit] = chosen != nil }
    }
    if chosen == nil {
      isMet[node] = true
      if learns {
        others[value, default: []].append(node)
        ordinals[node] = 1 + others[value, default: []].count
      }
    }
    latest[pool][value] = UInt32((chosen ?? node) + 1)
    return chosen ?? node
  }

  /// Returns, for each new scalar that becomes one object with another scalar, the node of the other.
  mutating func sharedNewScalars() throws(FerryError) -> [Int: Int] {
    var shared: [Int: Int] = [:]
    let new = new
    (isStored, firstNew) = (false, .max)
    for (node, kind, role) in new {
      let object = try object(for: node, kind, role)
      if object != node { shared[node] = object }
    }
    return shared
  }

  /// Returns the object of a scalar, or nil for an object of its own: the guess, unless the nodes or a record
  /// contradict it.
  private mutating func decide(_ node: Int, _ value: Int, guess: Int?) -> Int? {
    if isStored {
      let stored = isMet[node] ? node : nil
      guard stored != guess else { return stored }
      let choice = stored.map { ordinals[$0] ?? 1 } ?? 0
      deviations.append(SharingDeviation(distance: distance, choice: choice))
      distance = 0
      return stored
    }
    guard let note = waiting.first, note.distance == distance else { return guess }
    waiting.removeFirst()
    distance = 0
    guard note.choice > 1 else { return note.choice == 1 ? value : nil }
    let objects = others[value] ?? []
    return note.choice - 2 < objects.count ? objects[note.choice - 2] : guess
  }

  private mutating func reserve(_ node: Int) {
    guard node >= isMet.count else { return }
    let missing = max(nodes.nodeCount, node + 1) - isMet.count
    latest[0].append(contentsOf: repeatElement(0, count: missing))
    latest[1].append(contentsOf: repeatElement(0, count: missing))
    isMet.append(contentsOf: repeatElement(false, count: missing))
    valueOfNode.append(contentsOf: repeatElement(0, count: missing))
  }

  // MARK: The rule

  /// Returns true if a key is a constant to an archiver, and therefore never the same object as a string that
  /// it archives: one of Foundation's own keys, or a key too long for a tagged pointer.
  private func isConstantKey(_ node: Int, _ kind: NodeKind, _ role: Role) throws(FerryError) -> Bool {
    guard rule == .stored, role == .key, kind == .string else { return false }
    guard try nodes.length(of: node) <= BorrowedText.pointerLength else { return true }
    return try nodes.withText(of: node) { text throws(FerryError) in
      text.utf8.starts(with: "NS") || text.utf8.starts(with: "$") || !text.fitsInPointer
    }
  }

  /// Returns true if equal values of this kind are the same object to an archiver: numbers and short strings,
  /// which fit in a tagged pointer, and class names that are constants of Foundation.
  private func isShared(_ node: Int, _ kind: NodeKind, _ role: Role) throws(FerryError) -> Bool {
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

  /// Returns a number that is equal for similar scalars, by role, kind of value, length, and the rule's
  /// choice.
  private func context(_ node: Int, _ kind: NodeKind, _ role: Role, _ isShared: Bool, isKnown: Bool)
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
  /// True for class names that archives share because they are constants of Foundation.
  fileprivate var isFoundationConstant: Bool {
    for name: StaticString in [
      "NSDictionary", "NSMutableArray", "NSMutableData", "NSMutableDictionary", "NSMutableSet",
      "NSMutableString",
    ] where equals(name) { return true }
    return false
  }

  /// The greatest number of characters in a string that fits in a tagged pointer.
  static var pointerLength: Int { 11 }

  /// True if Apple's 64-bit systems store this string in a tagged pointer: 7 bytes of ASCII; 9 characters of
  /// an alphabet of 64, with 6 bits each; or 11 of its first 32, with 5 bits each.
  var fitsInPointer: Bool {
    guard isASCII, utf8.count <= Self.pointerLength else { return false }
    if utf8.count <= 7 { return true }
    let limit = utf8.count <= 9 ? 64 : 32
    for index in utf8.indices where Self.placeInAlphabet[Int(utf8[index])] >= limit { return false }
    return true
  }

  /// The index of each byte in the alphabet, most frequent characters first; 64 for bytes outside it.
  private static let placeInAlphabet: [UInt8] = {
    var places = [UInt8](repeating: 64, count: 256)
    let alphabet = "eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX"
    for (place, character) in alphabet.utf8.enumerated() { places[Int(character)] = UInt8(place) }
    return places
  }()
}
