// JSON patches of files, which are tested before they are returned.

extension FileComparison {
  /// A JSON patch (RFC 6902) that makes the first file the second.
  public struct Patch: Hashable, Sendable {
    /// The text of the patch.
    public let bytes: [UInt8]
    /// The reason why the patch has not been applied to a copy of the first file, for example because Ferry does not change
    /// files of its format; nil if it has been, and the result is the second file.
    public let untested: Untested?

    /// A reason why a patch has not been applied.
    public enum Untested: Hashable, Sendable {
      /// One of the files is empty.
      case emptyFile
      /// The values are records of a schema.
      case records
      /// Only selected values are compared, whose paths are not those in the file.
      case selection
      /// Ferry cannot change the file.
      case error(FerryError)
    }
  }

  /// Returns a JSON patch (RFC 6902) that makes the first file the second, for `EditableFile.apply(_:)`. The patch has been
  /// applied to a copy of the first file, and the result compared with the second. If Ferry cannot change the first file, the
  /// patch is for other programs, and has the reason why it is not tested.
  ///
  /// If operations on parts cannot give the second file, for example because two paths share an object in only one of the
  /// files, the only operation gives the whole value. With `expandsData`, no tested patch puts another value in place of data.
  ///
  /// If the first file is a document in the typed form, or an archive in the raw form, its text is changed, and the second file must be such
  /// a document, or be of a format that has all types: then its document is that of a conversion.
  ///
  /// - Parameters:
  ///   - differences: The differences between the files.
  ///   - old: The first file.
  ///   - new: The second file.
  /// - Throws: A `VersionError` with `PathProblem.noPatch`, `notTyped`, `replacesData` or `patchFails` if no patch gives the second file.
  public func patch(
    of differences: ValueDifferences, from old: File, to new: File
  ) throws(VersionError) -> Patch {
    // Equal files may have other values in the format of the first file, by whose paths a patch would change it.
    if differences.all.isEmpty {
      return Patch(bytes: try Self.text(of: ValueDifferences(from: .null, to: .null)), untested: nil)
    }
    if let texts = try typedTexts(of: old, new) {
      guard ignored.isEmpty else {
        let words = "a patch of the typed form has all values, and lists in their order"
        throw .old(FerryError(.path(.noPatch(words))))
      }
      return try patch(of: texts, from: old)
    }
    let (comparison, first, second) = prepared(for: old, new)
    let editing = comparison.editing(first)
    if let reason = reasonNotToTest(from: old, to: new, editing) {
      return Patch(bytes: try patchForOthers(of: differences, from: old, to: new), untested: reason)
    }
    var test = PatchTest(comparison: self, old: old, new: new, differences: differences, editing: editing)
    var byParts: [UInt8]?
    // Not all documents in data can be changed in place. Such data can be replaced, before the whole value is.
    for comparison in reading.expandsData ? [comparison, comparison.replacingData] : [comparison] {
      let candidates = try comparison.candidates(for: differences, from: first, to: second, xmlForPaths)
      for moves in candidates.attempts {
        guard var patch = try candidates.patch(moves) else { continue }
        if moves == .all { byParts = try? patch.get() }
        var hasPassed = test.passes(patch, by: comparison, from: first)
        if !test.keyOrder.isEmpty, let ordered = try candidates.patch(moves, followedBy: test.keyOrder) {
          patch = ordered
          hasPassed = test.passes(patch, by: comparison, from: first)
        }
        if hasPassed, let bytes = try? patch.get() { return Patch(bytes: bytes, untested: nil) }
      }
    }
    try Self.checkHasPaths(differences)
    // A ZIP archive may have files whose values cannot be changed one by one, such as tables.
    if test.replacedData == nil, let byParts, hasFiles(old, editing) {
      return Patch(bytes: byParts, untested: .error(test.error))
    }
    throw VersionError.old(test.error)
  }

  private func hasFiles(_ file: File, _ editing: EditableFile.Options) -> Bool {
    (try? EditableFile(file.bytes, named: file.name, options: editing))?.hasFiles ?? false
  }

