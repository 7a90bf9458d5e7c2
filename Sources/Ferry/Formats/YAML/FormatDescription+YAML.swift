extension FormatDescription {
  /// The description of YAML. Reading needs the package trait `YAML`.
  static let yaml = FormatDescription(
    summary: "YAML 1.2 (core schema); several documents are records", noun: "YAML", aliases: ["yml"],
    extensions: ["yaml", "yml"], shape: .json, typeIdentifiers: ["public.yaml"], signature: .yaml,
    reader: PackageTraits.hasYAML ? .stream { sink, context in YAMLReader(into: sink, context) } : nil,
    writer: .values { output, context in YAMLWriter(to: output, style: context.style) },
    streams: false, textEncoding: .marked,
    textLayout: { text, tree throws(FerryError) in
      let document: YAMLDocument
      do throws(FerryError) {
        document = try YAMLDocument(text, after: LineCounter(), budget: Budget())
      } catch {
        guard case .yaml(.severalDocuments) = error.reason else { throw error }
        let format = "YAML with several documents"
        throw FerryError(
          .path(.notEditable(format: format, .other("edit the text, or keep them in several files"))))
      }
      var sender = YAMLSender(to: NullSink(), ReaderContext(budget: Budget()), findsOrigins: true)
      try sender.send(document)
      let origins = sender.origins ?? []
      let ends = document.endsOfChildren
      return TextLayout(
        ranges: origins.map { document.nodes[$0.node].range }, ends: origins.map { ends[$0.node] },
        syntax: YAMLTextSyntax(document, origins, tree))
    },
    hasObjectKeys: true, capabilities: .yaml, typedCapabilities: .typedYAML, typedSyntax: .mapping)
}

extension FormatCapabilities {
  /// The kinds of values that YAML can represent.
  static let yaml: FormatCapabilities = [
    .nulls, .numbers, .decimals, .notFinite, .data, .dates, .sets, .objectKeys,
  ]
  /// The kinds of values that the typed form has without tags of its own. Other values are written as in JSON.
  static let typedYAML: FormatCapabilities = [.nulls, .numbers, .decimals, .notFinite]
}

extension FormatSignature {
  /// The signature of YAML: the extension, or a directive or a mark at the beginning.
  static let yaml: Self = FormatSignature(.entries, isOptional: true) { head in
    if let fileExtension = head.fileExtension, Format.yaml.extensions.contains(fileExtension) {
      return head.first != UInt8(ascii: "<")
    }
    let text = head.bytes[head.start...]
    if text.starts(with: "%YAML ".utf8) { return true }
    return text.starts(with: "---".utf8) && text.dropFirst(3).first.map(FormatHead.isSpace) ?? true
  }
}
