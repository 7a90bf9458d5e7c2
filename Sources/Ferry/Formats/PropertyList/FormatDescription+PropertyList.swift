extension FormatDescription {
  static let xmlPropertyList = FormatDescription(
    summary: "XML property list", noun: "an XML property list", aliases: ["xml1", "plist"],
    extensions: ["plist"],
    reader: .stream { sink, context in
      XMLPropertyListReader(
        into: sink, budget: context.budget, losses: context.losses, locator: context.locator)
    },
    streams: true, textEncoding: .declared, archiveFormat: .xmlArchive, isEditedByPath: true,
    capabilities: .xmlPropertyList, typedCapabilities: .xmlPropertyList)

  static let binaryPropertyList = FormatDescription(
    summary: "binary property list (bplist00)", noun: "a binary property list",
    aliases: ["binary1", "bplist"], extensions: ["bplist"], reader: binaryNodes,
    archiveFormat: .archive, isBinary: true, isEditedByPath: true, hasObjectKeys: true,
    capabilities: [.nulls, .dates, .data, .uids, .singles, .notFinite, .numbers, .surrogates])

  private static let binaryNodes = FormatReader.nodes { input, budget throws(FerryError) in
    try BinaryPropertyList(try input.readFile(), budget: budget)
  }

  static let archive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver), binary", noun: "a keyed archive",
    aliases: ["keyed-archive"], extensions: ["archive", "pplgrp", "keyedarchive"], reader: binaryNodes,
    propertyListFormat: .binaryPropertyList, isBinary: true, isEditedByPath: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .singles, .notFinite, .numbers, .shortDecimals, .surrogates,
      .objectKeys, .objects,
    ])

  static let xmlArchive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver) as an XML property list", noun: "a keyed archive in XML",
    aliases: ["keyed-archive-xml"],
    reader: .nodes { input, budget throws(FerryError) in
      try PropertyListTree(xml: input, budget: budget)
    },
    textEncoding: .declared, propertyListFormat: .xmlPropertyList, isEditedByPath: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .notFinite, .numbers, .shortDecimals, .objectKeys, .objects,
    ],
    typedCapabilities: .xmlPropertyList)
}
