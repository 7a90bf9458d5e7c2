extension FormatDescription {
  static let json = FormatDescription(
    summary: "JSON (RFC 8259)", extensions: ["json"], streams: true, isEditedByPath: true,
    capabilities: .json)

  static let jsonLines = FormatDescription(
    summary: "JSON Lines: one record a line", aliases: ["json-lines", "ndjson"],
    extensions: ["jsonl", "ndjson"], streams: true, editingHint: useEditor, capabilities: .json)
}
