/// An archive as the objects that it holds: what its property list says without numbers, and nothing less.
///
/// The typed form of an archive is this graph written down. It is made of an archive (`init(_: ArchiveObjects)`) or of a
/// typed document (`TypedArchiveReader`), and makes an archive's property list again (`ArchiveGraphWriter`).
struct ArchiveGraph {
  /// What stands at a key or in a collection.
  indirect enum Part {
    /// The reference to no object.
    case nothing
    /// An object, by its index.
    case object(Int)
    /// A reference to a string, a number or data that stands bare among the objects: by its number in `bare`.
    case bare(Int)
    /// A scalar in place.
    case scalar(Int)
    /// Collections in place; a dictionary's keys are scalars.
    case list([Part])
    case set([Part])
    case dictionary([(key: Int, value: Part)])
  }

  /// An object of a class. Its fields are in the order in which they were encoded, as far as that is known.
  struct Object {
    var type: Int
    var fields: [(key: Int, value: Part)]
  }

  /// The scalars, keys among them.
  let scalars: any PropertyListNodes
  /// The scalars that are objects. In an archive a number names the object, in a typed document its one mention.
  let bare: BareScalars
  var archiver: String
  var top: [(name: String, value: Part)] = []
  /// The objects by index; nil where an archive's object is a class or bare.
  var objects: [Object?] = []
  /// Objects that are reached from no root, or too deep to be written in their place.
  var others: [Part] = []
  var types: [ObjectClass] = []
}

/// The scalars among an archive's objects, as the nodes that `ScalarSharing` looks at: their numbers are the objects'.
struct BareScalars: PropertyListNodes {
  let nodes: any PropertyListNodes
  /// The archive whose objects the numbers name; nil when they are those of nodes.
  let archive: ArchiveObjects?

  var root: Int { 0 }
  var nodeCount: Int { archive?.count ?? nodes.nodeCount }
  var byteCount: Int { nodes.byteCount }

  /// The node of a bare scalar.
  func node(_ number: Int) throws(Failure) -> Int {
    guard let archive else { return number }
    return try archive.node(of: UInt64(number), referredFrom: nodes.root)
  }

  func kind(of number: Int) throws(Failure) -> NodeKind { try nodes.kind(of: node(number)) }
  func element(_ index: Int, of number: Int) throws(Failure) -> Int {
    try nodes.element(index, of: node(number))
  }
  func key(_ index: Int, of number: Int) throws(Failure) -> Int { try nodes.key(index, of: node(number)) }
  func value(_ index: Int, of number: Int) throws(Failure) -> Int { try nodes.value(index, of: node(number)) }
  func withText<R>(of number: Int, _ body: (Text) throws(Failure) -> R) throws(Failure) -> R {
    try nodes.withText(of: node(number), body)
  }
  func withData<R>(of number: Int, _ body: (Span<UInt8>) throws(Failure) -> R) throws(Failure) -> R {
    try nodes.withData(of: node(number), body)
  }
  func position(of number: Int) -> Position { nodes.position(of: number) }
  func length(of number: Int) throws(Failure) -> Int { try nodes.length(of: node(number)) }
}

extension ArchiveGraph.Part {
  /// Calls `body` with each reference in a part, in order, those in collections in place among them.
  func forEachReference(_ body: (Self) -> Void) {
    switch self {
    case .nothing, .scalar: break
    case .object, .bare: body(self)
    case .list(let parts), .set(let parts): for part in parts { part.forEachReference(body) }
    case .dictionary(let entries): for entry in entries { entry.value.forEachReference(body) }
    }
  }
}

extension ArchiveGraph {
  /// What an object is beside its class, where there is a shorter way to say it.
  enum Shape {
    /// `NS.objects`: references only.
    case list([Part])
    /// `NS.keys` and `NS.objects`: the keys are different strings.
    case entries([(key: Int, value: Part)])
    /// `NS.time`, a real.
    case date(Double)
    case fields
  }

  func shape(of object: Object) throws(Failure) -> Shape {
    let name = types[object.type].name
    switch object.fields.count {
    case 1:
      let field = object.fields[0]
      if name == "NSDate", try scalars.isString(field.key, "NS.time"), case .scalar(let node) = field.value,
        case .real(let seconds) = try scalars.kind(of: node)
      {
        return .date(seconds)
      }
      guard try scalars.isString(field.key, "NS.objects"), case .list(let parts) = field.value,
        parts.allSatisfy(\.isReference)
      else { return .fields }
      return .list(parts)
    case 2:
      guard try scalars.isString(object.fields[0].key, "NS.keys"),
        try scalars.isString(object.fields[1].key, "NS.objects"),
        case .list(let keys) = object.fields[0].value, case .list(let values) = object.fields[1].value,
        keys.count == values.count, values.allSatisfy(\.isReference)
      else { return .fields }
      var texts: Set<[UInt8]> = []
      var entries: [(key: Int, value: Part)] = []
      for (key, value) in zip(keys, values) {
        guard case .bare(let number) = key, try bare.kind(of: number) == .string else { return .fields }
        let text = try bare.withText(of: number) { text throws(Failure) in [UInt8](copying: text.utf8) }
        guard texts.insert(text).inserted else { return .fields }
        entries.append((number, value))
      }
      return .entries(entries)
    default: return .fields
    }
  }
}

extension ArchiveGraph.Part {
  /// Whether this is a reference, if only to nothing.
  var isReference: Bool {
    switch self {
    case .nothing, .object, .bare: true
    default: false
    }
  }
}
