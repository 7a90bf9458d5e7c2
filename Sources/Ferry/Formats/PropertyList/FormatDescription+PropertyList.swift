extension FormatDescription {
  static let xmlPropertyList = FormatDescription(
    summary: "XML property list", noun: "an XML property list", aliases: ["xml1", "plist"],
    extensions: ["plist", "stringsdict"], shape: .propertyList,
    typeIdentifiers: ["com.apple.xml-property-list"],
    signature: .xmlPropertyList,
    reader: .stream { sink, context in
      XMLPropertyListReader(
        into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
    },
    writer: .values { output, _ in XMLPropertyListWriter(to: output) },
    layoutOptions: [.lines, .tabs, .escapes],
    streams: true, textEncoding: .declared, archiveFormat: .xmlArchive, textLayout: xmlLayout,
    repeatsKeys: true, capabilities: .xmlPropertyList, typedCapabilities: .xmlPropertyList,
    typedSyntax: .dictionary)

  static let binaryPropertyList = FormatDescription(
    summary: "binary property list (bplist00)", noun: "a binary property list",
    aliases: ["binary1", "bplist"], extensions: ["bplist"], shape: .propertyList,
    typeIdentifiers: ["com.apple.binary-property-list"], signature: FormatSignature(.binaryPropertyList),
    reader: binaryNodes,
    writer: .values { output, context in
      BinaryPropertyListWriter(to: output, sharing: context.holdsArchive ? .archiver : .equalScalars)
    },
    archiveFormat: .archive, isBinaryPropertyList: true, hasObjectKeys: true,
    capabilities: [.nulls, .dates, .data, .uids, .singles, .notFinite, .nanPayloads, .numbers, .surrogates])

  static let archive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver), binary", noun: "a keyed archive",
    aliases: ["keyed-archive"], extensions: ["archive", "pplgrp", "keyedarchive"], shape: .objects,
    signature: .inObjects, reader: binaryNodes, writer: .archive, propertyListFormat: .binaryPropertyList,
    isBinaryPropertyList: true, hasObjectKeys: true,
    capabilities: .archive, dialect: .archive)

  static let xmlArchive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver) as an XML property list", noun: "a keyed archive in XML",
    aliases: ["keyed-archive-xml"], shape: .objects, signature: .xmlArchive,
    reader: .nodes { input, budget throws(FerryError) in
      try PropertyListTree(xml: input, budget: budget)
    },
    writer: .archive, layoutOptions: [.lines, .tabs, .escapes], textEncoding: .declared,
    propertyListFormat: .xmlPropertyList, textLayout: xmlLayout,
    sortsKeys: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .notFinite, .numbers, .shortDecimals, .objectKeys, .objects,
    ],
    typedCapabilities: .xmlPropertyList, dialect: .archive)

  private static let binaryNodes = FormatReader.nodes { input, budget throws(FerryError) in
    try BinaryPropertyList(try input.readFile(), budget: budget)
  }

  private static let xmlLayout: TextLayout.Finder = { text, tree throws(FerryError) in
    let ranges = try XMLPropertyListRanges.ranges(in: text.span, of: tree)
    return TextLayout(ranges: ranges, syntax: try XMLPropertyListTextSyntax(text, ranges: ranges, tree))
  }
}

extension FormatCapabilities {
  /// The kinds of values that a keyed archive can represent.
  static let archive: FormatCapabilities = [
    .nulls, .dates, .data, .sets, .singles, .notFinite, .nanPayloads, .numbers, .shortDecimals, .surrogates,
    .objectKeys, .objects,
  ]
}
