extension String {
  /// The text with its control characters escaped, so that the name of a file, or what is in it, neither breaks a line
  /// nor speaks to the terminal: `a\u{1b}[31m.xml`.
  var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl { text += scalar.escaped } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may act on the scalar instead of showing it.
  var isControl: Bool { properties.generalCategory == .control }

  /// `\n`, `\t`, or the scalar's number.
  var escaped: String {
    switch self {
    case "\n": "\\n"
    case "\t": "\\t"
    default: "\\u{" + String(value, radix: 16) + "}"
    }
  }
}
