import Ferry

/// The files for the records of several inputs, which are checked before any of them is written.
final class SplitOutputs {
  private let claims: OutputClaims
  /// The input of each file, by its path with the case of its name folded, because the volume may ignore case and normalization.
  private var inputs: [String: String] = [:]

  /// - Parameter claims: The inputs of the run, and the other files that no output may replace.
  init(_ claims: OutputClaims) { self.claims = claims }

  /// Adds the file for a record.
  ///
  /// - Parameter isOfValue: True if the file is named after a value of the record.
  /// - Throws: A `FerryError` with the path of the record if a record of another input has the file, or if the file is one that the run reads.
  func claim(
    _ path: String, for input: String, _ record: SplitRecord, isOfValue: Bool
  ) throws(FerryError) {
    do throws(NamedError) { try claims.claim(path, for: input) } catch {
      guard isOfValue, case .file(.outputTaken(_, let other, _)) = error.reason else {
        throw FerryError(error.error.reason, path: record.path)
      }
      throw FerryError(.file(.sameNameInInput(path, other: other)), path: record.path)
    }
    let folded = "\(Folder.containing(path))/\(Folder.name(of: path).foldedName)"
    guard let other = inputs.updateValue(input, forKey: folded), !other.equals(input) else { return }
    let name = StandardError.inputName(other)
    throw FerryError(
      .file(isOfValue ? .sameNameInInput(path, other: name) : .outputTaken(path, by: name)),
      path: record.path)
  }
}
