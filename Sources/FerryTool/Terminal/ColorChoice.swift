import ArgumentParser

/// The argument of `--color`: when to color the output.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  /// On a terminal, unless `NO_COLOR` is set.
  case auto
  case always, never

  /// True if the standard output is colored.
  var showsColors: Bool {
    switch self {
    case .auto: Terminal.showsColors
    case .always: true
    case .never: false
    }
  }
}

/// The colors of the output, by role.
struct Colors {
  let areShown: Bool

  enum Role: String {
    case key = "36"
    case string = "32"
    case number = "33"
    case type = "1;35"
    case heading = "1"
    case warning = "31"
    case faint = "2"
  }

  /// Returns text in its color, with control characters escaped.
  func callAsFunction(_ text: String, _ role: Role) -> String {
    let text = text.withoutControls
    return areShown ? "\u{1b}[\(role.rawValue)m\(text)\u{1b}[0m" : text
  }
}