  /// Tests of patches of two files, with the reasons why patches have failed.
  private struct PatchTest {
    let comparison: FileComparison
    let old, new: File
    let differences: ValueDifferences
    let editing: EditableFile.Options
    /// The problem of the first patch that does not give the second file. That of operations on parts is more exact than that of the whole
    /// value.
    private(set) var problem: PathProblem?
    /// The path of data that a patch has replaced. This is the reason for an error, whatever other patches leave.
    private(set) var replacedData: ValuePath?
    /// The operations after which the result of the last patch is the second file, if only the order of keys in documents differs.
    private(set) var keyOrder: [ValueDifferences.Operation] = []

    /// The error if no patch passes.
    var error: FerryError {
      guard let replacedData else { return FerryError(.path(problem ?? .noPatch("the result differs"))) }
      return FerryError(.path(.replacesData(replacedData)))
    }

    /// Returns true if a patch makes a copy of the first file the second, and puts no other value in place of data.
    ///
    /// - Parameters:
    ///   - preparedComparison: The comparison that has made the patch.
    ///   - first: The first file as this comparison reads it.
    mutating func passes(
      _ patch: Result<[UInt8], FerryError>, by preparedComparison: FileComparison, from first: File
    ) -> Bool {
      // A JSON patch cannot say before which key a new one comes.
      var proof = comparison
      proof.ordersKeys = false
      keyOrder = []
      do throws(FerryError) {
        let result = try comparison.patched(old, by: patch.get(), editing)
        guard let left = try? proof.differences(from: result, to: new) else { return false }
        if let difference = left.all.first {
          problem = problem ?? .noPatch(FileComparison.words(for: difference, among: differences))
          return false
        }
        keyOrder = (try? comparison.keyOrder(from: result, to: new)) ?? []
        guard keyOrder.isEmpty else {
          problem = problem ?? .noPatch("the order of keys differs")
          return false
        }
        // The root element of XML may be the same dictionary under another key.
        let isOfElements = comparison.formatOrNil(of: new)?.isOfElements ?? false
        let path = try preparedComparison.replacedData(
          from: first, to: result, isDictionaryReplaced: isOfElements)
        replacedData = replacedData ?? path
        return path == nil
      } catch {
        problem = problem ?? .patchFails(error)
        return false
      }
    }
  }

  /// The comparison whose patches replace data, and do not change the document in it, if both files have data.
  private var replacingData: FileComparison {
    var comparison = self
    comparison.replacesData = true
    return comparison
  }

  /// Returns a patch for other programs, which know no paths through data.
  private func patchForOthers(
    of differences: ValueDifferences, from old: File, to new: File
  ) throws(VersionError) -> [UInt8] {
    let opensData = differences.budgetOfData != nil
    var whole = opensData ? try replacingData.differences(from: old, to: new) : differences
    if whole.facts.hasOpenedData {
      // If only one file has the data, the value of its document has no path.
      var closed = self
      closed.reading.expandsData = false
      whole = try closed.differences(from: old, to: new)
    }
    try Self.checkHasPaths(whole)
    return try Self.text(of: whole)
  }

  /// Returns the text of the patch of differences.
  private static func text(of differences: ValueDifferences) throws(VersionError) -> [UInt8] {
    let output = MemoryOutput()
    do throws(FerryError) { try differences.writePatch(to: output) } catch {
      throw .old(FerryError(.path(.patchFails(error))))
    }
    return output.bytes
  }

  /// Throws if entries of archives beside their objects differ, or their roots. A patch of the raw form would not be a patch of the objects.
  private static func checkHasPaths(_ differences: ValueDifferences) throws(VersionError) {
    guard let entry = differences.facts.pathOfArchiveEntry else { return }
    let words =
      entry.steps.last == .key("$top")
      ? "a patch does not change the roots of an archive (\(entry.shortened))"
      : "a patch has no entries that an archive has beside its objects, such as \(entry.shortened)"
    throw VersionError.old(FerryError(.path(.noPatch(words))))
  }

