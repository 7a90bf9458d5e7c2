/// An adapter that converts keys which are not strings, because the plain form allows only text. A scalar
/// becomes its text, and any other value its JSON.
///
/// It precedes `PlainForm`. It must be fast: Xcode's user states, for example, contain thousands of keys that
/// are URLs.
final class ObjectKeys: HeldKeys, BatchSink {
  private let plain: PlainForm
  let prefersBatches: Bool
  let takesObjects: Bool

  init(to plain: PlainForm) {
    self.plain = plain
    (prefersBatches, takesObjects) = (plain.prefersBatches, plain.takesObjects)
    super.init(to: plain)
  }

  /// Forwards a batch, unless it is inside a key.
  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    if held == nil { try plain.receive(events) } else { try receiveSingly(events) }
  }

  override func key(on tape: EventTape) throws(FerryError) {
    if tape.isScalar { try super.key(on: tape) } else { try plain.key(valueOn: tape) }
  }
}

extension EventTape {
  /// True if the value is a scalar, or an object whose content is a scalar.
  var isScalar: Bool {
    for index in 0..<count {
      switch kind(at: TapeIndex(index)) {
      case .beginArray, .beginSet, .beginDictionary, .reference: return false
      default: break
      }
    }
    return true
  }

  /// The maximum nesting depth of keys that are not strings inside such keys.
  var keyDepth: Int {
    var (depth, greatest) = (0, 0)
    for index in 0..<count {
      switch kind(at: TapeIndex(index)) {
      case .beginKey:
        depth += 1
        greatest = max(greatest, depth)
      case .endKey: depth -= 1
      default: break
      }
    }
    return greatest
  }
}
