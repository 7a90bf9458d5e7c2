/// The colors of the output, by role.
package struct Colors {
  package let areShown: Bool

  package init(areShown: Bool) { self.areShown = areShown }

  package enum Role: String {
    case key = "36"
    case string = "32"
    case number = "33"
    case type = "1;35"
    case heading = "1"
    case warning = "31"
    case faint = "2"
  }

  /// Returns text in its color, with control characters escaped.
  package func callAsFunction(_ text: String, _ role: Role) -> String { colored(text.withoutControls, role) }

  /// Returns text in its color as it is. On a terminal, it must not have control characters.
  package func colored(_ text: String, _ role: Role) -> String {
    areShown ? "\u{1b}[\(role.rawValue)m\(text)\u{1b}[0m" : text
  }
}
