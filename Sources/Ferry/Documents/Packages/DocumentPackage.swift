/// A package: a folder that acts as one document.
///
///     var package = try DocumentPackage(reading: "Things I Own.mystuff")
///     package.names                                           // ["image.png", "things.data"]
///     let image = try package.bytes(of: "image.png")          // reads the file
///     let key = package.add(png, preferredName: "image.png")  // "1__#$!@%!#__image.png"
///     try package.write(to: "Things I Own.mystuff", replacing: true)
///
/// A package is a value: changing it changes no file until `write`. Reading a package only lists its files;
/// the bytes of a file are read once, when they are needed. A file in a subfolder is named by its path,
/// `images/a.png`. Symbolic links are kept as links and never followed.
public struct DocumentPackage: Sendable {
  enum Entry: Sendable {
    case file(PackagedFile)
    case folder
    case link(String)
  }

  private(set) var entries: [PackagePath: Entry] = [:]
  /// The listing that the package was read from, or nil if the package was not read from a folder.
  private(set) var origin: PackageListing?
  let budget: Budget
  /// The number of entries with each case-folded path, because some file systems ignore case. They also treat canonically
  /// equivalent names as equal, as `String` does.
  private(set) var taken: [String: Int] = [:]
  /// The entries that were written, if `write` returned this package.
  private var written: [PackagePath: Entry] = [:]
  /// For the case-folded preferred names of files, a number up to which all numbered names are taken.
  private var lastNumber: [String: Int] = [:]
  /// The files of other programs that `remove` has removed. Others that are on disk stay when the package is written.
  private(set) var removedForeignFiles: Set<PackagePath> = []

  /// Creates an empty package. The budget limits later additions.
  public init(budget: Budget = Budget()) { self.budget = budget }

  /// Reads the package at a path, following a symbolic link there.
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.notADirectory`; `PackageProblem.otherKind` for an entry that is not a file,
  ///   folder or link; `FileProblem.nameNotUTF8` for a name, or a target of a link, that is not UTF-8; `Budget.Limit.files` or `depth`;
  ///   or an error of the system.
  public init(reading path: String, budget: Budget = Budget()) throws(FerryError) {
    let target = try SystemPath.destination(of: Self.withoutSlashes(path))
    let listing = try FolderAside.finding(target) { () throws(FerryError) in
      try PackageListing(target, budget: budget)
    }
    self.init(listing, budget: budget, keeping: nil)
  }

  /// Creates the package for a listing. Keeps the bytes that `old` has already read of unchanged files.
  init(_ listing: PackageListing, budget: Budget, keeping old: DocumentPackage?) {
    self.budget = budget
    origin = listing
    for (path, entry) in listing.entries {
      switch entry {
      case .folder: entries[path] = .folder
      case .link(let target): entries[path] = .link(target)
      case .file(let stamp, let mode):
        let onDisk = PackagedFile.FileOnDisk(
          path: "\(listing.path)/\(path.text)", stamp: stamp, mode: mode, name: path.text,
          sizeLimit: budget.tokenBytes)
        var bytes: [UInt8]?
        if case .file(let file)? = old?.entries[path] { bytes = file.bytesInMemory }
        entries[path] = .file(PackagedFile(at: onDisk, bytes: bytes))
      }
      taken[path.folded, default: 0] += 1
    }
  }

  static func withoutSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// Makes this package a successor of another one, so that it may replace the other's folder if that is
  /// unchanged on disk.
  mutating func takeOrigin(of other: DocumentPackage) { origin = other.origin }

  // MARK: Reading

  /// The names at the top level of the package, sorted.
  public var names: [String] { Set(entries.keys.map(\.first)).sorted().map(\.text) }

  /// The paths of all files, including those in subfolders, sorted: `["images/a.png", "things.data"]`.
  public var paths: [String] {
    entries.filter { if case .file = $0.value { true } else { false } }.keys.sorted().map(\.text)
  }

  /// The paths of all files, links and empty folders.
  var leaves: [String] {
    let full = Set(entries.keys.flatMap(\.folders))
    return entries.keys.filter { !full.contains($0) }.sorted().map(\.text)
  }

  /// Returns the bytes of a file, or nil if the package has no entry with this name.
  ///
  ///     try package.bytes(of: "images/a.png")
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.changed` if another program has changed the file since the package was read;
  ///   `isLink` or `isFolder` if the entry is a link or a folder; or an error of the system.
  public func bytes(of name: String) throws(FerryError) -> [UInt8]? { try file(named: name)?.bytes() }