  /// Returns a copy of a file to which a patch was applied.
  func patched(
    _ old: File, by patch: [UInt8], _ editing: EditableFile.Options
  ) throws(FerryError) -> File {
    let file = try EditableFile(old.bytes, named: old.name, options: editing)
    try file.apply(JSONPatch(patch, budget: reading.budget))
    // Nobody sees the patch, so that the operation does not matter.
    file.lastPatch = nil
    var result = File(try file.bytes(), name: old.name)
    (result.declaredFormat, result.declaredSchema) = (old.declaredFormat, old.declaredSchema)
    try EditedRecords(result.bytes, at: old.name, of: (old.name, old.bytes), among: types).check()
    return result
  }

  /// Returns the path of data of a file that another value has replaced in its changed copy, or nil. The documents in data are opened,
  /// because data in them must also stay data.
  ///
  /// - Parameter isDictionaryReplaced: True if other keys in the outermost dictionary are another value in its place, and not added ones.
  func replacedData(
    from old: File, to changed: File, isDictionaryReplaced: Bool = false
  ) throws(FerryError) -> ValuePath? {
    guard reading.expandsData else { return nil }
    var closed = self
    (closed.ordersKeys, closed.replacesData) = (false, false)
    do throws(VersionError) {
      let before = try closed.read(old, as: nil, or: VersionError.old)
      guard let value = before.value, value.containsData else { return nil }
      let after = try closed.read(changed, as: nil, or: VersionError.new)
      if isDictionaryReplaced, let other = after.value, value.loses(dataTo: other) { return ValuePath() }
      let search: ComparedData.ReplacementSearch =
        after.value?.containsData ?? false ? .documents : .allData
      return try closed.result(before, after, in: nil, replacements: search).differences.facts.replacedData
    } catch {
      throw error.error
    }
  }

  /// The patches that may make the first file the second.
  private struct PatchCandidates {
    let comparison: FileComparison
    let first, second: File
    /// The differences with all moves.
    let byParts: ValueDifferences
    /// The difference of the whole value.
    let replacement: ValueDifferences
    /// The maximum number of values in a patch of parts.
    let limit: Int

    /// The moves of the patches to try, in order. Nil is the replacement of the whole value, which is not tried if data would become the
    /// value of its document.
    var attempts: [MovedValues?] {
      let parts: [MovedValues?] = [.all, .unchanged, .elements]
      // The whole value would lack the values that are not compared.
      let isWhole =
        comparison.replacesData == comparison.reading.expandsData && !byParts.facts.hasOpenedData
        && comparison.ignored.values.isEmpty
      return isWhole ? parts + [nil] : parts
    }

    /// Returns a patch with some moves, or one that replaces the whole value. Returns nil if it would be too large, or the same as one
    /// with more moves.
    ///
    /// - Parameter more: Operations for the end of the patch.
    func patch(
      _ moves: MovedValues?, followedBy more: [ValueDifferences.Operation] = []
    ) throws(VersionError) -> Result<[UInt8], FerryError>? {
      guard let moves else { return replacement.patch(withValuesAtMost: .max, followedBy: more) }
      guard moves != .all else { return byParts.patch(withValuesAtMost: limit, followedBy: more) }
      // An object that moves and changes would also change at other paths that refer to it. Not every value can be under another key:
      // the content of an element cannot be an attribute.
      guard moves == .unchanged ? byParts.facts.hasSimilarPairs : byParts.hasRenamedEntries else {
        return nil
      }
      var comparison = comparison
      comparison.moves = moves
      let differences = try comparison.compareValues(first, with: second).differences
      return differences.patch(withValuesAtMost: limit, followedBy: more)
    }
  }

