import Ferry

/// A file in which `ferry rename` renames.
struct RenameTarget {
  let file: String
  /// The path of the package whose records are in the file; nil for other files.
  var package: String?
  /// The path of the document: the package, or the file itself.
  var name: String { package ?? file }
  /// True if the file was found in a folder, so that it may be of any kind.
  var isInFolder = false

  /// Returns a file itself, the file with the records of a package, or such files in a folder. What cannot be
  /// listed is added to `errors`.
  static func all(in name: String, _ types: DocumentTypes, _ errors: RunErrors) -> [RenameTarget] {
    guard Folder.isFolder(name) else { return [RenameTarget(file: name)] }
    guard types.type(ofFile: name)?.isPackage == true else {
      let listing = Folder.listing(under: name, leavingOut: FoundInput.isOfTools)
      for (path, error) in listing.errors { errors.add(NamedError(name: path, error: error)) }
      return listing.files.compactMap { target($0, in: name, types) }
    }
    do throws(FerryError) {
      return [RenameTarget(file: try types.mainFile(of: name), package: name)]
    } catch {
      errors.add(NamedError(name: name, error: error))
      return []
    }
  }

  /// Returns the target of a file in a folder; nil for a file of a package that does not hold its records.
  private static func target(_ file: String, in folder: String, _ types: DocumentTypes) -> RenameTarget? {
    let names = String(file.dropFirst(folder.count)).namesInPath
    for (index, name) in names.dropLast().enumerated() {
      guard case .package(let main, _, _)? = types.type(ofFile: String(name))?.layout else { continue }
      let inside = names.dropFirst(index + 1).joined(separator: "/")
      guard inside.equals(main) else { return nil }
      return RenameTarget(file: file, package: String(file.dropLast(inside.count + 1)), isInFolder: true)
    }
    return RenameTarget(file: file, isInFolder: true)
  }
}

/// The number of files in which `ferry rename` has renamed.
struct RenamedFiles {
  private var changed = 0
  private var total = 0
  private var skipped = 0

  /// Counts a file. Skips a file in a folder that is not a property list.
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
      guard target.isInFolder, target.package == nil, error.error.isOfOtherFile(named: target.file) else {
        total += 1
        throw error
      }
      skipped += 1
    }
  }

  /// True if there were several files, or others in a folder.
  var hasSeveral: Bool { total > 1 || skipped > 0 }

  /// Returns the numbers in words: `3 of 5 changed, 1 failed, 2 other files skipped`.
  func summary(isDryRun: Bool, failed: Int) -> String {
    "\(changed) of \(total) \(isDryRun ? "would change" : "changed")"
      + (failed > 0 ? ", \(failed) failed" : "")
      + (skipped > 0 ? ", " + skipped.counted("other file") + " skipped" : "")
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
