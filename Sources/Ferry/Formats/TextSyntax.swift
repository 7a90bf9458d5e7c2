/// The syntax of a text format, for writing new values in the layout of an existing text.
protocol TextSyntax {
  /// The separator between the children of a collection, without white space.
  var separator: [UInt8] { get }
  /// Returns the text that ends each child, also the last one, in a format without separators: `;` and `,` in OpenStep
  /// property lists.
  func terminator(inDictionary: Bool) -> [UInt8]
  /// True if the last child of a new collection with comments has a terminator, too.
  var requiresLastTerminator: Bool { get }
  /// The records of a text without brackets around its outermost list, whose elements they are. Nil for other texts.
  var records: (any RecordRanges)? { get }
  /// The white space after the separator of a second child, because the first one shows none.
  var usualGap: [UInt8] { get }
  /// Returns the text before a value that replaces an empty text.
  ///
  /// - Parameters:
  ///   - keyEnd: The offset after the key of the value, or nil for an element.
  ///   - block: The layout of the collection around the value, or nil.
  func prefix(ofValueAt offset: Int, afterKeyEndingAt keyEnd: Int?, in block: (any TextBlock)?) -> [UInt8]
  /// True if texts of the format may have comments or other text that is not part of their values.
  var hasMarkup: Bool { get }
  /// True if an edited text is read again, and refused unless it has exactly the changed values.
  var isChecked: Bool { get }
  /// True if the format's writer writes line ends only where readers take all kinds of them for the same, so that a text that is
  /// written anew keeps those of the file.
  var readsLineEndsAlike: Bool { get }
  /// Returns the error for changes of ranges of the text, or of a copy in it, that do not give the changed values. Nil if the text may be
  /// written anew, because that loses only the layout.
  func refusal(of changes: [Range<Int>], copy: ChangedCopy?) -> FerryError?
  /// Returns true for a collection that is a copy of other text: nothing inside it can be changed without that.
  func isCopy(_ collection: NodeID) -> Bool
  /// Returns true for a key whose entry is part of another collection in the text.
  func isMerged(_ key: NodeID) -> Bool
  /// Returns the texts of the keys that add the entries of others to a dictionary, with their values, in the order of the text.
  func merges(of collection: NodeID) -> [ChildText]
  /// Returns the dictionaries that are written after the keys that add their entries to a collection, for the keys in them.
  func mergedDictionaries(of collection: NodeID, with keys: [NodeID]) -> [NodeID: MergedDictionary]
  /// Returns the brackets that a dictionary needs to have several entries: those of `[a: 1]` in YAML, which has one without them. Nil for
  /// others.
  func missingBrackets(of collection: NodeID) -> (opening: [UInt8], closing: [UInt8])?
  /// Returns true for a value of which the text has nothing, as that of a document of YAML with only comments.
  func isUnwritten(_ node: NodeID) -> Bool
  /// Returns true if the text makes each number in place of a value a real, as a tag does.
  func demandsReal(_ node: NodeID) -> Bool
  /// Returns the values of the text that copy others, or nil if there are none.
  func copies() throws(FerryError) -> TextCopies?
  /// Returns the layout of a collection whose children are on lines of their own, without separators. Nil for others.
  func block(_ node: NodeID) -> (any TextBlock)?
  /// Returns the layout of the innermost collection around a value or a key in the text, which is another one than that of the values for an
  /// entry of a merged dictionary. Nil for a collection with separators.
  func block(around node: NodeID) -> (any TextBlock)?
  /// The text with the same values and with a line end after its last line. Nil if it has one, or if it needs none before other lines.
  var textWithLastLineEnd: [UInt8]? { get }
  /// The text between a key and its value if the text of other entries has comments there.
  var assignment: [UInt8] { get }
  /// Returns true if a text begins with a comment or processing instruction.
  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool
  /// Returns true if a comment ends with its line, so that a line end must follow it.
  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool
  /// Returns the text of a value at a place in the text.
  func text(of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot) throws(FerryError)
    -> [UInt8]
  /// Returns the text of a new record, without what separates it from others.
  func record(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8]
  /// Returns the text of a key at a place in the text.
  func key(_ node: NodeID, in list: some PropertyListNodes, at slot: KeySlot) throws(FerryError) -> [UInt8]
  /// Returns true if the end of one text and the beginning of the next would be read as one token, so that a space must separate
  /// them: `a` and `/* b */` in an OpenStep property list.
  func joins(_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool
  /// The references in the text to values elsewhere in it.
  var references: TextReferences { get }
  /// True if the format's writer makes the comments from the values.
  var hasGeneratedComments: Bool { get }
  /// Returns true if the text of a value has the value also at another place: that of an alias has it through its anchor.
  func hasOwnText(_ node: NodeID) -> Bool
  /// The values that other values of the text copy, by the nodes of the copies and of the values inside them.
  var originalsOfCopies: [NodeID: NodeID] { get }
  /// Returns the beginning of the text that a value takes along to another place, with the comments before the value that are a part of it. Nil
  /// if it begins with the value.
  func startOfCarriedText(_ node: NodeID) -> Int?
  /// Returns the text of a value for another place. Nil if it has brackets or tags around its parts, so that only the indentation may change.
  ///
  /// - Parameters:
  ///   - end: The end of the text, with the comment after it that is a part of the value.
  ///   - line: The text on the line before that place.
  ///   - isRepeated: True if the text is at its old place, too.
  func carriedText(
    of node: NodeID, endingAt end: Int, after line: ArraySlice<UInt8>, isRepeated: Bool
  ) -> CarriedText?
  /// Returns the comments and processing instructions in a text.
  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
  /// Returns the text of a value or a key with the attributes of the text that it replaces.
  func text(_ new: [UInt8], withAttributesOf old: ArraySlice<UInt8>) -> [UInt8]
  /// Reports the comments, processing instructions and attributes of a text that the text in its place lacks.
  func reportMarkup(of old: ArraySlice<UInt8>, missingIn new: [UInt8], to losses: LossReport)
}

/// A value of the original text that copies other text, with a change that the text cannot have there.
struct ChangedCopy {
  let value: NodeID
  /// The range of the copy in the text, such as that of an alias.
  let range: Range<Int>
}

/// The text of a child of a collection.
struct ChildText {
  /// The range of the child's key, if it has one, and its value.
  let range: Range<Int>
  /// The offset after the semicolon or comma that ends the child.
  let end: Int

