/// The tree of a file's values, followed by the entries that archives have beside their objects.
///
///     ["hi"]
///     beside the objects of the archive:
///     { extra: 5 }
package enum FileTree {
  /// Writes the tree of an input.
  ///
  /// - Parameter makeWriter: Makes the writer for a value to an output.
  /// - Returns: Notes on the reading, as in the report of a conversion.
  /// - Throws: An error of the input or the output.
  package static func write(
    _ input: any ByteInput, named name: String, _ options: ReadingOptions, to output: any ByteOutput,
    with makeWriter: @escaping (any ByteOutput) -> TreeWriter
  ) throws(FerryError) -> [Note] {
    // The entries are known before the value around their archive has ended.
    var texts: [MemoryOutput] = []
    let values = SeparatedEntries(to: makeWriter(output)) { path, isInData throws(FerryError) in
      let text = MemoryOutput()
      let title = ArchiveEntryTitle.text(ofArchiveAt: path, isInData: isInData)
      try text.write("\(title):\n".utf8.span)
      texts.append(text)
      return makeWriter(text)
    }
    let notes = try options.read(input, named: name, into: values) { values.path }
    for text in texts { try output.write(text.bytes.span) }
    return notes
  }
}
