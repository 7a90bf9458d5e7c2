/// The names of string nodes. Each node is looked up once.
struct NodeNames {
  private(set) var table = NameTable()
  /// For each node, the number of its name plus two; 0 if it was not looked up yet, 1 if the name table was
  /// full.
  private var numbers: [UInt32] = []
  /// For each name, the last dictionary that was found to have it as a key.
  private var lastDictionary: [NodeID] = []
  /// The maximum length of a name in code units. Longer strings are not examined.
  private static let longest = 4096

  /// Creates a table for a number of nodes.
  init(count: Int) {
    numbers = [UInt32](repeating: 0, count: count)
    for name in ArchiveName.allCases { _ = table.number(of: BorrowedText(name.text.utf8.span)) }
  }

  mutating func number(of node: NodeID, in nodes: some PropertyListNodes) -> Int? {
    if numbers[node.index] == 0 {
      numbers[node.index] = UInt32(look(up: node, in: nodes).map { $0 + 2 } ?? 1)
    }
    return numbers[node.index] == 1 ? nil : Int(numbers[node.index]) - 2
  }

  private mutating func look(up node: NodeID, in nodes: some PropertyListNodes) -> Int? {
    guard let length = try? nodes.length(of: node), length <= Self.longest else { return nil }
    var table = NameTable()
    swap(&table, &self.table)
    defer { swap(&table, &self.table) }
    return (try? nodes.withText(of: node) { text throws(FerryError) in table.number(of: text) }) ?? nil
  }

  /// Adds a name to the keys of a dictionary. Returns false if the dictionary already has the key.
  /// Dictionaries must be visited one after the other.
  mutating func insert(_ name: Int, of dictionary: NodeID) -> Bool {
    while lastDictionary.count <= name { lastDictionary.append(NodeID(-1)) }
    defer { lastDictionary[name] = dictionary }
    return lastDictionary[name] != dictionary
  }
}
