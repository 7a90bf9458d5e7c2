public import Ferry
public import Foundation

extension FerryDecoder.DateStrategy {
  /// Text that a formatter reads, as with `JSONDecoder`.
  ///
  ///     let formatter = DateFormatter()
  ///     formatter.locale = Locale(identifier: "en_US_POSIX")
  ///     formatter.timeZone = .gmt
  ///     formatter.dateFormat = "yyyy/MM/dd"
  ///     decoder.dates = .formatted(formatter)
  ///     try decoder.decode([Date].self, from: #"["2001/01/02"]"#.utf8)
  ///
  /// A text that it does not read is an error, with the coding path.
  public static func formatted(_ formatter: DateFormatter) -> Self {
    .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = formatter.date(from: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "the formatter reads no date in \"\(text)\"")
      }
      return date
    }
  }
}
