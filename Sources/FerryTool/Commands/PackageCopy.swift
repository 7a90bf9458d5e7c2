import Ferry

/// A copy of a package with other records: the output of a command that changes the file with the records.
struct PackageCopy {
  /// The path of the package.
  let path: String
  /// The path of the file with its records.
  let main: String

  init(of input: String, main: String) { (path, self.main) = (input, main) }

  /// Writes the package with other records, and with all its other files.
  func write(_ records: [UInt8], to output: String, replacing: Bool) throws(NamedError) {
    var copy = try NamedError.naming(path) { () throws(FerryError) in try DocumentPackage(reading: path) }
    copy.set(records, named: String(main.dropFirst(path.count).drop { $0 == "/" }))
    _ = try NamedError.naming(output) { () throws(FerryError) in
      try copy.write(to: output, replacing: replacing)
    }
  }
}
