extension PageAttachments {
  /// Creates the files of a package other than that with its records.
  package init(of package: DocumentPackage, _ type: DocumentType) {
    self.init(package.paths.filter { !type.mainName.equals($0) }) { name, limit in
      // The page is for the values, and does without a file that cannot be read.
      guard let file = try? package.file(named: name),
        let bytes = try? file.size <= limit ? file.bytes() : file.head()
      else { return nil }
      return File(byteCount: file.size, bytes: bytes)
    }
  }
}
