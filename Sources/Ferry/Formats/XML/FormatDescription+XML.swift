extension FormatDescription {
  static let xml = FormatDescription(
    summary: "XML: records through a schema, anything else by convention (@attribute, #text)",
    noun: "XML", extensions: ["xml"], reader: .elements, streams: true, textEncoding: .declared,
    // Null becomes an empty element, which the writer reports.
    capabilities: [.nulls])
}
