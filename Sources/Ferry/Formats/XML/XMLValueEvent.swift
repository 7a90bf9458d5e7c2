/// An event of XML values, without its text.
enum XMLValueEvent: Equatable {
  case scalar(XMLScalarType)
  case key, beginArray, endArray, beginDictionary, endDictionary

  /// True if the event is a scalar of any type.
  var isScalar: Bool { if case .scalar = self { true } else { false } }

  /// The change of the nesting depth.
  var depthChange: Int {
    switch self {
    case .scalar, .key: 0
    case .beginArray, .beginDictionary: 1
    case .endArray, .endDictionary: -1
    }
  }
}

extension ValueTape {
  mutating func append(_ event: XMLValueEvent, _ text: borrowing BorrowedText) {
    switch event {
    case .scalar(let type): scalar(type, text.utf8)
    case .key: key(text.utf8)
    case .beginArray: beginArray()
    case .endArray: endArray()
    case .beginDictionary: beginDictionary()
    case .endDictionary: endDictionary()
    }
  }
}
