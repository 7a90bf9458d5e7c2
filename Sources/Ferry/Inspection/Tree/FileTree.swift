/// The tree of a file's values, followed by the entries that archives have beside their objects.
///
///     ["hi"]
///     beside the objects of the archive:
///     { extra: 5 }
package enum FileTree {
  /// Writes the tree of an input.
  ///
  /// - Parameter makeWriter: Makes the writer for a value.
  /// - Returns: Notes on the reading, as in the report of a conversion.
  /// - Throws: An error of the input or the output.
  package static func write(
    _ input: any ByteInput, named name: String, _ options: ReadingOptions, to output: any ByteOutput,
    with makeWriter: () -> TreeWriter
  ) throws(FerryError) -> [Note] {
    var found: [(entries: KeyedValues, path: ValuePath?)] = []
    let notes = try options.read(input, named: name, into: makeWriter()) { entries, path in
      if !entries.isEmpty { found.append((entries, path)) }
    }
    for (entries, path) in found {
      let archive = path.map { $0.isEmpty ? "the archive" : "\($0)" } ?? "an archive in data"
      try output.write("beside the objects of \(archive):\n".utf8.span)
      let writer = makeWriter()
      try Value.dictionary(entries).replay(into: writer)
      try writer.finish()
    }
    return notes
  }
}
