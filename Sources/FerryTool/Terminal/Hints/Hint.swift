/// The command's advice about a problem: an option or a command that helps. The library's messages name neither, because the
/// library also runs in programs that are not the command.
enum Hint: Hashable {
  /// Advice in brackets after the message.
  case brackets(String)
  /// Advice in the brackets at the end of the message, after a semicolon.
  case joined(String)
  /// Advice after the message and a semicolon.
  case clause(String)
  /// A sentence instead of the message, which names an option, and the advice in it.
  case sentence(String, advice: String? = nil)

  /// The advice alone.
  var advice: String? {
    switch self {
    case .brackets(let text), .joined(let text), .clause(let text): text
    case .sentence(_, let advice): advice
    }
  }

  /// Returns a message of the library with the advice.
  func added(to message: String) -> String {
    switch self {
    case .brackets(let text): "\(message) (\(text))"
    case .joined(let text):
      message.hasSuffix(")") ? "\(message.dropLast()); \(text))" : "\(message) (\(text))"
    case .clause(let text): "\(message); \(text)"
    case .sentence(let text, _): text
    }
  }
}

extension Hint {
  /// Returns the hint with another option in place of `--from`, which names the format of a file in most commands.
  func naming(formatOption option: String) -> Hint {
    func naming(_ text: String) -> String { text.replacing("--from ", with: "\(option) ") }
    switch self {
    case .brackets(let text): return .brackets(naming(text))
    case .joined(let text): return .joined(naming(text))
    case .clause(let text): return .clause(naming(text))
    case .sentence(_, nil): return self
    case .sentence(let text, let advice?):
      return .sentence(text.replacing(advice, with: naming(advice)), advice: naming(advice))
    }
  }
}

extension Hint: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self = .brackets(text) }
}

extension Hint? {
  /// Returns a message of the library with the advice, if there is one.
  func added(to message: String) -> String { self?.added(to: message) ?? message }
}
