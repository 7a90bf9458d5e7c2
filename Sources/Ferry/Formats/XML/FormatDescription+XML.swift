extension FormatDescription {
  static let xml = FormatDescription(
    summary: "XML: records through a schema, anything else by convention (@attribute, #text)",
    extensions: ["xml"], streams: true, editingHint: useEditor,
    // Null becomes an empty element, which the writer reports.
    capabilities: [.nulls])
}
