import Ferry

// Merges of packages.

extension MergeCommand {
  /// Returns the type of our version if it is a package: a folder, or one in a ZIP archive. Returns nil for a file, and for a pipe, which
  /// can be read only once.
  func packageType(_ types: DocumentTypes) throws(NamedError) -> DocumentType? {
    guard !isStream(.ours) else { return nil }
    return try NamedError.naming(name(of: .ours)) { () throws(FerryError) -> DocumentType? in
      guard !Folder.isFolder(ours) else { return try types.type(ofPackage: ours) }
      return try zippedPackage(in: FileInput(path: ours), of: .ours, types)?.type
    }
  }

  private func zippedPackage(
    in input: FileInput, of side: MergeSide, _ types: DocumentTypes
  ) throws(FerryError) -> ZippedPackage? {
    try types.zippedPackage(
      in: input, named: git ?? file(of: side), from: self.input.format, budget: limits.budget)
  }

  /// Merges packages of the merge's type. Returns false if there are undecided conflicts.
  func mergePackages(_ merge: DocumentMerge, _ types: DocumentTypes) throws(NamedError) -> Bool {
    let path = resultPath
    guard path != "-" || target != nil else {
      throw NamedError(name: NamedOutput.standardName, error: FerryError(.package(.needsPath)))
    }
    try checkOutput(path, types)
    let edit = try edit(types)
    defer { extendLifetime(edit) }
    let ours = try read(package(of: .ours, types), .ours, merge, as: nil)
    let theirs = try read(package(of: .theirs, types), .theirs, merge, as: ours)
    let basePackage = try package(of: .base, types)
    let base = basePackage.names.isEmpty ? nil : try read(basePackage, .base, merge, as: ours)
    let result = try naming { () throws(MergeError) in
      try merge.merge(base: base, ours: ours, theirs: theirs)
    }
    let losses = LossReport()
    losses.add(result.losses)
    let lines =
      result.conflicts.map { line($0) } + result.textConflicts.map { line($0) }
      + result.fileConflicts.map { line($0) }
    return try finish(lines, losses) { output throws(FerryError) in
      try result.writeReport(to: output)
    } writing: { () throws(NamedError) in
      try write(result.package, merge, to: path, types, losses)
    }
  }

  private func line(_ conflict: FileConflict) -> String {
    let folder = conflicted.hasSuffix("/") ? conflicted : "\(conflicted)/"
    return "\(folder)\(conflict.path): conflict: \(conflict.differences)"
  }

  /// Throws if the merged package would be written to a ZIP archive or replace another file.
  private func checkOutput(_ path: String, _ types: DocumentTypes) throws(NamedError) {
    guard path != "-" else { return }
    try NamedError.naming(git == nil ? path : name(of: .ours)) { () throws(FerryError) in
      try types.checkIsNoZippedPackage(path, budget: limits.budget)
      if let format = Format.ofFile(named: path), format.isArchiveOfFiles {
        throw FerryError(.file(.notWritten(format.rawValue)))
      }
    }
    guard target != nil || !isReplacing || !Folder.isFile(path) else {
      throw NamedError(name: path, error: FerryError(.file(.notADirectory)))
    }
  }

  private func read(
    _ package: DocumentPackage, _ side: MergeSide, _ merge: DocumentMerge,
    as ours: DocumentMerge.PackageVersion?
  ) throws(NamedError) -> DocumentMerge.PackageVersion {
    try NamedError.naming(name(of: side)) { () throws(FerryError) in try merge.read(package, as: ours) }
  }

  /// Returns the package of a version: a folder, or one in a ZIP archive. An empty file, which a base may be, becomes an empty package.
  private func package(of side: MergeSide, _ types: DocumentTypes) throws(NamedError) -> DocumentPackage {
    let path = file(of: side)
    return try NamedError.naming(name(of: side)) { () throws(FerryError) -> DocumentPackage in
      guard !Folder.isFolder(path) else { return try DocumentPackage(reading: path, budget: limits.budget) }
      let input = try FileInput(path: path)
      if let zipped = try zippedPackage(in: input, of: side, types) { return zipped.package }
      guard try input.readAll().isEmpty else { throw FerryError(.file(.notADirectory)) }
      return DocumentPackage(budget: limits.budget)
    }
  }

  /// Writes the merged package, or converts it to the requested file or package of another type.
  private func write(
    _ package: DocumentPackage, _ merge: DocumentMerge, to path: String, _ types: DocumentTypes,
    _ losses: LossReport
  ) throws(NamedError) {
    guard let type = merge.type else { return }
    let targetType = types.type(ofFile: path).flatMap { $0.isPackage ? $0 : nil }
    var conversion = Conversion(to: target ?? .archive)
    (conversion.reading.schema, conversion.reading.budget) = (merge.schema, merge.budget)
    if target != nil, targetType == nil {
      let output = MemoryOutput()
      try NamedError.naming(path) { () throws(FerryError) in
        losses.add(try conversion.convert(package, of: type, to: output, named: path).report.losses)
      }
      return try NamedOutput.put(contents: output.bytes, at: path, replacing: isReplacing)
    }
    try NamedError.naming(path) { () throws(FerryError) in
      var package = package
      if let targetType, targetType != type {
        let made = try conversion.package(of: targetType, from: package, of: type)
        package = made.package
        losses.add(made.report.losses)
      }
      try package.write(to: path, replacing: isReplacing)
    }
  }
}
