extension FormatDescription {
  static let xml = FormatDescription(
    summary: "XML: records through a schema, anything else by convention (@attribute, #text)",
    noun: "XML", extensions: ["xml"], shape: .elements, typeIdentifiers: ["public.xml"],
    signature: FormatSignature(.language, isOptional: true) { $0.first == UInt8(ascii: "<") },
    reader: .elements, writer: .elements, streams: true, textEncoding: .declared, editingHint: useEditor,
    // Null becomes an empty element, which the writer reports.
    capabilities: [.nulls], typedSyntax: .map, dialect: .xml)
}
