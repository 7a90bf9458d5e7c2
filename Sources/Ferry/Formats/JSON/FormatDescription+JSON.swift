extension FormatDescription {
  static let json = json(
    .strict, summary: "JSON (RFC 8259)", noun: "JSON", aliases: [], extensions: ["json"], signature: .json,
    capabilities: .json)

  static let jsonc = json(
    .jsonc, summary: "JSON with comments and a comma after the last value", noun: "JSON with comments",
    aliases: ["json-with-comments"], extensions: ["jsonc", "code-workspace"], signature: .jsonc,
    capabilities: .json)

  static let json5 = json(
    .json5, summary: "JSON5: JSON with comments, keys without quotes, NaN and more", noun: "JSON5",
    aliases: [],
    extensions: ["json5"], signature: .json5, capabilities: FormatCapabilities.json.union(.notFinite))

  private static func json(
    _ dialect: JSONDialect, summary: String, noun: String, aliases: [String], extensions: [String],
    signature: FormatSignature, capabilities: FormatCapabilities
  ) -> FormatDescription {
    let boundary: (@Sendable ([UInt8]) -> PartBoundary?)? =
      dialect == .strict ? { @Sendable in PartBoundary(betweenObjectsOf: $0) } : nil
    return FormatDescription(
      summary: summary, noun: noun, aliases: aliases, extensions: extensions, shape: .json,
      typeIdentifiers: ["public.json"], signature: signature,
      reader: .stream { sink, context in
        JSONReader(
          dialect, into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
      },
      otherReadFormats: dialect == .strict ? [] : [.json, .jsonc],
      partBoundary: boundary,
      listLayout: .brackets,
      writer: .values { output, context in
        JSONWriter(to: output, style: context.style, .document, dialect)
      },
      layoutOptions: [.oneLine, .lines, .spaces, .noSpaces, .tabs, .escapes, .chosenKeys],
      streams: true, textEncoding: .utf8,
      textLayout: { text, tree throws(FerryError) in
        let found = JSONRanges(in: text.span, dialect, count: tree.nodeCount)
        let syntax = try JSONTextSyntax(text, ranges: found.ranges, tree, dialect)
        return TextLayout(ranges: found.ranges, ends: found.ends, syntax: syntax)
      },
      isWrittenInSequence: dialect == .strict, isPrettyInDocuments: true,
      capabilities: capabilities, typedCapabilities: capabilities, typedSyntax: .object)
  }

  static let jsonLines = FormatDescription(
    summary: "JSON Lines: one record a line", noun: "JSON Lines", aliases: ["json-lines", "ndjson"],
    extensions: ["jsonl", "ndjson"], shape: .json, typeIdentifiers: ["public.json"], signature: .jsonLines,
    canBeEmpty: true,
    reader: .stream { sink, context in JSONSequenceReader(.lines, into: sink, context) },
    partBoundary: { _ in .lineEnd }, listLayout: .lines,
    writer: .values { output, context in JSONWriter(to: output, style: context.style, .lines) },
    layoutOptions: [.oneLine, .escapes, .chosenKeys], leavesOutRecords: true,
    streams: true, textEncoding: .utf8,
    textLayout: textLayout(of: .lines),
    isWrittenInSequence: true, capabilities: .json, typedSyntax: .object, dialect: .jsonLines)

  static let jsonSequence = jsonRecords(
    .textSequence,
    summary: "JSON text sequence (RFC 7464): a record separator before each record",
    noun: "a JSON text sequence", aliases: ["json-text-sequence"], extensions: ["json-seq", "jsonseq"],
    signature: .jsonSequence)

  static let nulSeparatedJSON = jsonRecords(
    .nulSeparated, summary: "JSON with a NUL after each record, as xargs -0 reads it",
    noun: "NUL-separated JSON", aliases: ["json0"], extensions: ["json-nul"], signature: .nulSeparatedJSON)

  static let concatenatedJSON = jsonRecords(
    .concatenated, summary: "JSON records one after the other, as jq writes them",
    noun: "concatenated JSON", aliases: ["json-stream"], extensions: ["json-concat"],
    signature: .concatenatedJSON)

  /// Returns the description of a format with several JSON texts.
  private static func jsonRecords(
    _ layout: JSONLayout, summary: String, noun: String,
    aliases: [String], extensions: [String], signature: FormatSignature
  ) -> FormatDescription {
    FormatDescription(
      summary: summary, noun: noun, aliases: aliases, extensions: extensions, shape: .json,
      typeIdentifiers: ["public.json"], signature: signature, canBeEmpty: true,
      reader: .stream { sink, context in JSONSequenceReader(layout, into: sink, context) },
      listLayout: .lines,
      writer: .values { output, context in JSONWriter(to: output, style: context.style, layout) },
      layoutOptions: [.oneLine, .lines, .spaces, .noSpaces, .tabs, .escapes, .chosenKeys],
      leavesOutRecords: layout.separator != nil,
      streams: true, textEncoding: .utf8, hasNULs: layout.separator == 0,
      textLayout: textLayout(of: layout),
      isWrittenInSequence: true, capabilities: .json, dialect: .jsonLines)
  }

  /// Returns the finder of the ranges in a text with several values.
  private static func textLayout(of layout: JSONLayout) -> TextLayout.Finder {
    { text, tree throws(FerryError) in
      let ranges = [0..<text.count] + JSONRanges(in: text.span, .strict, count: tree.nodeCount).ranges
      return TextLayout(
        ranges: ranges, syntax: try JSONTextSyntax(text, ranges: ranges, tree, layout: layout))
    }
  }
}

extension Format {
  /// True if the text of the format is JSON, a dialect of it, or several texts of JSON.
  package var isJSON: Bool { description.typeIdentifiers.contains("public.json") }

  /// True if JSON has every value of the format, apart from NaN and infinities, so that no value needs a tag.
  var hasOnlyJSONValues: Bool { capabilities.subtracting(.notFinite) == .json }
}
