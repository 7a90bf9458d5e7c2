extension FormatDescription {
  static let json = FormatDescription(
    summary: "JSON (RFC 8259)", noun: "JSON", extensions: ["json"], shape: .json,
    typeIdentifiers: ["public.json"], signature: .json,
    reader: .stream { sink, context in
      JSONReader(into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
    },
    writer: .values { output, context in JSONWriter(to: output, style: context.isPretty ? .pretty : .compact)
    },
    streams: true, textEncoding: .utf8,
    textLayout: { text, tree throws(FerryError) in
      let ranges = JSONRanges.ranges(in: text.span)
      return TextLayout(ranges: ranges, syntax: try JSONTextSyntax(text, ranges: ranges, tree))
    },
    capabilities: .json, typedSyntax: .object)

  static let jsonLines = FormatDescription(
    summary: "JSON Lines: one record a line", noun: "JSON Lines", aliases: ["json-lines", "ndjson"],
    extensions: ["jsonl", "ndjson"], shape: .json, typeIdentifiers: ["public.json"], signature: .jsonLines,
    canBeEmpty: true,
    reader: .stream { sink, context in
      guard let failed = context.failed else {
        return JSONLinesReader(
          into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
      }
      return ReadableLinesReader(
        into: sink, budget: context.budget, losses: context.losses, failed: failed,
        locator: context.locator ?? SourceLocator())
    },
    writer: .values { output, _ in JSONLinesWriter(to: output) },
    streams: true, textEncoding: .utf8,
    textLayout: { text, tree throws(FerryError) in
      let ranges = [0..<text.count] + JSONRanges.ranges(in: text.span)
      return TextLayout(
        ranges: ranges, syntax: try JSONTextSyntax(text, ranges: ranges, tree, hasLines: true))
    },
    capabilities: .json, typedSyntax: .object, dialect: .jsonLines)
}
