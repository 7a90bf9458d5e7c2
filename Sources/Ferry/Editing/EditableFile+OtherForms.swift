// The report of the parts of new values that have another form in the file.

extension EditableFile {
  /// Reports the parts of a new value at a path that have another form in the file.
  func reportOtherForms(of value: Value, at path: ValuePath) {
    reportWidths(in: value, at: path)
    reportMixedContent(in: value, at: path)
  }

  /// Reports the 32-bit reals of a new value at a path that become reals of 64 bits in the file.
  private func reportWidths(in value: Value, at path: ValuePath) {
    guard !capabilities.contains(.singles) else { return }
    for _ in 0..<value.singleCount { changeLosses.add(.singleWidth, path: path) }
  }

  /// Reports the dictionaries of a new value at a path that become XML elements with text beside others. Conversions read such an element
  /// as a list of its contents, unless it is a part of a record.
  private func reportMixedContent(in value: Value, at path: ValuePath) {
    // The elements of a document with types are changed as those of one without, when the change has been reported.
    guard format.description.hasEditableElements, options.findsTypes else { return }
    // An element that moves keeps its contents in their order.
    guard !list.carries(value) else { return }
    let count = value.mixedElementCount
    guard count > 0, SchemaProbe(source.prefix(FormatDetector.headSize), budget: options.budget).schema == nil
    else { return }
    for _ in 0..<count { changeLosses.add(.contentForm, path: path) }
  }
}

extension Value {
  /// The number of 32-bit reals in the value.
  fileprivate var singleCount: Int {
    if case .single = self { 1 } else { parts.reduce(0) { $0 + $1.singleCount } }
  }
}
