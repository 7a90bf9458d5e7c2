extension FormatDescription {
  /// The description of YAML. Reading needs the package trait `YAML`.
  static let yaml = FormatDescription(
    summary: "YAML 1.2 (core schema); several documents are records", noun: "YAML", aliases: ["yml"],
    extensions: ["yaml", "yml"], shape: .json, typeIdentifiers: ["public.yaml"], signature: .yaml,
    reader: PackageTraits.hasYAML ? .stream { sink, context in YAMLReader(into: sink, context) } : nil,
    otherReadFormats: [.json],
    writer: .values { output, context in
      YAMLWriter(to: output, style: context.style, documents: context.documents)
    },
    layoutOptions: [.lines, .spaces, .escapes, .documents, .chosenKeys], leavesOutRecords: true,
    streams: false, textEncoding: .marked,
    textLayout: { text, tree throws(FerryError) in
      let document = try YAMLDocument(stream: text, budget: tree.budget)
      var sender = YAMLSender(to: NullSink(), ReaderContext(budget: tree.budget), findsOrigins: true)
      for root in document.roots { try sender.send(document, from: root) }
      let list = document.isStream ? [YAMLOrigin(node: 0, source: 0, isCopy: false)] : []
      let origins = list + (sender.origins ?? [])
      let hasCommas = document.nodes.indices.contains(where: document.isInBrackets)
      let ends = hasCommas ? document.endsOfChildren : nil
      let marks = ends.map(document.marksOfKeys) ?? [:]
      var marksOfNodes: [NodeID: Int] = [:]
      for (index, origin) in origins.enumerated() where !marks.isEmpty && !origin.isCopy {
        marksOfNodes[NodeID(index)] = marks[origin.node]
      }
      return TextLayout(
        ranges: origins.map { document.nodes[$0.node].range },
        ends: ends.map { ends in origins.map { ends[$0.node] } }, marks: marksOfNodes,
        syntax: YAMLTextSyntax(document, origins, ends: ends, tree))
    },
    hasObjectKeys: true, hasMergeKeys: true, capabilities: .yaml, typedCapabilities: .typedYAML,
    typedSyntax: .mapping)
}

extension FormatCapabilities {
  /// The kinds of values that YAML can represent.
  static let yaml: FormatCapabilities = [
    .nulls, .numbers, .decimals, .notFinite, .data, .dates, .textDates, .shortYears, .sets, .objectKeys,
  ]
  /// The kinds of values that the typed form has without tags of its own. Other values are written as in JSON.
  static let typedYAML: FormatCapabilities = [.nulls, .numbers, .decimals, .notFinite]
}

extension FormatSignature {
  /// The signature of YAML: the extension, a directive or a mark at the beginning, or, in a text without a name, the first line of a
  /// block. Files that have a name and a similar line, such as a Makefile, are rarely YAML.
  static let yaml: Self = FormatSignature(.entries, isOptional: true, proof: .name) { head in
    if let fileExtension = head.fileExtension, Format.yaml.extensions.contains(fileExtension) {
      // A text that begins with `<` is XML, except for a key that merges: `<<: *defaults`.
      return head.first != UInt8(ascii: "<") || head.bytes[head.start...].starts(with: "<<".utf8)
    }
    let text = head.bytes[head.start...]
    if text.starts(with: "%YAML ".utf8) { return true }
    if text.starts(with: "---".utf8), text.dropFirst(3).first.map(FormatHead.isSpace) ?? true { return true }
    return !head.isNamed && head.beginsLikeYAMLBlock
  }
}

extension FormatHead {
  /// True if the first line that is not blank or a comment is an element or an entry of a block.
  fileprivate var beginsLikeYAMLBlock: Bool {
    var text = bytes[start...]
    while text.first == UInt8(ascii: "#") {
      text = text.drop { !Self.isLineEnd($0) }.drop(while: Self.isSpace)
    }
    return Self.isLineOfYAMLBlock(text.prefix { !Self.isLineEnd($0) })
  }

  /// True if the first two lines that are neither blank nor comments, or the only one, are elements or entries of a block. The tasks of a list
  /// in Markdown, `- [ ] task`, are not.
  var looksLikeYAMLBlock: Bool {
    let lines = contentLines.prefix(2)
    return !lines.isEmpty
      && lines.allSatisfy { line in
        Self.isLineOfYAMLBlock(line) && !["- [ ]", "- [x]"].contains { line.starts(with: $0.utf8) }
      }
  }

  /// Returns true for an element or an entry of a block: `- 1`, `name: Ada` or `name:`.
  private static func isLineOfYAMLBlock(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first else { return false }
    if first == UInt8(ascii: "-"), line.dropFirst().first.map(Self.isSpace) ?? true { return true }
    // Other formats begin with these bytes, or scalars of YAML that are not plain keys. `a = "b: c";` is in a property list.
    guard !"{}[]<>()\"'&*!|%@`?,=/\\".utf8.contains(first), let colon = line.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return !line[..<colon].contains { "\"={;".utf8.contains($0) }
      && line[(colon + 1)...].first.map(Self.isSpace) ?? true
  }
}
