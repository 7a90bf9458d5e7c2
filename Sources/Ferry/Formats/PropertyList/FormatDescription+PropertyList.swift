extension FormatDescription {
  static let xmlPropertyList = FormatDescription(
    summary: "XML property list", aliases: ["xml1", "plist"], extensions: ["plist"], streams: true,
    isEditedByPath: true, capabilities: .xmlPropertyList, typedCapabilities: .xmlPropertyList)

  static let binaryPropertyList = FormatDescription(
    summary: "binary property list (bplist00)", aliases: ["binary1", "bplist"], extensions: ["bplist"],
    isBinary: true, isEditedByPath: true, hasObjectKeys: true,
    capabilities: [.nulls, .dates, .data, .uids, .singles, .notFinite, .numbers, .surrogates])

  static let archive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver), binary", aliases: ["keyed-archive"],
    extensions: ["archive", "pplgrp", "keyedarchive"], isArchive: true, isBinary: true,
    isEditedByPath: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .singles, .notFinite, .numbers, .shortDecimals, .surrogates,
      .objectKeys, .objects,
    ])

  static let xmlArchive = FormatDescription(
    summary: "keyed archive (NSKeyedArchiver) as an XML property list", aliases: ["keyed-archive-xml"],
    isArchive: true, isEditedByPath: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .notFinite, .numbers, .shortDecimals, .objectKeys, .objects,
    ],
    typedCapabilities: .xmlPropertyList)
}
