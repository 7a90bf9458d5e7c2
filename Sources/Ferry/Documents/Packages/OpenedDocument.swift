/// A document that has been opened for reading.
package enum OpenedDocument {
  case file(FileInput)
  /// A package: a folder, or one in a ZIP archive.
  case package(DocumentPackage, DocumentType)
}

/// The opened file with the values of a document.
package struct OpenedValues<File> {
  package let file: File
  /// A name that shows the format. The file with the records of a folder is a file of its own.
  package let name: String
  /// The formats that document types declare for files, with that of this one.
  package let declaredFormats: DeclaredFormats
}

extension DocumentTypes {
  /// Opens a document: a file, or a package, which is a folder or in a ZIP archive.
  ///
  /// - Parameters:
  ///   - path: The path of the document, or `-` for the standard input.
  ///   - name: The name of the document, if its path does not show it.
  ///   - format: The format that the user gave, or nil. With a format, no archive is a package.
  ///   - budget: The limits on a package.
  ///   - openFile: Opens a file. It is also called for a folder, for which it throws an error, before anything in the folder is read: most
  ///     documents are files, which are then looked up only once.
  /// - Throws: A `FerryError` with the reason `PackageProblem.unknownType` for a folder that is not a package; an error of the package, or
  ///   one of the system.
  package func open(
    _ path: String, named name: String? = nil, from format: Format?, budget: Budget,
    _ openFile: (String) throws(FerryError) -> FileInput
  ) throws(FerryError) -> OpenedDocument {
    let input: FileInput
    do throws(FerryError) {
      input = try openFile(path)
    } catch {
      guard path != "-", Folder.isFolder(path) else { throw error }
      let type = try type(ofPackage: path)
      return .package(try DocumentPackage(reading: path, budget: budget), type)
    }
    let zipped = try zippedPackage(in: input, named: name ?? path, from: format, budget: budget)
    return zipped.map { .package($0.package, $0.type) } ?? .file(input)
  }

  /// Opens the file with the values of a document: for a package the file with the records, otherwise the document.
  ///
  /// - Throws: The errors of `open(_:named:from:budget:_:)`, or a `FerryError` with the reason `PackageProblem.noMainFile`.
  package func openValues(
    of path: String, from format: Format?, budget: Budget,
    _ openFile: (String) throws(FerryError) -> FileInput
  ) throws(FerryError) -> OpenedValues<any ByteInput> {
    let (input, main) = try openMainFile(of: path, openFile)
    guard main.equals(path),
      let zipped = try zippedPackage(in: input, named: path, from: format, budget: budget)
    else { return OpenedValues(file: input, name: main, declaredFormats: declaredFormats) }
    return OpenedValues(
      file: zipped.records(), name: zipped.name(inArchive: path), declaredFormats: zipped.declaredFormats)
  }

  /// Opens the file that holds the values of a document. Returns it with its path.
  private func openMainFile(
    of path: String, _ openFile: (String) throws(FerryError) -> FileInput
  ) throws(FerryError) -> (input: FileInput, path: String) {
    do throws(FerryError) {
      return (try openFile(path), path)
    } catch {
      guard path != "-", Folder.isFolder(path) else { throw error }
    }
    let main = try mainFile(of: path)
    return (try openFile(main), main)
  }

  /// Opens the file with the values of a document, to change it: of a package in a ZIP archive the file with the records, and of another
  /// archive with one file that file.
  ///
  /// - Parameters:
  ///   - path: The path of the document, or of the file with the records of a folder.
  ///   - zipped: The package in the file, if it is a ZIP archive with one.
  ///   - format: The format that the user gave, or nil.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits on the file.
  package func storedValues(
    of path: String, in zipped: ZippedPackage?, from format: Format?, encoding: String?, budget: Budget
  ) throws(FerryError) -> OpenedValues<EncodedFile> {
    if let zipped {
      return try zipped.storedRecords(inArchive: path, from: format, encoding: encoding, budget: budget)
    }
    let bytes = FileBytes(try FileInput(path: path).readAll())
    let file = try EncodedFile.opening(
      bytes, named: path, format: format, declared: declaredFormats, encoding: encoding, budget: budget)
    return OpenedValues(file: file, name: file.outer?.name ?? path, declaredFormats: declaredFormats)
  }

  /// Opens a file in a ZIP archive, to change it there.
  ///
  /// - Parameters:
  ///   - name: The name of the file in the archive, or its path: `index.json`, `["index.json"]`.
  ///   - path: The path of the archive.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits on the file.
  /// - Throws: A `FerryError` with the reason `CompressionProblem.notAnArchive` if the file is not a ZIP archive, or `PathProblem.noKey`
  ///   if the archive has no file of the name; or an error of the archive.
  package func storedFile(
    _ name: String, inArchive path: String, encoding: String?, budget: Budget
  ) throws(FerryError) -> OpenedValues<EncodedFile> {
    let archive = try EncodedFile(
      FileBytes(try FileInput(path: path).readAll()), named: path, format: nil, encoding: nil, budget: budget)
    let member = try FileInZIP(at: name, of: archive, budget)
    if let zipped = zippedPackage(at: path, budget: budget), zipped.holdsRecords(inFileNamed: member.name) {
      return try zipped.storedRecords(inArchive: path, from: nil, encoding: encoding, budget: budget)
    }
    let file = try EncodedFile(
      member, format: nil, declared: declaredFormats, encoding: encoding, budget: budget)
    return OpenedValues(file: file, name: member.name, declaredFormats: declaredFormats)
  }

  /// Throws if a file is a package in a ZIP archive, whose values Ferry changes, but which it does not write as a whole.
  package func checkIsNoZippedPackage(_ path: String, budget: Budget) throws(FerryError) {
    guard let zipped = zippedPackage(at: path, budget: budget) else { return }
    throw FerryError(.package(.inArchive(zipped.type.extensions.first ?? zipped.type.name)))
  }
}

extension DocumentType {
  /// Returns the bytes and the name of the file with the records of a package.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.notAPackage` if documents of the type are not packages, `noMainFile`,
  ///   `isLink` or `isFolder`; or an error of the system.
  package func records(of package: DocumentPackage) throws(FerryError) -> (bytes: [UInt8], name: String) {
    guard let mainName else { throw FerryError(.package(.notAPackage)) }
    guard let bytes = try package.bytes(of: mainName) else {
      throw FerryError(.package(.noMainFile(mainName)))
    }
    return (bytes, mainName)
  }
}

extension ReadingOptions {
  /// Returns the options for reading an opened file in the format that its type declares.
  package func reading<File>(_ values: OpenedValues<File>) -> ReadingOptions {
    var options = self
    options.declaredFormats = values.declaredFormats
    return options
  }
}