  /// Returns the first bytes of a file, which show its kind, or nil if the package has no entry with this name. Keeps none of them.
  ///
  /// - Throws: The errors of `bytes(of:)`.
  func head(of name: String) throws(FerryError) -> [UInt8]? { try file(named: name)?.head() }

  /// Returns a file, or nil if the package has no entry with this name.
  func file(named name: String) throws(FerryError) -> PackagedFile? {
    switch entries[PackagePath(name)] {
    case .file(let file)?: return file
    case .folder?: throw FerryError(.package(.isFolder(name)))
    case .link?: throw FerryError(.package(.isLink(name)))
    case nil: return nil
    }
  }

  /// Throws if a file cannot be read, in the order of their paths. Decompresses the files of a ZIP archive, and keeps none of them.
  func checkFiles() throws(FerryError) {
    for (_, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if case .file(let file) = entry { try file.check() }
    }
  }

  /// Returns the target of a symbolic link, or nil if the package has no link with this name.
  public func target(ofLink name: String) -> String? {
    guard case .link(let target)? = entries[PackagePath(name)] else { return nil }
    return target
  }

  /// The paths of all symbolic links, sorted, with their targets.
  package var links: [(name: String, target: String)] {
    entries.sorted { $0.key < $1.key }.compactMap { path, entry in
      if case .link(let target) = entry { (path.text, target) } else { nil }
    }
  }

  /// Returns a subfolder as a separate package, or nil if the package has no entries in it.
  public func folder(named name: String) -> DocumentPackage? {
    let folder = PackagePath(name)
    var found = DocumentPackage(budget: budget)
    for (path, entry) in entries {
      if let inner = path.from(folder) { found.insert(entry, at: inner) }
    }
    if found.entries.isEmpty, entries[folder] == nil { return nil }
    if case .file? = entries[folder] { return nil }
    if case .link? = entries[folder] { return nil }
    return found
  }

  /// Returns the sorted names of files that another program has changed, added or removed since the package
  /// was read. The list is empty for a package that was not read from a folder. It does not have the files that file managers create in
  /// every folder, such as `.DS_Store`.
  ///
  /// - Throws: The errors of reading a package, for example if it no longer exists.
  public func changesOnDisk() throws(FerryError) -> [String] {
    guard let origin else { return [] }
    return try PackageListing(origin.path, budget: budget).differences(from: origin)
  }

  /// The digests of the files whose bytes were read, or were set and written. A file that was never read is
  /// left out: the next save keeps it, whatever its contents are then.
  var digests: [PackagePath: ContentDigest] {
    var digests: [PackagePath: ContentDigest] = [:]
    for (path, entry) in entries {
      guard case .file(let file) = entry, let bytes = file.bytesInMemory else { continue }
      if case .file(let source)? = written[path], source.onDisk != nil { continue }
      digests[path] = ContentDigest(of: bytes)
    }
    return digests
  }

  // MARK: Changing

  /// Sets the bytes of a file, adding the file if there is none. The name is checked when the package is
  /// written.
  public mutating func set(_ bytes: [UInt8], named name: String) {
    insert(.file(PackagedFile(bytes)), at: PackagePath(name))
  }

  /// Sets the target of a symbolic link, adding the link if there is none.
  public mutating func setLink(to target: String, named name: String) {
    insert(.link(target), at: PackagePath(name))
  }

