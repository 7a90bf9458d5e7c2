struct TypedArchiveReader {
  init(_ tape: EventTape, _ parts: [String: Int], _ layout: [String: Int]) throws(Failure) {}
  func send(to tree: PropertyListTree) throws(Failure) { throw Failure(.typed(.missing("x"))) }
}
