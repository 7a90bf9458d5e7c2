/// A run of zero bytes in a text. No text has it: it is in the place of bytes that were not written, as after a power cut.
///
///     {"a": 1} ⏎ 00 00 00 00
enum ZeroRun {
  /// Returns the location of the first of two zero bytes in a line; nil if there are none.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - head: The first bytes of a text.
  ///   - input: The text in UTF-8. If it cannot be read again, only `head` is scanned.
  static func location(inLine line: Int, _ head: FormatHead, of input: any ByteInput) -> InputLocation? {
    var scan = Scan(line: line)
    scan.append(head.bytes.span)
    guard !scan.isOver, !head.isWhole, (try? input.rewind()) != nil else { return scan.location }
    scan = Scan(line: line)
    // `try?`: the text has another error, which is reported. An error also ends the scan, because many gigabytes may follow.
    try? input.forEachChunk { chunk throws(FerryError) in
      scan.append(chunk)
      if scan.isOver { throw FerryError(.file(.empty)) }
    }
    return scan.location
  }

  private struct Scan {
    let line: Int
    private var here = (line: 1, column: 1, byte: 0)
    /// The location of a zero byte before the current byte.
    private var zero: InputLocation?
    private(set) var location: InputLocation?

    init(line: Int) { self.line = line }

    var isOver: Bool { location != nil || here.line > line }

    mutating func append(_ bytes: Span<UInt8>) {
      for index in bytes.indices {
        if isOver { return }
        take(bytes[index])
      }
    }

    private mutating func take(_ byte: UInt8) {
      if byte == 0, here.line == line {
        if let zero { location = zero }
        zero = InputLocation(line: here.line, column: here.column, byte: here.byte)
      } else {
        zero = nil
      }
      here.byte += 1
      if byte == UInt8(ascii: "\n") {
        here = (here.line + 1, 1, here.byte)
      } else if byte & 0xc0 != 0x80 {
        here.column += 1
      }
    }
  }
}

extension FormatHead {
  /// The index after the last byte that is not zero.
  var endOfContent: Int { bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0 }

  /// The location of the run of zero bytes that ends the first bytes; nil if there is none.
  var zeroTail: InputLocation? {
    let tail = endOfContent
    guard bytes.count - tail > 1 else { return nil }
    let (line, column) = bytes.span.extracting(..<tail).end(line: 1, column: 1, byte: 0)
    return InputLocation(line: line, column: column, byte: tail)
  }

  /// True if only zero bytes follow the first byte, more than those of one character in UTF-16 or UTF-32.
  var isByteBeforeZeros: Bool {
    guard bytes.count == 3 || bytes.count > 4, let first = bytes.first, first != 0 else { return false }
    return bytes.dropFirst().allSatisfy { $0 == 0 } && formatOfExtension?.description.hasNULs != true
  }
}