  /// Sets a subfolder with its contents, replacing any entry with this name.
  public mutating func setFolder(_ folder: DocumentPackage, named name: String) {
    remove(name)
    insert(.folder, at: PackagePath(name))
    for (path, entry) in folder.entries { insert(entry, at: PackagePath("\(name)/\(path.text)")) }
  }

  /// Adds a file and returns its name: the preferred name or, if that is taken (ignoring case), the name that
  /// Apple's frameworks would choose.
  ///
  ///     package.add(png, preferredName: "image.png")           // "image.png"
  ///     package.add(png, preferredName: "image.png")           // "1__#$!@%!#__image.png"
  ///     package.add(png, preferredName: "images/image.png")    // "images/image.png"
  ///
  /// - Returns: The name in the package, which a record can store.
  public mutating func add(_ bytes: [UInt8], preferredName: String) -> String {
    add(PackagedFile(bytes), preferredName: preferredName)
  }

  mutating func add(_ file: PackagedFile, preferredName: String) -> String {
    let preferred = PackagePath(preferredName)
    var (name, number) = (preferred, lastNumber[preferred.folded] ?? 0)
    while taken[name.folded] != nil {
      number += 1
      name = preferred.numbered(number)
    }
    lastNumber[preferred.folded] = number
    insert(.file(file), at: name)
    return name.text
  }

  /// Removes a file or link, or a folder with its contents. Does nothing if there is no entry with the name.
  public mutating func remove(_ name: String) {
    let removed = PackagePath(name)
    switch entries[removed] {
    case .file, .link: remove(at: removed)
    case .folder, nil:
      for path in Array(entries.keys) where path == removed || path.from(removed) != nil { remove(at: path) }
    }
  }

  private mutating func remove(at path: PackagePath) {
    if path.isForeign { removedForeignFiles.insert(path) }
    forget(path)
  }

  /// Removes an entry from this package only.
  mutating func forget(_ path: PackagePath) {
    guard entries.removeValue(forKey: path) != nil else { return }
    let others = (taken[path.folded] ?? 1) - 1
    taken[path.folded] = others > 0 ? others : nil
    guard let (preferred, number) = path.numbering, let last = lastNumber[preferred.folded] else { return }
    lastNumber[preferred.folded] = max(0, min(last, number - 1))
  }

  mutating func insert(_ entry: Entry, at path: PackagePath) {
    removedForeignFiles.remove(path)
    if entries.updateValue(entry, forKey: path) == nil { taken[path.folded, default: 0] += 1 }
  }

  /// Returns this package with other entries. It is still based on the folder that was read.
  func withEntries(_ entries: [PackagePath: Entry]) -> DocumentPackage {
    var package = self
    package.entries = entries
    package.taken = [:]
    for path in entries.keys { package.taken[path.folded, default: 0] += 1 }
    package.lastNumber = [:]
    return package
  }

  // MARK: Writing