  /// True if a semicolon or comma ends the child.
  var isTerminated: Bool { end > range.upperBound }
}

/// The text of a dictionary that is written after a key that adds its entries to another one, as in `<<: {a: 1}` and `<<: [*b, {a: 1}]`.
struct MergedDictionary {
  /// The range of the dictionary in the text, without its anchor and tag.
  let range: Range<Int>
  /// The number of its entries, with those that others hide and with keys that merge others into it.
  let count: Int
  /// The layout of its entries, or nil if they are in brackets.
  let block: (any TextBlock)?
}

/// The slot for a new value in a text.
struct TextSlot {
  /// The number of collections around the value.
  var depth: Int
  /// The white space before the value.
  var gap: [UInt8]
  /// The collection of the original text whose layout a new collection gets: the one it replaces, the next one
  /// of its kind, or the one around it. Nil if there is none.
  var model: NodeID?
  /// The value of the original text that the value replaces, if the new one is written like it.
  var old: NodeID?
  /// The value of the original text that the value replaces.
  var replaced: NodeID?
  /// A value of the original text near the slot, whose notation and that of its neighbors a new value gets. Nil if there is none.
  var near: NodeID?
}

/// The slot for a new key in a text.
struct KeySlot {
  /// The text after the key.
  var following: ArraySlice<UInt8>
  /// The key of the original text that the new one replaces; nil for the key of a new entry.
  var old: NodeID?
  /// A value of the original text near the slot, or `old`.
  var near: NodeID?
}

/// The layout of a collection whose children are on lines of their own, without separators.
protocol TextBlock {
  /// The column of the children, counted from 0.
  var column: Int { get }
  /// Returns the offset at which a child begins, with the mark before it, from the offset of its key or value.
  func start(ofChildAt offset: Int) -> Int
  /// Returns the offset after the rest of a line and the blank lines that would be part of a child. Nil if the child is not a block of text,
  /// or if the last of its lines has no line end.
  ///
  /// - Parameters:
  ///   - offset: An offset with only white space after it on its line.
  ///   - end: The end of the child without white space.
  func endOfLines(at offset: Int, ofBlockEndingAt end: Int) -> Int?
  /// Returns the text of a child, with an indentation of all lines but the first.
  func entry(key: NodeID?, value: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8]
}

/// The behavior of a format whose texts have values only.
extension TextSyntax {
  func terminator(inDictionary: Bool) -> [UInt8] { [] }
  var requiresLastTerminator: Bool { true }
  var records: (any RecordRanges)? { nil }
  var assignment: [UInt8] { [] }
  var usualGap: [UInt8] { [] }
  func prefix(ofValueAt offset: Int, afterKeyEndingAt keyEnd: Int?, in block: (any TextBlock)?) -> [UInt8] {
    assignment
  }
  var hasMarkup: Bool { true }
  var isChecked: Bool { false }
  var readsLineEndsAlike: Bool { false }
  func refusal(of changes: [Range<Int>], copy: ChangedCopy?) -> FerryError? { nil }
  func isCopy(_ collection: NodeID) -> Bool { false }
  func isMerged(_ key: NodeID) -> Bool { false }
  func merges(of collection: NodeID) -> [ChildText] { [] }
  func mergedDictionaries(of collection: NodeID, with keys: [NodeID]) -> [NodeID: MergedDictionary] { [:] }
  func missingBrackets(of collection: NodeID) -> (opening: [UInt8], closing: [UInt8])? { nil }
  func isUnwritten(_ node: NodeID) -> Bool { false }
  func demandsReal(_ node: NodeID) -> Bool { false }
  func copies() throws(FerryError) -> TextCopies? { nil }
  func block(_ node: NodeID) -> (any TextBlock)? { nil }
  func block(around node: NodeID) -> (any TextBlock)? { nil }
  var textWithLastLineEnd: [UInt8]? { nil }
  func record(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    try text(of: node, in: list, at: TextSlot(depth: 1, gap: [], model: nil))
  }
  func joins(_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool { false }
  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool { false }
  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool { false }
  var references: TextReferences { TextReferences() }
  var hasGeneratedComments: Bool { false }
  func hasOwnText(_ node: NodeID) -> Bool { true }
  var originalsOfCopies: [NodeID: NodeID] { [:] }
  func startOfCarriedText(_ node: NodeID) -> Int? { nil }
  func carriedText(
    of node: NodeID, endingAt end: Int, after line: ArraySlice<UInt8>, isRepeated: Bool
  ) -> CarriedText? { nil }
  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { [] }
  func text(_ new: [UInt8], withAttributesOf old: ArraySlice<UInt8>) -> [UInt8] { new }
  func reportMarkup(of old: ArraySlice<UInt8>, missingIn new: [UInt8], to losses: LossReport) {
    for _ in 0..<max(markup(in: old).count - markup(in: new[...]).count, 0) { losses.add(.comment) }
  }
}

/// The ranges of the values in a text, by which they can be replaced.
struct TextLayout {
  /// The range of each node in the text, in the order of the reader's events.
  var ranges: [Range<Int>]
  /// For each node, the offset after the text that ends it as a child of a collection. Nil if children have no such text.
  var ends: [Int]?
  /// The offsets of the marks before keys, such as the question mark of `{? a : 1}` in YAML. Nodes without such a mark are left out.
  var marks: [NodeID: Int] = [:]
  var syntax: any TextSyntax

  /// Finds the ranges of the values in a text that was read into `tree`.
  typealias Finder = @Sendable (_ text: [UInt8], _ tree: PropertyListTree) throws(FerryError) -> TextLayout
}
