/// Which objects a binary property list has, in which order, and which number refers to each: CoreFoundation's rules.
///
/// The tree is walked depth first: a dictionary, all its keys, then all its values; an array, its elements. Collections,
/// booleans and references of an archive are a new object every time they are met. Strings, numbers, dates and data are
/// not if they are shared with an earlier one. References name the first object that is the same. So `[true, true]` is
///
///     object 0   array of object 1, object 1
///     object 1   true
///     object 2   true, to which nothing refers
struct ObjectOrder {
  /// The node that each object is made of.
  private(set) var nodes: [UInt32] = []
  /// The number that references to each node are written as.
  private(set) var numbers: [UInt32]

  private let tree: PropertyListArena
  private let sharing: BinaryPropertyListWriter.Sharing
  private var values: ScalarTable
  /// Keys that are constants of a program are never the same objects as the strings it archives.
  private var keys: ScalarTable
  private var firstFalse: UInt32?
  private var firstTrue: UInt32?

  /// A collection whose children are being numbered.
  private struct Frame {
    let node: Int
    let count: Int
    let isDictionary: Bool
    var next = 0
  }

  private var frames: [Frame] = []

  init(of tree: PropertyListArena, sharing: BinaryPropertyListWriter.Sharing) throws(Failure) {
    self.tree = tree
    self.sharing = sharing
    numbers = [UInt32](repeating: 0, count: tree.nodeCount)
    (values, keys) = (ScalarTable(tree), ScalarTable(tree))
    try add(tree.root, isKey: false)
    while let top = frames.indices.last {
      let frame = frames[top]
      let isKey = frame.isDictionary && frame.next < frame.count
      guard frame.next < (frame.isDictionary ? 2 * frame.count : frame.count) else {
        frames.removeLast()
        continue
      }
      frames[top].next += 1
      if isKey {
        try add(tree.key(frame.next, of: frame.node), isKey: true)
      } else if frame.isDictionary {
        try add(tree.value(frame.next - frame.count, of: frame.node), isKey: false)
      } else {
        try add(tree.element(frame.next, of: frame.node), isKey: false)
      }
    }
  }

  private mutating func add(_ node: Int, isKey: Bool) throws(Failure) {
    let number = UInt32(nodes.count)
    switch try tree.kind(of: node) {
    case .array(let count), .set(let count):
      frames.append(Frame(node: node, count: count, isDictionary: false))
      numbers[node] = number
    case .dictionary(let count):
      frames.append(Frame(node: node, count: count, isDictionary: true))
      numbers[node] = number
    case .boolean(false):
      firstFalse = firstFalse ?? number
      numbers[node] = firstFalse ?? number
    case .boolean(true):
      firstTrue = firstTrue ?? number
      numbers[node] = firstTrue ?? number
    case .uid:
      numbers[node] = number
      numbers[node] = numbers[values.first(equalTo: node)]
    case let kind:
      let first =
        switch sharing {
        case .equalScalars: values.first(equalTo: node)
        case .archiver where isKey:
          try isConstantKey(node) ? keys.first(equalTo: node) : values.first(equalTo: node)
        case .archiver: try isSharedByArchiver(node, kind) ? values.first(equalTo: node) : node
        }
      guard first == node else {
        numbers[node] = numbers[first]
        return
      }
      numbers[node] = number
    }
    nodes.append(UInt32(node))
  }

  /// Whether a key is a constant to an archiver: Foundation's own keys, and those too long for a pointer.
  private func isConstantKey(_ node: Int) throws(Failure) -> Bool {
    guard try tree.kind(of: node) == .string else { return false }
    return try tree.withText(of: node) { text throws(Failure) in
      text.utf8.starts(with: "NS") || text.utf8.starts(with: "$") || !text.fitsInPointer
    }
  }

  /// Whether equal values of this kind are the same object to an archiver: numbers and short strings, which are kept
  /// in a pointer, and the names of classes that are constants of Foundation.
  private func isSharedByArchiver(_ node: Int, _ kind: NodeKind) throws(Failure) -> Bool {
    switch kind {
    case .data: return false
    case .string:
      return try tree.withText(of: node) { text throws(Failure) in
        text.fitsInPointer || text.isFoundationConstant
      }
    default: return true
    }
  }
}

extension Text {
  /// Whether this is a class name that archives share because it is a constant of Foundation.
  fileprivate var isFoundationConstant: Bool {
    for name: StaticString in [
      "NSDictionary", "NSMutableArray", "NSMutableData", "NSMutableDictionary", "NSMutableSet",
      "NSMutableString",
    ] where equals(name) { return true }
    return false
  }

  /// Whether Apple's 64-bit systems keep this string in a pointer: 7 bytes of ASCII; 9 characters of an alphabet of 64,
  /// 6 bits each; 11 of its first 32, 5 bits each.
  var fitsInPointer: Bool {
    guard isASCII, utf8.count <= 11 else { return false }
    if utf8.count <= 7 { return true }
    let limit = utf8.count <= 9 ? 64 : 32
    for index in utf8.indices where Self.placeInAlphabet[Int(utf8[index])] >= limit { return false }
    return true
  }

  /// Each byte's place in the alphabet, most frequent characters first; 64 for those that are not in it.
  private static let placeInAlphabet: [UInt8] = {
    var places = [UInt8](repeating: 64, count: 256)
    let alphabet = "eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX"
    for (place, character) in alphabet.utf8.enumerated() { places[Int(character)] = UInt8(place) }
    return places
  }()
}
