extension String {
  /// The text with its control characters escaped, so that file names and contents neither break a line nor
  /// control the terminal: `a\u{1b}[31m.xml`.
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
  /// True if a terminal may interpret the scalar instead of showing it.
  var isControl: Bool { properties.generalCategory == .control }

  /// `\n`, `\t`, or the number of the scalar.
  var escaped: String {
    switch self {
    case "\n": "\\n"
    case "\t": "\\t"
    default: "\\u{" + String(value, radix: 16) + "}"
    }
  }
}
