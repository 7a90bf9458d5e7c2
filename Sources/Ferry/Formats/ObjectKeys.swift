/// An adapter for keys that are objects in front of a plain form, which has only text for a key: the text of
/// a scalar, or the JSON of any other value.
///
/// It comes before `PlainForm`. Xcode's user states have thousands of keys that are URLs.
final class ObjectKeys: HeldKeys {
  private let plain: PlainForm

  init(to plain: PlainForm) {
    self.plain = plain
    super.init(to: plain)
  }

  override func key(on tape: EventTape) throws(FerryError) {
    if tape.isScalar { try super.key(on: tape) } else { try plain.key(valueOn: tape) }
  }
}

extension EventTape {
  /// True if the value is a scalar, possibly in an object of a class.
  var isScalar: Bool {
    for index in 0..<count {
      switch kind(at: index) {
      case .beginArray, .beginSet, .beginDictionary, .reference: return false
      default: break
      }
    }
    return true
  }

  /// The greatest nesting depth of keys inside keys that are not strings.
  var keyDepth: Int {
    var (depth, greatest) = (0, 0)
    for index in 0..<count {
      switch kind(at: index) {
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
