/// A Core Data store made by an app, used as a template. New stores are copies of the template with other
/// objects.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.writing.template = try StoreTemplate(path: "Empty.storedata")
///     let store = try conversion.convert(json).bytes
///
/// An app opens a store only if it contains the hashes of the app's model, which only the app can compute. A
/// template provides them; it may contain no objects.
public struct StoreTemplate: Hashable, Sendable {
  /// The path of the store. The file is read when a copy is made.
  public let path: String

  /// Creates a template from the store at a path.
  ///
  /// - Throws: An error if there is no file, or if it is another kind of database.
  public init(path: String, budget: Budget = Budget()) throws(FerryError) {
    self.path = path
    let connection = try database(budget).connection
    guard try CoreDataStore(connection, tables: connection.tables(), budget: budget) != nil else {
      throw FerryError(.database(.notAStore))
    }
  }

  /// Opens the store to copy it.
  func database(_ budget: Budget) throws(FerryError) -> SQLiteFile {
    try SQLiteFile(FileInput(path: path), budget: budget)
  }

  /// Returns true if a file with this name must be a Core Data store, that is, if its extension is
  /// `storedata`.
  static func isNeeded(forFileNamed name: String) -> Bool {
    FormatDetector.fileExtension(of: name) == "storedata"
  }
}
