// Comparisons of data with the values of its documents, which a conversion with `expandsData` writes in place of the data.
//
// Both versions are first read with their data. Each version that has data is then converted once more, with the documents in place of
// the data. Where the two conversions of a version differ, it has a document:
//
//     old        {d: <7 bytes>, n: 1}      with documents: {d: {x: 1}, n: 1}      so <7 bytes> is {x: 1}
//     new        {d: {x: 2}, n: 1}
//     difference d.x: 1 → 2

extension FileComparison {
  /// A pair of files.
  typealias Files = (old: File, new: File)

  /// Compares data of one file with the value that a conversion with `expandsData` writes in its place.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - read: The files of which `compared` has the values: one of them may be converted by `way`.
  ///   - compared: The outcome for data that is compared with other values as data.
  func comparingExpansions(
    of files: Files, readAs read: Files, by way: Way, _ compared: Outcome
  ) throws(VersionError) -> Outcome {
    guard reading.expandsData, reading.representation == .plain, way.representation == .plain,
      way.format.canWrite, !compared.differences.all.isEmpty
    else { return compared }
    let before = try expanded(files.old, compared.old, by: way, way.convertsOld, or: VersionError.old)
    let after = try expanded(files.new, compared.new, by: way, way.convertsNew, or: VersionError.new)
    guard before != nil || after != nil else { return compared }
    let comparison = sharingShape(
      of: [read.old, read.new] + [before, after].compactMap { $0?.file }, by: way)
    var old = try comparison.read(read.old, as: way.oldFormat, or: VersionError.old)
    var new = try comparison.read(read.new, as: way.newFormat, or: VersionError.new)
    let (oldValue, newValue) = (old.value, new.value)
    let expansions = (
      old: comparison.expansion(of: &old.value, before, newValue, in: way.format),
      new: comparison.expansion(of: &new.value, after, oldValue, in: way.format)
    )
    var found = try comparison.result(old, new, in: way.format, expansions)
    // The files with documents in place of data also have the keys of these documents.
    found.repeatedKeys.old = max(found.repeatedKeys.old, before?.file?.repeatedKeys ?? 0)
    found.repeatedKeys.new = max(found.repeatedKeys.new, after?.file?.repeatedKeys ?? 0)
    return found
  }

  /// A file with the documents in place of its data.
  private struct ExpandedFile {
    /// The file; nil if its documents exceed the budget.
    var file: File?
    /// The error of documents that exceed the budget.
    var failure: FerryError?
    /// True if the format has no data, and the file with its data has Base64 texts.
    let isOfTexts: Bool
  }

  /// Converts a file to the format of a way to compare it, with the documents in place of its data. Returns nil if it has no data, or if it
  /// cannot be converted.
  ///
  /// - Parameters:
  ///   - value: The value of the file with its data.
  ///   - isConverted: True if the value is that of the converted file.
  private func expanded(
    _ file: File, _ value: Value?, by way: Way, _ isConverted: Bool, or failure: (FerryError) -> VersionError
  ) throws(VersionError) -> ExpandedFile? {
    let hasData = value?.containsData ?? false
    let isOfTexts = isConverted && !hasData && !way.format.capabilities.contains(.data)
    guard hasData || isOfTexts else { return nil }
    do throws(VersionError) {
      let file = try converted(file, by: way, expandsData: true, or: failure)
      return ExpandedFile(file: file, isOfTexts: isOfTexts)
    } catch {
      guard case .overBudget = error.error.reason else { return nil }
      // Without the values, documents in Base64 cannot be told from other texts.
      guard !isOfTexts else { throw error }
      return ExpandedFile(failure: error.error, isOfTexts: isOfTexts)
    }
  }

  /// Returns the values of the documents in the data of a file.
  ///
  /// - Parameters:
  ///   - value: The value of the file with its data. If the format has no data, the texts of documents become data.
  ///   - expanded: The file with the documents in place of its data.
  ///   - other: The value of the other file.
  private func expansion(
    of value: inout Value?, _ expanded: ExpandedFile?, _ other: Value?, in format: Format
  ) -> DataExpansion {
    guard let expanded, var closed = value else { return DataExpansion() }
    // A version may be valid although its converted file cannot be read. Its data is then compared as data.
    guard let file = expanded.file, let opened = try? read(file, as: format, or: VersionError.old).value
    else { return DataExpansion(failure: expanded.failure) }
    let texts = expanded.isOfTexts ? other?.allTexts ?? [] : nil
    let expansion = DataExpansion(in: &closed, from: opened, texts: texts, ordersKeys: ordersKeys)
    value = closed
    return expansion
  }
}
