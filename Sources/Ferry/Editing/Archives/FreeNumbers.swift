/// The numbers of new objects of an archive, in order.
struct FreeNumbers {
  private var next: ObjectNumber
  /// The numbers that no new object gets.
  private let missing: Set<ObjectNumber>

  init(from next: ObjectNumber, besides missing: Set<ObjectNumber>) {
    (self.next, self.missing) = (next, missing)
  }

  /// Returns the next number.
  mutating func take() -> ObjectNumber {
    while missing.contains(next) { next = next.advanced(by: 1) }
    defer { next = next.advanced(by: 1) }
    return next
  }
}