  /// Writes the whole package atomically.
  ///
  ///     let written = try package.write(to: "Things I Own.mystuff", replacing: true)
  ///
  /// The new package is built in a folder next to the old one, `.ferry-package-…`, and replaces it in one
  /// step: if the process is killed, either the old or the new package is complete. Unchanged files become
  /// hard links to the old files, or copies on file systems without links; both keep their time stamps.
  ///
  /// On file systems that cannot exchange two folders, the old package is first renamed to the package's name
  /// followed by `.ferry-old-package`, and no package has the name for a moment. If the process is killed in this
  /// moment, the next process that reads or writes the package restores the old one.
  ///
  /// Files that file managers create in every folder, such as `.DS_Store`, `._image.png`, `.localized`, `desktop.ini` and `Thumbs.db`, are
  /// no changes of the package by another program. Those of the existing package stay, unless they were removed from this one.
  ///
  /// The new package gets the old one's mode and, if permitted, owner. If `path` is a symbolic link, its
  /// target is replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the package.
  ///   - replacing: Pass true to replace an existing package.
  ///   - overwritingChanges: Pass true to discard changes that another program has made since this package
  ///     was read.
  /// - Returns: The package as it is on disk now, to change and write again.
  /// - Throws: A `FerryError` with the reason `FileProblem.exists`; `FileProblem.notADirectory` if the path is that of a file;
  ///   `CompressionProblem.compressedPackage` if a new package would have the name of a compressed file; `PackageProblem.notAPackage`
  ///   if the existing folder has no files in common with this package; `PackageProblem.changed` if the existing package, or a file to
  ///   keep, has changed since it was read; `PackageProblem.badName`; or an error of the system. The existing package is unchanged in
  ///   that case.
  @discardableResult
  public func write(
    to path: String, replacing: Bool = false, overwritingChanges: Bool = false
  ) throws(FerryError) -> DocumentPackage {
    try Self.checkName(path)
    let target = try SystemPath.destination(of: Self.withoutSlashes(path))
    let writer = PackageWriter(
      package: self, target: target, isReplacing: replacing, overwritesChanges: overwritingChanges)
    var saved = DocumentPackage(try writer.write(), budget: budget, keeping: self)
    saved.written = entries
    return saved
  }

  /// Throws the error that `write` would throw for the path of a package, as far as it is known without creating a file: for a run that
  /// writes nothing.
  package static func check(_ path: String, replacing: Bool) throws(FerryError) {
    try checkName(path)
    guard replacing || !Folder.hasSomething(at: path) else { throw FerryError(.file(.exists)) }
    if Folder.isFolder(path) { try Folder.checkWritable(path) }
    try Folder.checkWritable(Folder.containing(path))
  }

  /// Throws if a package that does not exist yet has the name of a compressed file, which a folder cannot be.
  package static func checkName(_ path: String) throws(FerryError) {
    guard let compression = Compression.ofFile(named: withoutSlashes(path)), !Folder.isFolder(path) else {
      return
    }
    throw FerryError(.compression(.compressedPackage(compression)))
  }

  /// Bases this package on a package that was made from it and written. Files that changed since then remain
  /// to be written; all others count as written.
  ///
  ///     let saved = try package.write(to: path)       // meanwhile: package.set(png, named: "new.png")
  ///     package.rebase(onto: saved)                    // the next `write` writes only new.png
  public mutating func rebase(onto saved: DocumentPackage) {
    for (path, entry) in saved.entries {
      if case .file(let ours)? = entries[path], case .file(let known)? = saved.written[path], ours === known {
        entries[path] = entry
      }
    }
    origin = saved.origin
  }
}

extension PackagePath {
  /// Returns the name that Apple's frameworks (`NSFileWrapper`, as of macOS 14) give to a file if its
  /// preferred name is taken: `1__#$!@%!#__image.png`.
  fileprivate func numbered(_ number: Int) -> PackagePath {
    let (folder, name) = folderAndName
    return PackagePath("\(folder)\(number)\(Self.numberEnd)\(name)")
  }

  /// The preferred name of a numbered file: `image.png` for `1__#$!@%!#__image.png`.
  var unnumbered: PackagePath { numbering?.preferred ?? self }

  /// The preferred name and the number of a numbered file, or nil for others.
  fileprivate var numbering: (preferred: PackagePath, number: Int)? {
    let (folder, name) = folderAndName
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    let rest = name.dropFirst(digits.count)
    guard rest.hasPrefix(Self.numberEnd), rest.count > Self.numberEnd.count, let number = Int(digits) else {
      return nil
    }
    return (PackagePath(folder + rest.dropFirst(Self.numberEnd.count)), number)
  }

  private static let numberEnd = "__#$!@%!#__"

  private var folderAndName: (folder: String, name: String) {
    guard let folder = folders.last, let name = from(folder) else { return ("", text) }
    return ("\(folder.text)/", name.text)
  }
}
