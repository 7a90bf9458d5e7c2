extension ArchiveReader {
  /// The references in an archive, for readers in several threads.
  struct References: Sendable {
    /// The number of references to each object, counted up to 2.
    let counts: [UInt8]
    /// For each object, false: no reader sends references.
    let hasBegun: [Bool]
  }

  /// Returns the number of elements of the root, if it is a list that can be sent in ranges of elements; otherwise nil. No object may have
  /// an identity, because a later occurrence in another range would be a reference to it.
  ///
  /// - Parameter references: The references in the whole archive.
  mutating func countOfElements(_ references: References) throws(FerryError) -> Int? {
    guard objects.hasOnlyRoot, sharing == .leavesInFull || sharing == .inFull else { return nil }
    (referenceCounts, hasBegun) = (references.counts, references.hasBegun)
    if refersToScalars, try objects.repeatsOutweigh(sentLimit, among: referenceCounts) { return nil }
    guard try !sharesObjects() else { return nil }
    try send(objects.top[0].node)
    guard frames.count == 1, case .array = frames[0].content else { return nil }
    return frames[0].count
  }

  /// Returns true if an object that is sent with an identity has several references.
  private func sharesObjects() throws(FerryError) -> Bool {
    for number in objects.numbers where referenceCounts[number.index] > 1 {
      let node = try objects.node(of: number)
      guard case .dictionary(let count) = try nodes.kind(of: node),
        let type = try objects.type(of: node, count: count)
      else { continue }
      let decodedForm = try decodedForms.decodedForm(of: type, node, count)
      if case .scalar? = decodedForm { continue }
      if case .archived(let part)? = decodedForm, try decodedForms.isScalar(part) { continue }
      if try hasIdentity(node, count, decodedForm) { return true }
    }
    return false
  }

  /// Sends the root, which is a list, with only some of its elements. The caller compares the costs of all elements with their limits.
  ///
  /// - Parameter references: The references in the whole archive, whose root `countOfElements` has found to be a list.
  mutating func read(_ elements: Range<Int>, _ references: References) throws(FerryError) -> NodeCosts {
    (referenceCounts, hasBegun) = (references.counts, references.hasBegun)
    try send(objects.top[0].node)
    guard frames.count == 1, elements.upperBound <= frames[0].count else { throw .stopped }
    (frames[0].index, frames[0].count) = (elements.lowerBound, elements.upperBound)
    try sendFrames()
    return NodeCosts(values: sent, names: objects.costOfNames)
  }
}
