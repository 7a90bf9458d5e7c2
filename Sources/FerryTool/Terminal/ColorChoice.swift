import ArgumentParser

/// The argument of `--color`: when to color the output.
enum ColorChoice: String, ArgumentWord {
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
