/// A Core Data store that an app has made of its model, for new stores to be copies of, with objects of their own.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.template = try StoreTemplate(path: "Empty.storedata")
///     let store = try conversion.convert(json).bytes
///
/// A store is the app's by the hashes of its model, which only the app can compute; so they are taken from one that it has
/// made, be it empty.
public struct StoreTemplate: Sendable {
  /// Where the store is. It is read when a copy is made.
  public let path: String

  /// The store at a path.
  ///
  /// - Throws: that there is none, or that it is a database of another kind.
  public init(path: String, budget: Budget = Budget()) throws(Failure) {
    self.path = path
    let connection = try database(budget).connection
    guard try CoreDataStore(connection, tables: connection.tables(), budget: budget) != nil else {
      throw Failure(.database(.notAStore))
    }
  }

  /// The store, open to be copied.
  func database(_ budget: Budget) throws(Failure) -> SQLiteFile {
    try SQLiteFile(FileInput(path: path), budget: budget)
  }

  /// Whether a file of this name can only be made of a template: its extension is that of Core Data's own stores.
  static func isNeeded(forFileNamed name: String) -> Bool {
    FormatDetector.fileExtension(of: name) == "storedata"
  }
}
