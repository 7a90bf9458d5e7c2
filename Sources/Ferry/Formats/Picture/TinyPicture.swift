/// A picture of 8 × 8 pixels, each black or white, as in TinyPix documents.
///
///     00 66 ff ff ff 7e 3c 18      eight bytes, one for each row; bit n is column n
///     ["........", ".##..##.", "########", "########", "########", ".######.", "..####..", "...##..."]
struct TinyPicture: Hashable {
  /// The number of rows, and of columns.
  static let size = 8
  /// The rows from the top, one byte each. The lowest bit is the first column, and a set bit is black.
  let tinyPix: [UInt8]

  /// Reads a TinyPix file.
  init(tinyPix bytes: [UInt8]) throws(FerryError) {
    guard bytes.count == Self.size else {
      throw FerryError(
        .content(.wrongSize(bytes.count, wanted: Self.size)),
        at: InputLocation(byte: min(bytes.count, Self.size)))
    }
    tinyPix = bytes
  }

  /// Creates a picture from rows of pixels. True is black.
  init(black pixels: [[Bool]]) {
    tinyPix = pixels.map { row in
      row.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }
    }
  }

  /// Returns true if a pixel is black.
  func isBlack(row: Int, column: Int) -> Bool { tinyPix[row] >> UInt8(column) & 1 == 1 }

  // MARK: As values

  /// Creates a picture from an array of eight strings of `#` and `.`. The array may be inside dictionaries
  /// with a single entry.
  ///
  /// - Parameter losses: Receives a loss for the dictionaries.
  init(_ value: Value, _ losses: LossReport?) throws(FerryError) {
    let value = value.withoutWrapping(losses)
    guard case .array(let rows) = value, rows.count == Self.size else {
      throw FerryError(.content(.notAPicture(found: value.kindInWords)))
    }
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      guard case .string(let text) = row else {
        throw FerryError(.content(.badRow(row.kindInWords)), path: ValuePath([.index(index)]))
      }
      guard let byte = Self.row(text) else {
        throw FerryError(
          .content(.badRow(MessageText.quoted(text, limit: 20))), path: ValuePath([.index(index)]))
      }
      bytes.append(byte)
    }
    tinyPix = bytes
  }

  private static func row(_ text: String) -> UInt8? {
    guard text.utf8.count == size else { return nil }
    var byte: UInt8 = 0
    for (column, character) in text.utf8.enumerated() {
      switch character {
      case UInt8(ascii: "#"): byte |= 1 << UInt8(column)
      case UInt8(ascii: "."): continue
      default: return nil
      }
    }
    return byte
  }

  /// The rows as strings, with `#` for black and `.` for white.
  var rows: [String] {
    (0..<Self.size).map { row in
      String((0..<Self.size).map { isBlack(row: row, column: $0) ? "#" : "." as Character })
    }
  }

  /// Sends the rows as an array of strings.
  func send(into sink: any ValueSink) throws(FerryError) {
    try sink.beginArray(count: Self.size)
    for row in rows { try sink.string(BorrowedText(row.utf8.span)) }
    try sink.endArray()
  }
}
