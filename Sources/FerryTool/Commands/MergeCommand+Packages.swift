import Ferry

// Merges of packages.

extension MergeCommand {
  /// Merges packages of the merge's type. Returns false if there are undecided conflicts.
  func mergePackages(_ merge: DocumentMerge, _ types: DocumentTypes) throws(NamedError) -> Bool {
    let path = resultPath
    guard path != "-" || target != nil else {
      throw NamedError(name: NamedOutput.standardName, error: FerryError(.package(.needsPath)))
    }
    let edit = try edit(types)
    defer { extendLifetime(edit) }
    let ours = try read(.ours, merge, as: nil)
    let theirs = try read(.theirs, merge, as: ours)
    let base = try hasBase() ? read(.base, merge, as: ours) : nil
    let losses = LossReport()
    let result = try naming { () throws(MergeError) in
      try merge.merge(base: base, ours: ours, theirs: theirs, losses: losses)
    }
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

  private func read(
    _ side: MergeSide, _ merge: DocumentMerge, as ours: DocumentMerge.PackageVersion?
  ) throws(NamedError) -> DocumentMerge.PackageVersion {
    try NamedError.naming(name(of: side)) { () throws(FerryError) in
      try merge.read(DocumentPackage(reading: file(of: side), budget: merge.budget), as: ours)
    }
  }

  /// Returns true if there is a base: neither an empty folder nor an empty file.
  private func hasBase() throws(NamedError) -> Bool {
    try NamedError.naming(name(of: .base)) { () throws(FerryError) in
      guard Folder.isFolder(base) else { return try !FileInput(path: base).readAll().isEmpty }
      return try !DocumentPackage(reading: base, budget: limits.budget).names.isEmpty
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
      return try NamedOutput.put(output.bytes, at: path, replacing: isReplacing)
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
