/// The header of a PNG picture.
struct PNGHeader {
  private enum Color: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgbAlpha = 6

    var samples: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgbAlpha: 4
      }
    }
  }

  private let width: UInt32
  private let height: UInt32
  /// The number of bits in a sample.
  let depth: Int
  private let color: Color
  private let isInterlaced: Bool

  /// Parses the thirteen bytes of a header. Fails if they are invalid.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 13, let color = Color(rawValue: bytes[9]), bytes[10] == 0, bytes[11] == 0,
      bytes[12] <= 1
    else { return nil }
    let depths: [UInt8] =
      switch color {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
      }
    guard depths.contains(bytes[8]) else { return nil }
    width = bytes[0..<4].reduce(0) { $0 << 8 | UInt32($1) }
    height = bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
    depth = Int(bytes[8])
    self.color = color
    isInterlaced = bytes[12] == 1
  }

  /// The reason why Ferry cannot use the picture, or nil if it can.
  var flaw: String? {
    guard width == 8, height == 8 else { return "this one has \(width) × \(height) pixels" }
    return isInterlaced ? "this one is interlaced" : nil
  }

  var samples: Int { color.samples }
  var hasPalette: Bool { color == .palette }
  var hasColor: Bool { color == .rgb || color == .rgbAlpha }
  var hasAlpha: Bool { color == .grayAlpha || color == .rgbAlpha }
  /// The number of bytes in a row of eight pixels.
  var rowSize: Int { samples * depth }
  /// The number of bytes in all rows, including a filter byte for each.
  var scanlinesSize: Int { TinyPicture.size * (1 + rowSize) }

  /// Reverses the filters of the rows. Returns nil if a filter is unknown.
  func unfilter(_ scanlines: [UInt8]) -> [[UInt8]]? {
    let step = max(1, samples * depth / 8)
    var rows: [[UInt8]] = []
    var above = [UInt8](repeating: 0, count: rowSize)
    for row in 0..<TinyPicture.size {
      let start = row * (1 + rowSize)
      var line = Array(scanlines[(start + 1)..<(start + 1 + rowSize)])
      for index in line.indices {
        let left = index >= step ? line[index - step] : 0
        let corner = index >= step ? above[index - step] : 0
        switch scanlines[start] {
        case 0: break
        case 1: line[index] &+= left
        case 2: line[index] &+= above[index]
        case 3: line[index] &+= UInt8((Int(left) + Int(above[index])) / 2)
        case 4: line[index] &+= Self.paeth(left, above[index], corner)
        default: return nil
        }
      }
      rows.append(line)
      above = line
    }
    return rows
  }

  /// Returns the neighbor that is closest to the prediction of the Paeth filter.
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let estimate = Int(left) + Int(above) - Int(corner)
    let distances = [left, above, corner].map { abs(estimate - Int($0)) }
    if distances[0] <= distances[1], distances[0] <= distances[2] { return left }
    return distances[1] <= distances[2] ? above : corner
  }
}

/// The pixels of a PNG picture of 8 × 8 pixels.
struct PNGPixels {
  let header: PNGHeader
  let rows: [[UInt8]]
  let palette: [UInt8]
  let transparency: [UInt8]

  /// Returns true if a pixel is black, false if it is white, and nil if it has another color or is
  /// transparent.
  func isBlack(row: Int, column: Int) -> Bool? {
    let samples = (0..<header.samples).map { sample(rows[row], column * header.samples + $0) }
    let full = header.depth == 16 ? 0xffff : (1 << header.depth) - 1
    if header.hasPalette { return isPaletteBlack(samples[0]) }
    if header.hasAlpha, samples.last != full { return nil }
    let colors = samples.prefix(header.hasColor ? 3 : 1)
    if isKeyedOut(Array(colors)) { return nil }
    if colors.allSatisfy({ $0 == 0 }) { return true }
    return colors.allSatisfy { $0 == full } ? false : nil
  }

  private func isPaletteBlack(_ index: Int) -> Bool? {
    guard index * 3 + 3 <= palette.count else { return nil }
    if index < transparency.count, transparency[index] != 0xff { return nil }
    let colors = palette[(index * 3)..<(index * 3 + 3)]
    if colors.allSatisfy({ $0 == 0 }) { return true }
    return colors.allSatisfy { $0 == 0xff } ? false : nil
  }

  /// Returns true if the file declares the color of a pixel as transparent.
  private func isKeyedOut(_ colors: [Int]) -> Bool {
    guard !header.hasAlpha, transparency.count == colors.count * 2 else { return false }
    return colors.enumerated().allSatisfy { index, color in
      Int(transparency[index * 2]) << 8 | Int(transparency[index * 2 + 1]) == color
    }
  }

  private func sample(_ row: [UInt8], _ index: Int) -> Int {
    switch header.depth {
    case 16: return Int(row[index * 2]) << 8 | Int(row[index * 2 + 1])
    case 8: return Int(row[index])
    case let depth:
      let bit = index * depth
      return Int(row[bit / 8]) >> (8 - depth - bit % 8) & ((1 << depth) - 1)
    }
  }
}
