extension FormatDescription {
  static let xml = FormatDescription(
    summary: "XML: records through a schema, anything else by convention (@attribute, #text)",
    noun: "XML", extensions: ["xml"], shape: .elements, typeIdentifiers: ["public.xml"],
    signature: FormatSignature(.language, isOptional: true) { $0.first == UInt8(ascii: "<") },
    reader: .elements, writer: .elements, layoutOptions: [.lines, .spaces, .noSpaces, .tabs, .escapes],
    streams: true,
    textEncoding: .declared, hasEditableElements: true,
    // Null is written as an empty element, and the writer reports the loss.
    capabilities: [.nulls], typedSyntax: .map, dialect: .xml)
}
