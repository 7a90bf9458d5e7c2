/// A Core Data store that an app has made from its model, as the template of new stores, which are copies
/// with other objects.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.template = try StoreTemplate(path: "Empty.storedata")
///     let store = try conversion.convert(json).bytes
///
/// An app accepts a store with the hashes of its model, which only the app can compute. So they are copied
/// from a store that the app has made, which may be empty.
public struct StoreTemplate: Sendable {
  /// The path of the store, which is read when a copy is made.
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

  /// Opens the store for copying.
  func database(_ budget: Budget) throws(FerryError) -> SQLiteFile {
    try SQLiteFile(FileInput(path: path), budget: budget)
  }

  /// Returns true if a file with this name needs a template: its extension is that of Core Data's own stores.
  static func isNeeded(forFileNamed name: String) -> Bool {
    FormatDetector.fileExtension(of: name) == "storedata"
  }
}
