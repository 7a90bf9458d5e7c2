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

  /// The entries in the order of their object numbers.
  private(set) var entries: [Entry] = [.nothing]
  /// The scalars that share an object, or do not share one, contrary to the sharing rule.
  var deviations: [SharingDeviation] { bare.deviations }

  private let graph: ArchiveGraph
  private var objectNumbers: [Int]
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
    _ graph: ArchiveGraph, _ source: ScalarSharing<BareScalars>.Source, known: KnownScalars? = nil
  ) throws(FerryError) {
    self.graph = graph
    self.known = graph.bare.nodeCount < KnownScalars.limit ? known : nil
    objectNumbers = [Int](repeating: 0, count: graph.objects.count)
    typeNumbers = [Int](repeating: 0, count: graph.types.count)
    bareNumbers = [UInt32](repeating: 0, count: graph.bare.nodeCount)
    entries.reserveCapacity(graph.bare.nodeCount)
    bare = ScalarSharing(of: graph.bare, rule: .objects, from: source)
    for part in graph.top.map(\.value) + graph.others {
      work.append(.part(part, .value))
      while let step = work.popLast() { try take(step) }
    }
  }

  /// Returns the object number that a part refers to.
  func number(of part: ArchiveGraph.Part) -> Int {
    switch part {
    case .object(let index): objectNumbers[index]
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
      entries.append(.type(type))
    case .part(.nothing, _), .part(.scalar, _): break
    case .part(.bare(let number), let role):
      let node = graph.bare.node(number)
      if let known = known?.firstObject(number, at: node) {
        bare.note(number, equalTo: known.object, known.traits)
      }
      let first = try bare.object(for: number, nil, role)
      if first == number, bareNumbers[number.index] == 0 {
        bareNumbers[number.index] = UInt32(clamping: entries.count)
        entries.append(.bare(number))
      } else {
        bareNumbers[number.index] = bareNumbers[first.index]
      }
    case .part(.object(let index), _):
      guard objectNumbers[index] == 0, let object = graph.objects[index] else { return }
      objectNumbers[index] = entries.count
      entries.append(.object(index))
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
