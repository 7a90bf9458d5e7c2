extension FormatDescription {
  static let json = FormatDescription(
    summary: "JSON (RFC 8259)", noun: "JSON", extensions: ["json"],
    reader: .stream { sink, context in
      JSONReader(into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
    },
    streams: true, textEncoding: .utf8, isEditedByPath: true, capabilities: .json)

  static let jsonLines = FormatDescription(
    summary: "JSON Lines: one record a line", noun: "JSON Lines", aliases: ["json-lines", "ndjson"],
    extensions: ["jsonl", "ndjson"],
    reader: .stream { sink, context in
      guard let failed = context.failed else {
        return JSONLinesReader(
          into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
      }
      return ReadableLinesReader(
        into: sink, budget: context.budget, losses: context.losses, failed: failed,
        locator: context.locator ?? SourceLocator())
    },
    streams: true, textEncoding: .utf8, capabilities: .json)
}
