extension ByteInput {
  /// Reads all bytes. Those of a database have the changes in the files beside it: the log, or a journal from which an interrupted
  /// change is rolled back. A database that is read in this way needs no log.
  package func readAllWithLog(budget: Budget) throws(FerryError) -> [UInt8] {
    let isWAL = SQLiteFile.isWAL(try peek(upTo: 20))
    var bytes = try hasLog() ? SQLiteFile(self, budget: budget).connection.contents() : readAll()
    if isWAL, path != nil, bytes.count > 19 { (bytes[18], bytes[19]) = (1, 1) }
    return bytes
  }

  /// Returns true for a database that has changes in a log beside it, or a journal from which a change is rolled back.
  package func hasLog() throws(FerryError) -> Bool {
    let head = try peek(upTo: 20)
    guard PackageTraits.hasSQLite, FileSignature.sqlite.begins(head),
      let files = try SQLiteFile.files(of: self)
    else { return false }
    for name in [files.log, files.journal] where try SystemPath.status(of: name)?.size ?? 0 > 0 {
      return true
    }
    return false
  }
}
