/// The numbers that an archiver gives to the objects of a graph. An object is numbered at its first
/// reference, then the objects that it refers to, depth first, and then its class if this is the class's
/// first use.
struct GraphNumbering {
  /// A numbered entry of `$objects`.
  enum Entry {
    case nothing
    case object(Int)
    case bare(NodeID)
    case type(Int)
  }

  /// A list of entries, in four bytes each.
  struct Entries: RandomAccessCollection {
    private var words: [KindAndNumber] = []

    var startIndex: Int { 0 }
    var endIndex: Int { words.count }

    subscript(index: Int) -> Entry {
      let number = words[index].number
      return switch words[index].kind {
      case 0: .nothing
      case 1: .object(number)
      case 2: .bare(NodeID(number))
      default: .type(number)
      }
    }

    fileprivate mutating func reserveCapacity(_ count: Int) { words.reserveCapacity(count) }

    fileprivate mutating func append(_ entry: Entry) throws(FerryError) {
      let (kind, number): (UInt32, Int) =
        switch entry {
        case .nothing: (0, 0)
        case .object(let number): (1, number)
        case .bare(let node): (2, node.index)
        case .type(let number): (3, number)
        }
      guard number <= KindAndNumber.largest else {
        throw FerryError(.overBudget(.values(KindAndNumber.largest)))
      }
      words.append(KindAndNumber(kind, number))
    }
  }

  /// The entries in the order of their object numbers.
  private(set) var entries = Entries()
  /// The scalars that share an object, or do not share one, contrary to the sharing rule.
  private(set) var deviations: [SharingDeviation] = []

  private let graph: ArchiveGraph
  private var objectNumbers: [UInt32]
  private var typeNumbers: [Int]
  /// The object numbers of the scalars in `bare`, by the index of their node, with 0 for none.
  private var bareNumbers: [UInt32]
  private var bare: ScalarSharing<BareScalars>
  private var known: KnownScalars?
  private var work: [Step] = []

  /// The parts of an object or a collection that are still to be numbered.
  private struct Step {
    /// The indices of the parts.
    var parts: Range<Int>
    var role = ScalarRole.value
    /// The index of the list of a dictionary's keys, whose scalars have another role.
    var keys: Int?
    /// The type of the object that ends with the parts.
    var type: Int?
  }

  /// Numbers the objects of a graph.
  ///
  /// - Parameter known: The scalars of the file from which the graph was read, if they were compared.
  init(
    _ graph: ArchiveGraph, _ source: ScalarSharing<BareScalars>.Source, known: consuming KnownScalars? = nil
  ) throws(FerryError) {
    self.graph = graph
    self.known = graph.bare.nodeCount < KnownScalars.limit ? known : nil
    objectNumbers = [UInt32](repeating: 0, count: graph.objects.count)
    typeNumbers = [Int](repeating: 0, count: graph.types.count)
    bareNumbers = [UInt32](repeating: 0, count: graph.bare.nodeCount)
    entries.reserveCapacity(graph.bare.nodeCount)
    try entries.append(.nothing)
    bare = ScalarSharing(of: graph.bare, rule: .objects, from: source)
    for part in graph.top.map(\.value) + graph.others {
      try take(part, .value)
      while let step = work.popLast() { try take(step) }
    }
    deviations = bare.deviations
    // The tables of the scalars are large, and not needed any more.
    bare = ScalarSharing(of: graph.bare, rule: .objects, from: .settled)
    self.known = nil
  }

  /// Returns the object number that a part refers to.
  func number(of part: ArchiveGraph.Part) -> Int {
    switch part {
    case .object(let index): Int(objectNumbers[index])
    case .bare(let number): Int(bareNumbers[number.index])
    default: 0
    }
  }

  /// Returns the object number of a class.
  func number(ofType type: Int) -> Int { typeNumbers[type] }

  /// Takes the parts of a step up to the first that has parts itself, which come first.
  private mutating func take(_ step: Step) throws(FerryError) {
    var step = step
    while let index = step.parts.first {
      step.parts = index + 1..<step.parts.upperBound
      let role = index == step.keys ? .key : step.role
      switch graph.parts[index] {
      case .nothing, .scalar: continue
      case .bare(let number): try take(scalar: number, role)
      case let part:
        // A long chain of objects has nothing left in most of them.
        let endsType = step.type.map { typeNumbers[$0] == 0 } ?? false
        if endsType || !step.parts.isEmpty { work.append(step) }
        return try take(part, role)
      }
    }
    guard let type = step.type, typeNumbers[type] == 0 else { return }
    typeNumbers[type] = entries.count
    try entries.append(.type(type))
  }

  /// Takes a part, whose own parts are taken next.
  private mutating func take(_ part: ArchiveGraph.Part, _ role: ScalarRole) throws(FerryError) {
    switch part {
    case .nothing, .scalar: break
    case .bare(let number): try take(scalar: number, role)
    case .object(let index):
      guard objectNumbers[index] == 0, let object = graph.objects[index] else { return }
      objectNumbers[index] = UInt32(clamping: entries.count)
      try entries.append(.object(index))
      let fields = object.values.indices
      let keys = graph.keyLists[object.keys].indexOfDictionaryKeys.map { fields.lowerBound + $0 }
      work.append(Step(parts: fields, keys: keys, type: object.type))
    case .list(let elements), .set(let elements):
      work.append(Step(parts: elements.indices, role: role == .key ? .key : .element))
    case .dictionary(let entries): work.append(Step(parts: entries.values))
    }
  }

  private mutating func take(scalar number: NodeID, _ role: ScalarRole) throws(FerryError) {
    let isNew = bareNumbers[number.index] == 0
    let node = graph.bare.node(number)
    if isNew, let known = known?.firstObject(number, at: node) {
      bare.note(number, equalTo: known.object, known.traits)
    }
    let first = try bare.object(for: number, nil, role)
    guard isNew || first != number else { return }
    guard isNew, first == number else { return bareNumbers[number.index] = bareNumbers[first.index] }
    bareNumbers[number.index] = UInt32(clamping: entries.count)
    try entries.append(.bare(number))
  }
}
