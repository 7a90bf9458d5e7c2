extension FormatDescription {
  /// The description of typedstreams. Their files have the extensions of apps, and are detected by their
  /// contents.
  static let typedstream = FormatDescription(
    summary: "typedstream (NSArchiver, NeXTSTEP): the older archives, values in order",
    noun: "a typedstream", aliases: ["nsarchiver"], shape: .objects, signature: .typedstream,
    reader: .typedstream,
    writer: .values { output, context in TypedstreamWriter(to: output, losses: context.losses) },
    keepsKnownClasses: true, hasEditableObjects: true, hasObjectKeys: true,
    capabilities: [
      .nulls, .dates, .data, .sets, .singles, .notFinite, .nanPayloads, .numbers, .objectKeys,
    ])
}

extension FormatSignature {
  static let typedstream: Self = FormatSignature(.bytes) { Typedstream.begins($0.bytes.span) }
}
