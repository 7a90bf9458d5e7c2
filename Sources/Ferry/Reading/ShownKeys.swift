/// An adapter that replaces each key that is not a scalar by its JSON text, which paths use as the key's
/// name.
///
///     {first: "Ada"}: 1    →    "{\"first\":\"Ada\"}": 1
///
/// Two kinds of keys stay unchanged: a key that contains an object with other references, because these need
/// its identity; and a key whose text would exceed the budget for the texts of keys.
final class ShownKeys: HeldKeys {
  private let pointers: ObjectPointers

  init(to next: any ValueSink, budget: Budget, inputBytes: Int) {
    pointers = ObjectPointers(budget: budget, inputBytes: inputBytes)
    super.init(to: next)
  }

  override func key(on tape: EventTape) throws(FerryError) {
    guard !tape.isScalar, !tape.hasIdentities,
      let key = try? PlainForm.json(ofKey: tape, pointers: pointers)
    else { return try super.key(on: tape) }
    try next.key(BorrowedText(key.text.span))
  }
}

extension EventTape {
  /// True if the value contains an object that is, or may be, referred to.
  fileprivate var hasIdentities: Bool {
    for index in 0..<count {
      switch kind(at: TapeIndex(index)) {
      case .reference: return true
      case .beginObject where identity(at: TapeIndex(index)) != nil: return true
      default: break
      }
    }
    return false
  }
}
