/// An adapter that replaces each key that is not a scalar by its JSON text, which paths use as the key's
/// name.
///
///     {first: "Ada"}: 1    →    "{\"first\":\"Ada\"}": 1
///
/// Two kinds of keys stay unchanged: a key that contains an object with other references, because these need
/// its identity; and a key whose text would exceed the budget for the texts of keys.
final class ShownKeys: HeldKeys, OpenedDataSink, ArchiveEntrySink {
  private let pointers: ObjectPointers
  /// True if an object has an identity also if nothing else refers to it.
  private let areNumbered: Bool

  init(to next: any ValueSink, budget: Budget, inputBytes: Int, areNumbered: Bool = false) {
    pointers = ObjectPointers(budget: budget, inputBytes: inputBytes)
    self.areNumbered = areNumbered
    super.init(to: next)
  }

  override func key(on tape: EventTape) throws(FerryError) {
    guard !tape.isScalar, !tape.mayBeReferred(areNumbered: areNumbered),
      let key = try? PlainForm.json(ofKey: tape, pointers: pointers)
    else { return try super.key(on: tape) }
    try next.key(BorrowedText(key.text.span))
  }
}

extension EventTape {
  /// Returns true if the value contains a reference, or an object to which there may be one.
  ///
  /// - Parameter areNumbered: True if the identity of an object does not show that there are references to it.
  fileprivate func mayBeReferred(areNumbered: Bool) -> Bool {
    for index in 0..<count {
      switch kind(at: TapeIndex(index)) {
      case .reference: return true
      case .beginObject where !areNumbered && identity(at: TapeIndex(index)) != nil: return true
      default: break
      }
    }
    return false
  }
}