  /// Returns the patches that may make the first file the second.
  ///
  /// - Parameter xml: The options by which paths in the first file name elements.
  private func candidates(
    for differences: ValueDifferences, from first: File, to second: File, _ xml: XMLReadingOptions
  ) throws(VersionError) -> PatchCandidates {
    // Edits name elements without the order of contents, and keep the order of keys. A path in the first file does not depend on
    // the other file.
    var byPaths = self
    byPaths.ordersKeys = false
    // Records have other paths than the elements of the file.
    byPaths.comparesRecords = false
    byPaths.reading.xml = xml
    let byParts = try byPaths.compareValues(first, with: second).differences
    let file = try byPaths.read(second, as: nil, or: VersionError.new)
    let whole = file.value
    var replacement = ValueDifferences(from: nil, to: whole, isArchive: byParts.isArchive)
    (replacement.hasTypedPatch, replacement.hasMarkedTexts) = (differences.hasTypedPatch, file.hasMarkedTexts)
    // If objects refer to each other, each added part has all of them. Such a patch would be larger than the whole value.
    let limit = Self.sizeOfParts * (whole?.valueCount ?? 0) + Self.leastValues
    return PatchCandidates(
      comparison: byPaths, first: first, second: second, byParts: byParts, replacement: replacement,
      limit: limit)
  }

  /// Returns the reason why a patch of two files cannot be tested, or nil if it can.
  private func reasonNotToTest(
    from old: File, to new: File, _ editing: EditableFile.Options
  ) -> Patch.Untested? {
    guard hasValue(old), hasValue(new) else { return .emptyFile }
    guard reading.schema == nil else { return .records }
    guard reading.select == nil else { return .selection }
    do throws(FerryError) {
      let file = try EditableFile(old.bytes, named: old.name, options: editing)
      return file.isEditable ? nil : .error(FerryError(.path(.notEditable(file.format, isInData: false))))
    } catch {
      return .error(error)
    }
  }

  /// Returns the words for the first difference that a patch has left. In mixed content, which a patch cannot change, they name the first
  /// difference of the two files.
  private static func words(
    for difference: ValueDifferences.Difference, among all: ValueDifferences
  ) -> String {
    func isContent(_ path: ValuePath) -> Bool { path.steps.contains(.key("#content")) }
    var path = difference.newPath ?? difference.oldPath ?? ValuePath()
    let what =
      if isContent(path) {
        "mixed content differs"
      } else {
        switch difference.change {
        case .added: "a value is missing"
        case .removed: "a value of the first file is left"
        case .changed: "another value is left"
        case .moved: "a value is at another place"
        case .sharing: "an object is shared with other paths"
        case .documents(let areOld): areOld ? "several documents are left" : "a list is left"
        }
      }
    if isContent(path) {
      path = all.all.lazy.compactMap { $0.newPath ?? $0.oldPath }.first(where: isContent) ?? path
    }
    return "\(what) at \(path.inWords)"
  }

  /// The options for XML by which values have the paths of edits.
  private var xmlForPaths: XMLReadingOptions {
    var xml = reading.xml
    if xml.order == .always { xml.order = .needed }
    return xml.forPaths(findsTypes: true)
  }

  /// The greatest number of values in the operations on parts, for each value of the second file, and for small files.
  private static let (sizeOfParts, leastValues) = (4, 1 << 12)

  /// Returns the options for opening the first file to apply a patch.
  func editing(_ old: File) -> EditableFile.Options {
    let reading = options(for: old)
    var options = EditableFile.Options()
    (options.format, options.encoding) = (reading.format, reading.encoding)
    options.declaredFormats = reading.declaredFormats
    (options.representation, options.catalog) = (reading.representation, reading.catalog)
    (options.csv, options.xml, options.budget) = (reading.csv, xmlForPaths, reading.budget)
    return options
  }
}

extension FileComparison.Patch.Untested: CustomStringConvertible {
  /// The reason in one sentence, without a period.
  public var description: String {
    switch self {
    case .emptyFile: "one of the files is empty"
    case .records: "its values are records of a schema"
    case .selection: "only selected values are compared"
    case .error(let error): error.message
    }
  }
}

extension Value {
  /// True if a dictionary without any of the keys of this one, which replaces it as a whole, has less data.
  fileprivate func loses(dataTo other: Value) -> Bool {
    guard case .dictionary(let mine) = self, case .dictionary(let others) = other, !others.isEmpty,
      !mine.keys.contains(where: { others[$0] != nil })
    else { return false }
    return dataCount > other.dataCount
  }
}
