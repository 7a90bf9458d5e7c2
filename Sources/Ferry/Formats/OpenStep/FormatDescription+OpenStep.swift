extension FormatDescription {
  static let openStepPropertyList = openStep(
    .apple, summary: "OpenStep property list: strings, data, arrays and dictionaries as text",
    aliases: ["openstep"], extensions: [], signature: .openStepPropertyList, capabilities: .openStep,
    recordDialect: .openStep)

  static let strings = openStep(
    .strings, content: .texts, summary: "strings file: localized texts by their keys",
    aliases: ["localized-strings"],
    extensions: ["strings"], signature: .strings, capabilities: .openStep, recordDialect: .openStep)

  static let gnustepPropertyList = openStep(
    .gnustep, summary: "property list of GNUstep: an OpenStep property list with typed values",
    aliases: ["gnustep"], extensions: [], signature: .gnustepPropertyList,
    capabilities: [.data, .wholeDates, .numbers, .notFinite, .surrogates])

  static let xcodeProject: FormatDescription = {
    var description = openStep(
      .xcode, summary: "Xcode project: an OpenStep property list in Xcode's layout", aliases: ["xcodeproj"],
      extensions: ["pbxproj"], signature: .xcodeProject, capabilities: [.data], recordDialect: .openStep)
    description.content = .texts
    // The writer restores Xcode's layout and comments, which a copy would leave as they are.
    description.copiesText = false
    description.noun = "an Xcode project"
    description.writer = .values { output, context in
      let name = context.projectName
      return SingleValueWriter(to: output) { value throws(FerryError) in
        try XcodeProject.text(of: value, name: name)
      }
    }
    return description
  }()

  private static func openStep(
    _ dialect: OpenStepDialect, content: Content = .values, summary: String, aliases: [String],
    extensions: [String],
    signature: FormatSignature, capabilities: FormatCapabilities, recordDialect: RecordDialect? = nil
  ) -> FormatDescription {
    FormatDescription(
      summary: summary, noun: dialect.noun, aliases: aliases, extensions: extensions, content: content,
      shape: .propertyList,
      typeIdentifiers: ["public.text"], signature: signature, canBeEmpty: true,
      reader: .stream { sink, context in OpenStepReader(into: sink, dialect, context) },
      writer: .values { output, _ in OpenStepWriter(to: output, dialect) },
      layoutOptions: [.lines, .escapes],
      textEncoding: .marked,
      textLayout: { text, tree throws(FerryError) in
        var parser = OpenStepParser(text, dialect, budget: tree.budget)
        try parser.send(to: NullSink())
        return TextLayout(
          ranges: parser.nodes.map(\.range), ends: parser.nodes.map(\.end),
          syntax: try OpenStepTextSyntax(text, parser.nodes, tree, dialect))
      },
      copiesText: true,
      capabilities: capabilities, dialect: recordDialect)
  }
}

extension FormatCapabilities {
  /// The kinds of values that an OpenStep property list can represent.
  static let openStep: FormatCapabilities = [.data, .surrogates]
}
