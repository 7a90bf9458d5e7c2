/// An archive as its objects: the information in its property list, without object numbers and without loss.
///
/// The typed form of an archive is a text of this graph. The graph is made from an archive (`init(_:
/// ArchiveObjects)`) or from a typed document (`TypedArchiveReader`), and converted back to an archive's
/// property list (`ArchiveGraphWriter`).
struct ArchiveGraph {
  /// The value of a key, or an element of a collection.
  indirect enum Part {
    /// A null reference.
    case nothing
    /// An object, by its index.
    case object(Int)
    /// A reference to a scalar among the objects, by its number in `bare`.
    case bare(Int)
    /// An inline scalar.
    case scalar(Int)
    /// Inline collections; the keys of a dictionary are scalars.
    case list([Part])
    case set([Part])
    case dictionary([(key: Int, value: Part)])
  }

  /// An object of a class. Its fields are in the order of their encoding, as far as that is known.
  struct Object {
    var type: Int
    var fields: [(key: Int, value: Part)]
  }

  /// The scalars, keys included.
  let scalars: any PropertyListNodes
  /// The scalars that are objects. A number means the object in an archive, and the single occurrence in a
  /// typed document.
  let bare: BareScalars
  var archiver: String
  var top: [(name: String, value: Part)] = []
  /// The objects by index; nil for class descriptions and scalars.
  var objects: [Object?] = []
  /// The objects that no root can reach, or that are nested too deeply to be written inline.
  var others: [Part] = []
  var types: [ObjectClass] = []
}

/// The scalars among an archive's objects, under their object numbers, as nodes for `ScalarSharing`.
struct BareScalars: PropertyListNodes {
  let nodes: any PropertyListNodes
  /// The archive whose object numbers are used; nil if the numbers are those of nodes.
  let archive: ArchiveObjects?

  var root: Int { 0 }
  var nodeCount: Int { archive?.count ?? nodes.nodeCount }
  var byteCount: Int { nodes.byteCount }

  /// Returns the node of a scalar.
  func node(_ number: Int) throws(FerryError) -> Int {
    guard let archive else { return number }
    return try archive.node(of: UInt64(number), referredFrom: nodes.root)
  }

  func kind(of number: Int) throws(FerryError) -> NodeKind { try nodes.kind(of: node(number)) }
  func element(_ index: Int, of number: Int) throws(FerryError) -> Int {
    try nodes.element(index, of: node(number))
  }
  func key(_ index: Int, of number: Int) throws(FerryError) -> Int { try nodes.key(index, of: node(number)) }
  func value(_ index: Int, of number: Int) throws(FerryError) -> Int {
    try nodes.value(index, of: node(number))
  }
  func withText<R>(of number: Int, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    try nodes.withText(of: node(number), body)
  }
  func withData<R>(of number: Int, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try nodes.withData(of: node(number), body)
  }
  func position(of number: Int) -> Position { nodes.position(of: number) }
  func length(of number: Int) throws(FerryError) -> Int { try nodes.length(of: node(number)) }
}

extension ArchiveGraph.Part {
  /// Calls a function with each reference in a part, in order, including those in inline collections.
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
  /// The content of an object, in a short form if there is one.
  enum Shape {
    /// `NS.objects`: references only.
    case list([Part])
    /// `NS.keys` and `NS.objects`, with distinct strings as keys.
    case entries([(key: Int, value: Part)])
    /// `NS.time`, a real.
    case date(Double)
    case fields
  }

  func shape(of object: Object) throws(FerryError) -> Shape {
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
        guard texts.insert(try bare.bytes(ofText: number)).inserted else { return .fields }
        entries.append((number, value))
      }
      return .entries(entries)
    default: return .fields
    }
  }
}

extension ArchiveGraph.Part {
  /// True for a reference, including a null reference.
  var isReference: Bool {
    switch self {
    case .nothing, .object, .bare: true
    default: false
    }
  }
}
