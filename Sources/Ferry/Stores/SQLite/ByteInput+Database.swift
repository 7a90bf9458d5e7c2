extension ByteInput {
  /// Reads all bytes. Those of a database have the changes in the files beside it: the log, or a journal from which an interrupted
  /// change is rolled back. A database that is read in this way needs no log.
  package func readAllWithLog(budget: Budget) throws(FerryError) -> [UInt8] {
    guard PackageTraits.hasSQLite, FileSignature.sqlite.begins(try peek(upTo: 20)),
      let files = try SQLiteFile.files(of: self)
    else { return try readAll() }
    let isWAL = SQLiteFile.isWAL(try peek(upTo: 20))
    let size = try SystemPath.status(of: isWAL ? files.log : files.journal)?.size ?? 0
    var bytes = size > 0 ? try SQLiteFile(self, budget: budget).connection.contents() : try readAll()
    if isWAL, bytes.count > 19 { (bytes[18], bytes[19]) = (1, 1) }
    return bytes
  }
}
