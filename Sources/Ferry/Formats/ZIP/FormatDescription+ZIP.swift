extension FormatDescription {
  /// The description of ZIP archives, whose files are values by their names. `Reading` reads the files, because it detects their
  /// formats.
  static let zip = FormatDescription(
    summary: "ZIP archive: the contents of its files by name, also of Sketch documents",
    noun: "a ZIP archive", extensions: ["zip", "sketch"], shape: .json,
    typeIdentifiers: ["public.zip-archive"],
    signature: FormatSignature(.bytes) { ZIPArchive.begins($0.bytes) }, reader: .files,
    hasEditableFiles: true,
    capabilities: [.nulls, .dates, .data, .uids, .decimals, .surrogates, .notFinite, .nanPayloads, .numbers])
}
