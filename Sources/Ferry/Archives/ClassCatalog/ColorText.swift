/// The text of a color: as on the web, `#RRGGBBAA` with two hexadecimal digits each for red, green, blue and
/// opacity; or as four numbers if a component is not a multiple of 1/255.
///
///     ColorText.hexadecimal([1, 0.5019607843, 0, 1])     // "#FF8000FF"
///     ColorText.decimal(["1", "0.33", "0", "1"])         // "#1 0.33 0 1"
enum ColorText {
  /// The description of both notations in messages.
  static let notation = "a color (#RRGGBB, #RRGGBBAA, or numbers from 0 to 1 as in \"#1 0.5 0 1\")"

  /// Returns the text of a color for four numbers.
  static func decimal(_ numbers: [String]) -> String { "#" + numbers.joined(separator: " ") }

  /// Parses a text of three or four numbers to four. Returns nil if it is invalid, or if a number is not
  /// between 0 and 1.
  static func numbers(_ text: String) -> [String]? {
    guard text.hasPrefix("#"), text.utf8.contains(UInt8(ascii: " ")) else { return nil }
    let numbers = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard 3...4 ~= numbers.count else { return nil }
    for number in numbers {
      guard number.utf8.span.flawInJSONNumber == nil, let value = Double(number), 0...1 ~= value else {
        return nil
      }
    }
    return numbers.count == 3 ? numbers + ["1"] : numbers
  }

  /// Parses a text in either notation to four numbers. Numbers from hexadecimal digits get the given number
  /// of significant digits.
  static func numbers(_ text: String, digits: Int) -> [String]? {
    numbers(text) ?? steps(text)?.map { number($0, digits: digits) }
  }

  /// Returns a text in normal form: with uppercase digits and with the opacity. Returns nil if it is invalid.
  static func normalized(_ color: String) -> String? {
    numbers(color).map(decimal) ?? steps(color).map { text($0) }
  }

  /// Returns true if a text agrees with components: exactly, or rounded to 256 steps if it is hexadecimal.
  static func fits(_ color: String, _ components: [Double]) -> Bool {
    if let numbers = numbers(color) { return numbers.compactMap(Double.init) == components }
    return hexadecimal(components) == color
  }

  /// Returns the hexadecimal text of components between 0 and 1, each rounded to 256 steps. Returns nil if
  /// one is out of range.
  static func hexadecimal(_ components: [Double]) -> String? {
    var steps: [UInt8] = []
    for component in components {
      guard let step = UInt8(exactly: (component * 255).rounded()) else { return nil }
      steps.append(step)
    }
    return text(steps)
  }

  /// Returns the hexadecimal text of four steps from 0 to 255.
  static func text(_ steps: [UInt8]) -> String {
    steps.reduce(into: "#") { text, step in
      text += (step < 16 ? "0" : "") + String(step, radix: 16, uppercase: true)
    }
  }

  /// Parses a hexadecimal text with or without opacity, `#FF8000FF` or `#FF8000`, to four steps from 0 to
  /// 255. Returns nil if it is invalid.
  static func steps(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.first == UInt8(ascii: "#"), digits.count == 7 || digits.count == 9 else { return nil }
    var steps: [UInt8] = []
    for index in stride(from: 1, to: digits.count, by: 2) {
      guard let high = digits[index].hexDigit, let low = digits[index + 1].hexDigit else { return nil }
      steps.append(high << 4 | low)
    }
    return steps.count == 3 ? steps + [255] : steps
  }

  /// Returns `step / 255` with the given number of significant digits. AppKit writes ten digits, UIKit three.
  ///
  ///     number(170, digits: 10)     // 0.6666666667
  static func number(_ step: UInt8, digits: Int) -> String {
    if step == 0 { return "0" }
    if step == 255 { return "1" }
    // Below 26/255 and 3/255 the fraction begins with one or two zeros, which are not significant.
    let fractionDigits = step >= 26 ? digits : step >= 3 ? digits + 1 : digits + 2
    let power = (0..<fractionDigits).reduce(1) { power, _ in power * 10 }
    let rounded = String((Int(step) * power + 127) / 255)
    var text = String(repeating: "0", count: max(0, fractionDigits - rounded.utf8.count)) + rounded
    while text.last == "0" { text.removeLast() }
    return "0." + text
  }
}
