/// The lists of keys of an archive's objects. Most objects of a class have the same keys, in the same nodes of the file, so
/// that each list is examined once.
final class KeyLists {
  /// The keys of objects, without `$class`.
  struct List {
    let keys: [NodeID]
    /// The index of `NS.keys`, whose value is the list of a dictionary's keys.
    let indexOfDictionaryKeys: Int?
  }

  /// The order in which an archiver writes the keys of a list.
  struct Order {
    /// A number that is equal for lists with equal texts.
    let number: Int
    /// The indices of the keys, with that of `$class` last before sorting, in the order of an archiver's hash table.
    let hashOrder: [Int]
  }

  private let nodes: any PropertyListNodes
  private var lists: [List] = []
  private var numbers: [[NodeID]: Int] = [:]
  /// The orders of the lists that were asked for.
  private var orders: [Int: Order] = [:]
  private var numbersOfTexts: [[[UInt8]]: Int] = [:]

  /// - Parameter nodes: The nodes of the keys.
  init(of nodes: any PropertyListNodes) { self.nodes = nodes }

  subscript(number: Int) -> List { lists[number] }

  /// Returns the number of a list of keys, which are in the order of encoding.
  func number(of keys: [NodeID]) throws(FerryError) -> Int {
    if let known = numbers[keys] { return known }
    var indexOfDictionaryKeys: Int?
    for (index, key) in keys.enumerated() where try nodes.isString(key, "NS.keys") {
      indexOfDictionaryKeys = index
    }
    numbers[keys] = lists.count
    lists.append(List(keys: keys, indexOfDictionaryKeys: indexOfDictionaryKeys))
    return lists.count - 1
  }

  /// Returns the order of the list with a number.
  func order(of number: Int) throws(FerryError) -> Order {
    if let known = orders[number] { return known }
    var texts: [[UInt8]] = []
    var hashes: [UInt64] = []
    for key in lists[number].keys {
      try nodes.withText(of: key) { text throws(FerryError) in
        texts.append([UInt8](copying: text.utf8))
        hashes.append(KeyOrder.hash(text.utf16))
      }
    }
    hashes.append(Self.hashOfClass)
    let numberOfTexts = numbersOfTexts[texts] ?? numbersOfTexts.count
    numbersOfTexts[texts] = numberOfTexts
    let order = Order(number: numberOfTexts, hashOrder: KeyOrder.indices(of: hashes))
    orders[number] = order
    return order
  }

  private static let hashOfClass = KeyOrder.hash(Array("$class".utf16))
}
