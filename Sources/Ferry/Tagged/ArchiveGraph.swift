/// The objects of an archive as a graph. It has all information of the archive's property list except the
/// object numbers.
///
/// The typed form of an archive is a textual notation of this graph. A graph is read from an archive
/// (`init(_: ArchiveObjects)`) or from a typed document (`TypedArchiveReader`). `ArchiveGraphWriter` converts
/// it back to the property list of an archive.
struct ArchiveGraph {
  /// The value of a field, or an element of a collection.
  enum Part {
    /// A null reference (UID 0).
    case nothing
    /// An object, by its index.
    case object(Int)
    /// A scalar object, by its number in `bare`.
    case bare(NodeID)
    /// An inline scalar, by its node in `scalars`.
    case scalar(NodeID)
    /// An inline collection. The keys of an inline dictionary are scalars.
    case list([Part])
    case set([Part])
    case dictionary([(key: NodeID, value: Part)])
  }

  /// An object of a class. Its fields are in the order in which they were encoded, as far as that is known.
  struct Object {
    /// The type, in four bytes, because an archive may have millions of objects.
    private let typeIndex: UInt32
    /// False if it is known that no field has the key `NS.keys`.
    fileprivate let mayHaveKeyList: Bool
    var fields: [(key: NodeID, value: Part)]

    init(type: Int, fields: [(key: NodeID, value: Part)], mayHaveKeyList: Bool = true) {
      typeIndex = UInt32(clamping: type)
      (self.fields, self.mayHaveKeyList) = (fields, mayHaveKeyList)
    }

    var type: Int { Int(typeIndex) }
  }

  /// The nodes of all scalars, including keys.
  let scalars: any PropertyListNodes
  /// The scalars that are objects. Their numbers are object numbers if the graph comes from an archive. In a
  /// typed document, each occurrence has a number of its own.
  let bare: BareScalars
  var archiver: String
  var top: [(name: String, value: Part)] = []
  /// The objects by index, with nil for class descriptions and scalars.
  var objects: [Object?] = []
  /// The objects that no root can reach, and objects that are nested too deeply to be written inline.
  var others: [Part] = []
  var types: [ObjectClass] = []
  /// The object numbers of the class descriptions, by type. Empty in a typed document.
  var typeNumbers: [ObjectNumber] = []
  /// The number of occurrences of each object and scalar, by identity. Empty in a typed document.
  var occurrences: [UInt32] = []
  /// The lists of the objects' keys.
  let keyLists: KeyLists

  /// Creates a graph without objects.
  init(scalars: any PropertyListNodes, bare: BareScalars, archiver: String) {
    (self.scalars, self.bare, self.archiver) = (scalars, bare, archiver)
    keyLists = KeyLists(of: scalars)
  }

  /// Returns true if the key of an object's field is `NS.keys`, whose value is the list of a dictionary's keys.
  @inline(__always)
  func isKeyList(_ key: NodeID, of object: Object) throws(FerryError) -> Bool {
    guard object.mayHaveKeyList else { return false }
    return try scalars.isString(key, "NS.keys")
  }
}

/// The scalars among an archive's objects, by object number, as nodes for `ScalarSharing`.
struct BareScalars: PropertyListNodes {
  let nodes: any PropertyListNodes
  /// The archive whose object numbers are used, or nil if the numbers are those of nodes.
  let archive: ArchiveObjects?

  var root: NodeID { NodeID(0) }
  var nodeCount: Int { archive?.count ?? nodes.nodeCount }
  var byteCount: Int { nodes.byteCount }
  var budget: Budget { nodes.budget }

  /// Returns the node for a number.
  func node(_ number: NodeID) throws(FerryError) -> NodeID {
    guard let archive else { return number }
    return try archive.node(of: ObjectNumber(number.index))
  }

  func kind(of number: NodeID) throws(FerryError) -> NodeKind { try nodes.kind(of: node(number)) }
  func element(_ index: Int, of number: NodeID) throws(FerryError) -> NodeID {
    try nodes.element(index, of: node(number))
  }
  func key(_ index: Int, of number: NodeID) throws(FerryError) -> NodeID {
    try nodes.key(index, of: node(number))
  }
  func value(_ index: Int, of number: NodeID) throws(FerryError) -> NodeID {
    try nodes.value(index, of: node(number))
  }
  func withText<R>(of number: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R
  {
    try nodes.withText(of: node(number), body)
  }
  func withData<R>(of number: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try nodes.withData(of: node(number), body)
  }
  func location(of number: NodeID) -> InputLocation { nodes.location(of: number) }
  func length(of number: NodeID) throws(FerryError) -> Int { try nodes.length(of: node(number)) }
  func lengthOfStringOrData(_ number: NodeID) throws(FerryError) -> Int? {
    try nodes.lengthOfStringOrData(node(number))
  }
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
  /// The content of an object, in a short notation if it has one.
  enum Shape {
    /// A list: the only field is `NS.objects`, with references only. The class is not a dictionary, which would have no keys.
    case list([Part])
    /// A dictionary: the fields are `NS.keys` and `NS.objects`, and the keys are distinct strings.
    case entries([(key: NodeID, value: Part)])
    /// A date: the only field is `NS.time`, a real.
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
        parts.allSatisfy(\.isReference), name == "NSArray" || !types[object.type].isDictionary
      else { return .fields }
      return .list(parts)
    case 2:
      guard try scalars.isString(object.fields[0].key, "NS.keys"),
        try scalars.isString(object.fields[1].key, "NS.objects"),
        case .list(let keys) = object.fields[0].value, case .list(let values) = object.fields[1].value,
        keys.count == values.count, values.allSatisfy(\.isReference)
      else { return .fields }
      var texts: Set<[UInt8]> = []
      var entries: [(key: NodeID, value: Part)] = []
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
  /// True if the part has no parts of its own: if it is a scalar or a null reference.
  var isLeaf: Bool {
    switch self {
    case .nothing, .bare, .scalar: true
    default: false
    }
  }

  /// True if the part is a reference, including a null reference.
  var isReference: Bool {
    switch self {
    case .nothing, .object, .bare: true
    default: false
    }
  }
}
