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

  private enum Step {
    case part(ArchiveGraph.Part, ScalarSharing<BareScalars>.Role)
    case type(Int)
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
      work.append(.part(part, .value))
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

  private mutating func take(_ step: Step) throws(FerryError) {
    switch step {
    case .type(let type):
      guard typeNumbers[type] == 0 else { return }
      typeNumbers[type] = entries.count
      try entries.append(.type(type))
    case .part(.nothing, _), .part(.scalar, _): break
    case .part(.bare(let number), let role):
      let node = graph.bare.node(number)
      if let known = known?.firstObject(number, at: node) {
        bare.note(number, equalTo: known.object, known.traits)
      }
      let first = try bare.object(for: number, nil, role)
      if first == number, bareNumbers[number.index] == 0 {
        bareNumbers[number.index] = UInt32(clamping: entries.count)
        try entries.append(.bare(number))
      } else {
        bareNumbers[number.index] = bareNumbers[first.index]
      }
    case .part(.object(let index), _):
      guard objectNumbers[index] == 0, let object = graph.objects[index] else { return }
      objectNumbers[index] = UInt32(clamping: entries.count)
      try entries.append(.object(index))
      work.append(.type(object.type))
      let fields = object.values.indices
      // The list of a dictionary's keys is the only field whose scalars have another role.
      let keyField = graph.keyLists[object.keys].indexOfDictionaryKeys.map { fields.lowerBound + $0 }
      // The first fields without parts of their own need not wait for others.
      let leafEnd = fields.first { !graph.parts[$0].isLeaf } ?? fields.upperBound
      for field in (leafEnd..<fields.upperBound).reversed() {
        work.append(.part(graph.parts[field], field == keyField ? .key : .value))
      }
      for field in fields.lowerBound..<leafEnd {
        try take(.part(graph.parts[field], field == keyField ? .key : .value))
      }
    case .part(.list(let elements), let role), .part(.set(let elements), let role):
      for part in graph.parts[elements.indices].reversed() {
        work.append(.part(part, role == .key ? .key : .element))
      }
    case .part(.dictionary(let entries), _):
      for value in graph.parts[entries.values].reversed() { work.append(.part(value, .value)) }
    }
  }
}
