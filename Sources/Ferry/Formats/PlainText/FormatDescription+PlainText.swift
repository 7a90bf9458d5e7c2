extension FormatDescription {
  static let text = FormatDescription(
    summary: "text in UTF-8, which is one string", noun: "text", aliases: ["txt"], extensions: ["txt"],
    content: .single, shape: .single, typeIdentifiers: ["public.plain-text"], signature: .text,
    canBeEmpty: true,
    reader: .stream { sink, context in
      WholeReader(budget: context.budget) { bytes throws(FerryError) in
        try PlainText(bytes).send(into: sink)
      }
    },
    writer: .values { output, context in
      SingleValueWriter(to: output) { value throws(FerryError) in
        try PlainText.bytes(of: value, context.lossesAroundValue)
      }
    },
    textEncoding: .utf8, editingAlternative: .wholeFile)
}
