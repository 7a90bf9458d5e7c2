/// An event of a YAML parser. Its memory is reused for the next one.
struct YAMLEvent {
  enum Kind {
    case other, streamEnd, documentStart, alias, scalar, sequenceStart, sequenceEnd, mappingStart, mappingEnd
  }

  var kind = Kind.other
  /// True for a scalar without quotation marks that is not a block.
  var isPlain = false
  /// True for a collection in brackets or braces.
  var isFlow = false
  /// True for the start of a document whose directive names a version before 1.2.
  var isOfOlderVersion = false
  /// The text of a scalar.
  var text: [UInt8] = []
  /// The name of an anchor or an alias, or empty.
  var anchor: [UInt8] = []
  /// The tag with its prefix, or empty.
  var tag: [UInt8] = []
  /// The range in the text, in characters.
  var start = 0
  var end = 0
}

/// A mistake in a YAML text.
struct YAMLFlaw: Error {
  /// The offset of a mistake. The parser counts characters, but its reader, which comes first, counts bytes.
  enum Offset {
    case characters(Int)
    case bytes(Int)
  }

  var message: String
  var offset: Offset
}
