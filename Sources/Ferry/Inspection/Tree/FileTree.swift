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
    var found: [(entries: KeyedValues, archive: String)] = []
    let values = PathTrackingSink(to: makeWriter())
    let notes = try options.read(input, named: name, into: values) { entries, path in
      guard !entries.isEmpty else { return }
      found.append((entries, path.map(Self.archive(at:)) ?? Self.archive(inDataAt: values.path)))
    }
    for (entries, archive) in found {
      try output.write("beside the objects of \(archive):\n".utf8.span)
      let writer = makeWriter()
      try Value.dictionary(entries).replay(into: writer)
      try writer.finish()
    }
    return notes
  }

  private static func archive(at path: ValuePath) -> String { path.isEmpty ? "the archive" : path.shortened }

  private static func archive(inDataAt path: ValuePath) -> String {
    path.isEmpty ? "the archive in data" : "the archive in data at \(path.shortened)"
  }
}

extension PathTrackingSink: OpenedDataSink {
  func willOpenData(_ bytes: Span<UInt8>) throws(FerryError) {
    try (next as? any OpenedDataSink)?.willOpenData(bytes)
  }
}
