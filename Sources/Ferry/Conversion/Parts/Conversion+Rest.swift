extension Conversion {
  /// Converts the rest of an input that can be read only once, after several threads have converted its beginning.
  ///
  /// - Parameter stream: The input if complete records are to be written before it waits for more bytes; otherwise nil.
  func convert(
    _ rest: PartedConversion.Rest, of source: OpenedInput, _ detected: DetectedInput,
    _ options: ReadingOptions, waitingFor stream: FileInput?, projectName: String?
  ) throws(FerryError) -> Report {
    source.continue(with: rest.input, from: rest.start)
    let noteCount = source.notes.count
    var conversion = self
    // Only the first line of a text makes it look like a document in the typed form.
    if rest.start.recordCount > 0 { conversion.writing.keepsTypedText = true }
    var report: Report
    do throws(FerryError) {
      report = try conversion.convert(
        source, detected, options, waitingFor: stream, to: rest.output, adapting: RecordAdapters(),
        projectName: projectName)
    } catch {
      // The records before an error in the input are written, unlike the last ones of a conversion that is refused for its losses. The text of
      // a list in brackets is incomplete in any case.
      if case .loss = error.reason {} else { try? rest.held.finish() }
      throw error
    }
    try rest.held.finish()
    let losses = makeLossReport()
    losses.add(rest.facts.losses)
    losses.add(rest.start.moved(report.losses))
    report.losses = losses.all
    report.listForms = rest.facts.listForms
    if let forms = source.listForms { report.listForms.add(forms) }
    source.replaceListNotes(
      after: noteCount, by: report.listForms, rest.facts.usedLists, options.xml.lists)
    report.notes = notes(on: source)
    // As in a conversion of which all parts are converted at the same time.
    report.recordCount = 0
    return report
  }
}

extension OpenedInput {
  /// Replaces the notes on the lists in the rest of the input by those on the lists in the whole input.
  ///
  /// - Parameters:
  ///   - count: The number of notes before the rest was sent.
  ///   - forms: The forms of the elements in the whole input.
  ///   - usedBefore: The indices of the lists in the options that elements before the rest matched.
  fileprivate func replaceListNotes(
    after count: Int, by forms: ListForms, _ usedBefore: Set<Int>?, _ lists: [ValuePath]
  ) {
    let others = notes.dropFirst(count).filter { note in
      switch note {
      case .noList, .unevenLists: false
      default: true
      }
    }
    notes = notes.prefix(count) + others
    if usedBefore != nil || usedLists != nil {
      noteUnusedLists(lists, (usedBefore ?? []).union(usedLists ?? []))
    }
    noteUnevenLists(forms)
  }
}
