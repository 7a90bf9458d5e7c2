@testable import Ferry

extension EventTape {
  /// All events in words, to compare two streams of them.
  var log: String {
    (TapeIndex.start..<end).map { index in
      switch kind(at: index) {
      case .string, .key, .number:
        "\(kind(at: index)) \(Array(string(at: index).utf8)) \(textFlags(at: index))"
      case .integer: "integer \(integer(at: index))"
      case .real, .date: "\(kind(at: index)) \(real(at: index).bitPattern)"
      case .boolean: "boolean \(boolean(at: index))"
      default: "\(kind(at: index))"
      }
    }.joined(separator: "\n")
  }

  private func textFlags(at index: TapeIndex) -> String {
    let text = text(at: index)
    return "\(text.isASCII) \(text.hasSurrogates) \(text.utf16)"
  }
}
