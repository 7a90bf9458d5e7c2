public import Ferry
public import Foundation

extension Document {
  /// Creates a document at a URL, which may or may not exist, without reading it.
  ///
  /// - Parameters:
  ///   - url: The URL of the document.
  ///   - type: The type of the document.
  ///   - autosaving: The policy for automatic saves.
  /// - Throws: A `FerryError` if the URL is not that of a file.
  public nonisolated convenience init(
    url: URL, type: DocumentType, autosaving: Autosaving = .after(.seconds(2))
  ) throws(FerryError) {
    self.init(path: try url.filePath, type: type, autosaving: autosaving)
  }

  /// The URL of the document. A save to another path changes it.
  public var fileURL: URL { URL(filePath: path) }

  /// The modification date of the file that was last opened or saved, or nil if there is no such file.
  public var modificationDate: Date? { fileModificationDate.map(Date.init(timeIntervalSinceReferenceDate:)) }
}

extension Seed {
  /// Creates a seed from the data at a URL, such as a resource of a bundle.
  ///
  ///     let seed = try Seed(from: Bundle.main.url(forResource: "folks", withExtension: "xml")!)
  ///
  /// - Throws: A `FerryError` if the URL is not that of a file.
  public init(from url: URL) throws(FerryError) { self.init(from: try url.filePath) }

  /// Creates the document at a URL, or adds records to it, as `seed(at:)` with a path.
  ///
  /// - Parameter url: The URL of the document.
  /// - Returns: The outcome, and the data that the document cannot represent.
  /// - Throws: A `SeedError` as from the function with a path, also if the URL is not that of a file.
  @discardableResult
  public func seed(at url: URL) throws(SeedError) -> (outcome: Outcome, losses: Losses) {
    let path: String
    do throws(FerryError) { path = try url.filePath } catch {
      throw SeedError(isAboutData: false, error: error)
    }
    return try seed(at: path)
  }
}

extension DocumentPackage {
  /// Reads the package at a URL, following a symbolic link there.
  ///
  /// - Throws: A `FerryError` as `init(reading:budget:)` with a path, also if the URL is not that of a file.
  public init(reading url: URL, budget: Budget = Budget()) throws(FerryError) {
    try self.init(reading: url.filePath, budget: budget)
  }

  /// Writes the whole package to a URL atomically, as `write(to:replacing:overwritingChanges:)` with a path.
  ///
  /// - Parameters:
  ///   - url: The URL of the package.
  ///   - replacing: Pass true to replace an existing package.
  ///   - overwritingChanges: Pass true to discard changes that another program has made since this package was read.
  /// - Returns: The package as it is on disk now, to change and write again.
  /// - Throws: A `FerryError` as from the function with a path, also if the URL is not that of a file.
  @discardableResult
  public func write(
    to url: URL, replacing: Bool = false, overwritingChanges: Bool = false
  ) throws(FerryError) -> DocumentPackage {
    try write(to: url.filePath, replacing: replacing, overwritingChanges: overwritingChanges)
  }
}

extension InPlaceEdit {
  /// Begins an edit of the file or the package at a URL.
  ///
  /// - Parameters:
  ///   - url: The URL of the file or the package.
  ///   - types: The known types of packages.
  ///   - beginning: The lock mode of the edit.
  /// - Throws: A `FerryError` as `init(of:among:beginning:)` with a path, also if the URL is not that of a file.
  public convenience init(
    of url: URL, among types: DocumentTypes = .builtIn, beginning: Beginning = .locking
  ) throws(FerryError) {
    try self.init(of: url.filePath, among: types, beginning: beginning)
  }
}
