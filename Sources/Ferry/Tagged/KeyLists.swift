/// The lists of keys of an archive's objects. Most objects of a class have the same keys, in the same nodes of the file, so
/// that each list is examined once.
final class KeyLists {
  /// A list of keys, in the order of encoding.
  struct Keys {
    /// The number of the list. Lists with equal texts have the same number.
    let number: Int
    /// The indices of the keys, with that of `$class` last before sorting, in the order of an archiver's hash table.
    let hashOrder: [Int]
  }

  private let nodes: any PropertyListNodes
  private var known: [[NodeID]: Keys] = [:]
  private var numbers: [[[UInt8]]: Int] = [:]

  /// - Parameter nodes: The nodes of the keys.
  init(of nodes: any PropertyListNodes) { self.nodes = nodes }

  /// Returns a list of keys, without `$class`.
  func keys(_ list: [NodeID]) throws(FerryError) -> Keys {
    if let known = known[list] { return known }
    var texts: [[UInt8]] = []
    var hashes: [UInt64] = []
    for key in list {
      try nodes.withText(of: key) { text throws(FerryError) in
        texts.append([UInt8](copying: text.utf8))
        hashes.append(KeyOrder.hash(text.utf16))
      }
    }
    hashes.append(Self.hashOfClass)
    let number = numbers[texts] ?? numbers.count
    numbers[texts] = number
    let keys = Keys(number: number, hashOrder: KeyOrder.indices(of: hashes))
    known[list] = keys
    return keys
  }

  private static let hashOfClass = KeyOrder.hash(Array("$class".utf16))
}
