extension FormatDescription {
  /// The description of compiled nib files. Keyed archives and typedstreams have their extension, too, so they are detected
  /// by their contents.
  static let nibArchive = FormatDescription(
    summary: "compiled nib file (NIBArchive): the objects of a user interface", noun: "a NIBArchive",
    aliases: ["nibarchive"], shape: .objects, signature: FormatSignature(.nibArchive),
    reader: .nodes { input, budget throws(FerryError) in
      try NIBArchive(try input.readAll(), budget: budget).nodes(budget: budget)
    },
    propertyListFormat: .binaryPropertyList,
    editingAlternative: .keyedArchive, namesArchiver: false,
    hasObjectKeys: true, capabilities: .archive, dialect: .archive)
}
