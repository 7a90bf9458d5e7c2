/// An adapter that sends a key that is not a scalar as the text by which a path names it: its JSON.
///
///     {first: "Ada"}: 1    →    "{\"first\":\"Ada\"}": 1
///
/// A key with an object that has other references is sent as it is, because these need its mark; so is a key
/// whose text would go beyond the budget for the texts of all keys.
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
  /// True if an object of the value is, or may be, referred to.
  fileprivate var hasIdentities: Bool {
    for index in 0..<count {
      switch kind(at: index) {
      case .reference: return true
      case .beginObject where identity(at: index) != nil: return true
      default: break
      }
    }
    return false
  }
}
