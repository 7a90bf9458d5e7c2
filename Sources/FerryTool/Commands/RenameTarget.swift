import Ferry

/// A file in which `ferry rename` renames.
struct RenameTarget {
  let found: FoundInput
  /// The file itself, or the file with the records of a package.
  let file: String
  /// The path of the document: the package, or the file itself.
  var name: String { found.path }
  /// True if the file is in a package.
  let isPackage: Bool

  private init(_ found: FoundInput, _ types: DocumentTypes) throws(FerryError) {
    self.found = found
    file = try types.mainFile(of: found.path)
    isPackage = !file.equals(found.path)
  }

  /// Returns the targets for files and packages, also for those in folders. What cannot be listed is added to `errors`.
  ///
  /// - Parameter outputFolder: The folder of the outputs, whose files are not inputs.
  static func all(
    named names: [String], _ types: DocumentTypes, _ errors: RunErrors, leavingOut outputFolder: String?
  ) -> [RenameTarget] {
    FoundInput.all(
      named: names, FileChoice(), types, errors, isQuiet: false,
      leavingOut: RunOutputs([outputFolder]), in: outputFolder
    ).compactMap { input in
      do throws(FerryError) {
        return try RenameTarget(input, types)
      } catch {
        errors.add(NamedError(name: input.path, error: error))
        return nil
      }
    }
  }
}

/// The number of files in which `ferry rename` has renamed.
struct RenamedFiles {
  /// True to skip files in folders that are of other kinds; false if their format is given.
  private let skipsOthers: Bool
  private var changed = 0
  private var total = 0
  private var skipped = 0
  private var skippedZIPArchives = 0

  init(skipsOthers: Bool) { self.skipsOthers = skipsOthers }

  /// Counts a file. Unless the format is given, skips a file in a folder that is not a property list, or a ZIP archive in which no names are changed.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - rename: Renames in the file, and returns true if the file has changed.
  mutating func add(
    _ target: RenameTarget, _ rename: () throws(NamedError) -> Bool
  ) throws(NamedError) {
    do throws(NamedError) {
      if try rename() { changed += 1 }
      total += 1
    } catch {
      if skipsOthers, target.found.isInFolder, !target.isPackage {
        if error.error.reason == .compression(.notRenamed) { return skippedZIPArchives += 1 }
        if error.error.isOfOtherFile(named: target.file) { return skipped += 1 }
      }
      total += 1
      throw error
    }
  }

  /// True if there were several files, or others in a folder.
  var hasSeveral: Bool { total > 1 || skipped + skippedZIPArchives > 0 }

  /// Returns the numbers in words: `3 of 5 changed, 1 failed, 1 ZIP archive of several files and 2 other files skipped`.
  ///
  /// - Parameter links: The symbolic links that were skipped, in words.
  func summary(isDryRun: Bool, failed: Int, links: String?) -> String {
    let others = [
      skippedZIPArchives > 0 ? skippedZIPArchives.counted("ZIP archive") + " of several files" : nil,
      skipped > 0 ? skipped.counted("other file") : nil,
    ].compactMap(\.self)
    let skippedLinks = links.map { ", \($0)" } ?? ""
    return "\(changed) of \(total) \(isDryRun ? "would change" : "changed")"
      + (failed > 0 ? ", \(failed) failed" : "")
      + (others.isEmpty ? "" : ", \(others.joined(separator: " and ")) skipped") + skippedLinks
  }
}

extension FerryError {
  /// Returns true if the file is not a property list, or if it is of a kind that Ferry does not read, or cannot be decompressed, and has
  /// no extension of property lists.
  fileprivate func isOfOtherFile(named name: String) -> Bool {
    if reason == .archive(.notAPropertyList) { return true }
    if case .compression = reason { return !Format.isPropertyList(named: name) }
    return unreadKind != nil && !Format.isPropertyList(named: name)
  }
}
