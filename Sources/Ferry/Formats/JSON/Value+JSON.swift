extension Value {
  /// Parses a JSON text.
  package init(json text: [UInt8], budget: Budget) throws(FerryError) {
    let builder = ValueBuilder()
    try JSONReader(into: builder, budget: budget).readAll(text.span)
    self = try builder.result()
  }
}
