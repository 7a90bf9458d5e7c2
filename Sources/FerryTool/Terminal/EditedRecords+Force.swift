import Ferry

extension EditedRecords {
  /// Throws if the document would no longer be of its type. With `--force`, it is written nevertheless, with a note for a copy: there, the
  /// option may be meant only for an existing file.
  ///
  /// - Parameters:
  ///   - name: The name of the document for messages.
  ///   - isForced: True if `--force` is given.
  ///   - isCopy: True if the document is written to another file than its own.
  func check(named name: String, isForced: Bool, isCopy: Bool) throws(NamedError) {
    guard !isForced || isCopy else { return }
    do throws(FerryError) { try check() } catch {
      guard isForced else { throw NamedError(name: name, error: error) }
      StandardError.write(["\(error.message) (written because of --force)"], of: name)
    }
  }
}
