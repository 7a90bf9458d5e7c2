// The check of an edited text, and the text that is written in its place if it has other values.

extension TextEdits {
  /// Returns true if an edited text has exactly the changed values. An edit beside a comment may become a part of the comment.
  func hasChangedValues(_ text: [UInt8]) -> Bool {
    if hasSameEvents(text) { return true }
    do throws(FerryError) {
      guard let nodes = try format.nodes(of: MemoryInput(text), budget: list.budget) else { return false }
      return try isText(of: list.builtValue(of: list.root), readAs: nodes.builtValue(of: nodes.root))
    } catch {
      return false
    }
  }

  /// Returns true if a text is read with the events of the changed values. Other events may have equal values.
  private func hasSameEvents(_ text: [UInt8]) -> Bool {
    guard case .stream(let makeReader)? = format.description.reader else { return false }
    return NodeComparison.finds(list) { comparison throws(FerryError) in
      try makeReader(comparison, ReaderContext(budget: list.budget)).readAll(MemoryInput(text))
    }
  }

  /// Returns true if a text with the wanted values is read as the found value. One document of YAML is read as itself, and none is null.
  private func isText(of wanted: Value, readAs found: Value) -> Bool {
    guard wanted != found else { return true }
    guard list.root == tree.root, let records = syntax.records, records.areReadAlone,
      case .array(let elements) = wanted, elements.count < 2
    else { return false }
    return found == elements.first ?? .null
  }

  /// Returns the text that the writer of the format writes for all values.
  ///
  /// - Parameters:
  ///   - changes: The ranges of the changes that do not give the changed values.
  ///   - copy: A copy with a change, which the text cannot have. Nil if there is none.
  /// - Throws: An error if more than the layout of the text would be lost.
  func rewritten(
    insteadOf changes: [Range<Int>], copy: ChangedCopy? = nil
  ) throws(FerryError) -> [UInt8] {
    if let refusal = syntax.refusal(of: changes, copy: copy) { throw refusal }
    let text = try written(list)
    syntax.reportMarkup(of: source[...], missingIn: text, to: losses)
    if try written(tree) != source { losses.add(.textLayout) }
    return syntax.readsLineEndsAlike ? withOwnLineEnds(text) : text
  }

  /// Returns the text that the format's writer writes, with the line ends of the file.
  private func written(_ values: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    guard case .values(let makeWriter) = format.asPropertyList.description.writer else { return source }
    // The records of YAML are documents.
    let style = OutputStyle(hasDocuments: syntax.records != nil)
    let writer = try makeWriter(output, WriterContext(style: style))
    try values.replay(values.root, into: writer, budget: values.budget)
    try writer.finish()
    return syntax.readsLineEndsAlike ? output.bytes.withLineEnds(lineEnd) : output.bytes
  }
}
