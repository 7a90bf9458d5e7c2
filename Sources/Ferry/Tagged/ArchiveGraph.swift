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
    /// An inline collection.
    case list(Parts)
    case set(Parts)
    /// An inline dictionary. The first half of its parts are the keys, which are scalars, and the second half the values.
    case dictionary(Parts)
  }

  /// A range of `parts`, in eight bytes.
  struct Parts {
    private let start: UInt32
    private let end: UInt32

    fileprivate init(_ indices: Range<Int>) {
      (start, end) = (UInt32(clamping: indices.lowerBound), UInt32(clamping: indices.upperBound))
    }

    var indices: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end - start) }

    /// The keys, if these are the parts of an inline dictionary.
    var keys: Range<Int> { indices.prefix(count / 2) }
    /// The values, if these are the parts of an inline dictionary.
    var values: Range<Int> { indices.suffix(count / 2) }
  }

  /// An object of a class. Its fields are in the order in which they were encoded, as far as that is known.
  struct Object {
    // In four bytes each, because an archive may have millions of objects.
    private let typeIndex: UInt32
    private let keyList: UInt32
    /// The values of the fields.
    let values: Parts

    init(type: Int, keys: Int, values: Parts) {
      (typeIndex, keyList) = (UInt32(clamping: type), UInt32(clamping: keys))
      self.values = values
    }

    var type: Int { Int(typeIndex) }
    /// The number of the list of the fields' keys in `keyLists`.
    var keys: Int { Int(keyList) }
  }

  /// The nodes of all scalars, including keys.
  let scalars: any PropertyListNodes
  /// The nodes of the scalars, if they are those of a binary file, which takes less time without a witness.
  let file: Unretained<BinaryPropertyList>?
  /// The scalars that are objects. Their numbers are object numbers if the graph comes from an archive. In a
  /// typed document, each occurrence has a number of its own.
  let bare: BareScalars
  var archiver: String
  var top: [(name: String, value: Part)] = []
  /// The values of all fields, and the elements of all inline collections. Each is in one collection or object only.
  var parts = PartList()
  /// The objects by index, with nil for class descriptions and scalars.
  var objects = ObjectList()
  /// The objects that no root can reach, and objects that are nested too deeply to be written inline.
  var others: [Part] = []
  var types: [ObjectClass] = []
  /// The object numbers of the class descriptions, by type. Empty in a typed document.
  var typeNumbers: [ObjectNumber] = []
  /// The number of occurrences of each object and scalar, by identity. Empty in a typed document.
  var occurrences = Occurrences()
  /// The lists of the objects' keys.
  let keyLists: KeyLists

  /// Creates a graph without objects.
  init(scalars: any PropertyListNodes, bare: BareScalars, archiver: String) {
    (self.scalars, self.bare, self.archiver) = (scalars, bare, archiver)
    file = (scalars as? BinaryPropertyList).map { Unretained($0) }
    keyLists = KeyLists(of: scalars)
  }

  /// Returns the node of a scalar that is the key of a dictionary.
  func node(ofKey key: Part) throws(FerryError) -> NodeID {
    switch key {
    case .scalar(let node): node
    case .bare(let number): bare.node(number)
    default: throw FerryError(.typed(.notExact))
    }
  }

  /// Adds parts for the caller to set. Throws if there are too many for `Parts`.
  mutating func addParts(_ count: Int) throws(FerryError) -> Parts {
    let start = parts.count
    try parts.append(count)
    return Parts(start..<start + count)
  }
}

/// The scalars among an archive's objects, by object number, as nodes for `ScalarSharing`.
struct BareScalars: PropertyListNodes {
  let nodes: any PropertyListNodes
  /// The nodes of an archive's objects, or nil if the numbers are those of nodes.
  let objects: [NodeID]?

  var root: NodeID { NodeID(0) }
  var nodeCount: Int { objects?.count ?? nodes.nodeCount }
  var byteCount: Int { nodes.byteCount }
  var budget: Budget { nodes.budget }

  /// Returns the node for a number.
  func node(_ number: NodeID) -> NodeID {
    objects.map { $0[number.index] } ?? number
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

extension ArchiveGraph {
  /// The content of an object, in a short notation if it has one.
  enum Shape {
    /// A list: the only field is `NS.objects`, with references only. The class is not a dictionary, which would have no keys.
    case list(Parts)
    /// A dictionary: the fields are `NS.keys` and `NS.objects`, and the keys are distinct strings.
    case entries(keys: Parts, values: Parts)
    /// A date: the only field is `NS.time`, a real.
    case date(Double)
    case fields
  }

  func shape(of object: Object) throws(FerryError) -> Shape {
    let values = parts[object.values.indices]
    guard (1...2).contains(values.count), let first = values.first, let last = values.last else {
      return .fields
    }
    let keys = keyLists[object.keys].keys
    guard values.count == 1 else {
      guard try scalars.isString(keys[0], "NS.keys"), try scalars.isString(keys[1], "NS.objects"),
        case .list(let keys) = first, case .list(let values) = last, keys.count == values.count,
        hasOnlyReferences(values), try areDistinctStrings(keys)
      else { return .fields }
      return .entries(keys: keys, values: values)
    }
    let type = types[object.type]
    if type.name == "NSDate", try scalars.isString(keys[0], "NS.time"), case .scalar(let node) = first,
      case .real(let seconds) = try scalars.kind(of: node)
    {
      return .date(seconds)
    }
    guard try scalars.isString(keys[0], "NS.objects"), case .list(let elements) = first,
      hasOnlyReferences(elements), type.name == "NSArray" || !type.isDictionary
    else { return .fields }
    return .list(elements)
  }

  private func hasOnlyReferences(_ range: Parts) -> Bool { parts[range.indices].allSatisfy(\.isReference) }

  private func areDistinctStrings(_ range: Parts) throws(FerryError) -> Bool {
    var texts: Set<[UInt8]> = []
    for index in range.indices {
      guard case .bare(let number) = parts[index], try bare.kind(of: number) == .string,
        texts.insert(try bare.bytes(ofText: number)).inserted
      else { return false }
    }
    return true
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
