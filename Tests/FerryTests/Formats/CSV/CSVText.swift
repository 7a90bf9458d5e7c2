@testable import Ferry

/// Texts of tables in tests.
enum CSVText {
  /// Returns the value of a text that is read in chunks.
  static func value(
    of bytes: [UInt8], chunkSize: Int = .max, format: Format = .csv, encoding: String? = nil,
    _ change: (inout CSVReadingOptions) -> Void = { _ in }
  ) throws(FerryError) -> Value {
    var context = ReaderContext(budget: Budget())
    context.encoding = encoding
    change(&context.csv)
    let builder = ValueBuilder()
    guard case .stream(let makeReader)? = format.description.reader else { return .null }
    let reader = try makeReader(builder, context)
    var start = 0
    while start < bytes.count {
      let end = chunkSize < bytes.count - start ? start + chunkSize : bytes.count
      try reader.read(Array(bytes[start..<end]).span)
      start = end
    }
    try reader.finish()
    return try builder.result()
  }
}
