/// The values and traits of the scalars in a file, as they were found with its layout. The objects of an archive among them need not be
/// compared a second time.
struct KnownScalars {
  /// For each node that is not the first with its value, the first node, plus one, or 0 if it is unknown. From the first use of a value on,
  /// its first node has the number of the object that was used, and the highest bit.
  private var values: [UInt32]
  private let traits: [ScalarTraits]
  private static let isUsed: UInt32 = 1 << 31
  /// The number of nodes, and of objects, from which on scalars are compared again.
  static let limit = Int(isUsed)

  /// Returns nil for a file with too many nodes.
  init?(_ sharing: ScalarSharing<BinaryPropertyList>) {
    guard sharing.links.count < Self.limit else { return nil }
    (values, traits) = (sharing.links, sharing.traits)
  }

  /// Returns the first object that was passed and has an equal value, which may be the object itself, and the traits of the object.
  /// Returns nil if the value of its node is unknown.
  mutating func firstObject(_ object: NodeID, at node: NodeID) -> (object: NodeID, traits: ScalarTraits)? {
    guard node.index < values.count else { return nil }
    let traits = traits[node.index]
    let isFirst = traits.contains(.firstOfValue)
    guard isFirst || values[node.index] != 0 else { return nil }
    let value = isFirst ? node.index : Int(values[node.index] - 1)
    if values[value] & Self.isUsed == 0 { values[value] = Self.isUsed | UInt32(object.index) }
    return (NodeID(Int(values[value] & ~Self.isUsed)), traits.ofObject)
  }
}
