// The order of the keys of new objects: the usual one of a binary archive, unless the archive shows another.

extension ArchiveEditor {
  /// The class of an object, and its keys in any order.
  struct Shape: Hashable {
    fileprivate let type: ObjectNumber
    fileprivate let keys: Set<ExactString>

    fileprivate init(_ type: ObjectNumber, _ keys: [String]) {
      (self.type, self.keys) = (type, Set(keys.map { ExactString($0) }))
    }
  }

  /// The maximum number of searches, and of objects whose keys are compared in each. A search may read the classes of all objects.
  private static let (mostSearches, mostComparisons) = (64, 200)

  /// Gives the keys of a new object the order that another object of its class with the same keys has, such as the original of a copy: an XML
  /// property list has sorted keys, and other archivers have orders of their own.
  func orderKeysAsInOthers(of number: ObjectNumber) throws(FerryError) {
    // A class without references has no other objects.
    guard let type = try references.classNumber(of: number), references.isUsed(type) else { return }
    let shape = Shape(type, try keys(of: number))
    if keyOrders[shape] == nil, keyOrders.count < Self.mostSearches {
      keyOrders[shape] = try keys(ofOther: shape, besides: number) ?? []
    }
    if let wanted = keyOrders[shape] { try order(objects.appending(.element(number.index)), as: wanted) }
  }

  /// Returns the keys of an object in their order.
  private func keys(of number: ObjectNumber) throws(FerryError) -> [String] {
    try names(at: objects.appending(.element(number.index)))
  }

  /// Returns the keys of the first other object in use with a shape; nil if there is none.
  private func keys(ofOther shape: Shape, besides number: ObjectNumber) throws(FerryError) -> [String]? {
    var comparisons = 0
    for other in references.numbers.dropFirst() where other != number && references.isUsed(other) {
      guard case .dictionary(shape.keys.count) = try list.kind(of: references.node(other)),
        try references.classNumber(of: other) == shape.type
      else { continue }
      guard comparisons < Self.mostComparisons else { return nil }
      comparisons += 1
      let keys = try keys(of: other)
      if Shape(shape.type, keys) == shape { return keys }
    }
    return nil
  }
}
