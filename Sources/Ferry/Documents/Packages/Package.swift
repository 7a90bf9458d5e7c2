/// A package: a folder that acts as one document.
///
///     var package = try Package(reading: "Things I Own.mystuff")
///     package.names                                           // ["image.png", "things.data"]
///     let image = try package.bytes(of: "image.png")          // read now, not before
///     let key = package.add(png, preferredName: "image.png")  // "1__#$!@%!#__image.png"
///     try package.write(to: "Things I Own.mystuff", replacing: true)
///
/// A package is a value: changing it changes no file before it is written. Reading one lists its files; the bytes of a
/// file are read when they are asked for, once, and not at all when the file is only kept. A file in a folder of it is
/// named by the way there, `images/a.png`. Symbolic links are kept as links and never followed.
public struct Package: Sendable {
  enum Entry: Sendable {
    case file(PackagedFile)
    case folder
    case link(String)
  }

  private(set) var entries: [PackagePath: Entry] = [:]
  /// What was read, and where; nil for a package that is not from a folder.
  private(set) var origin: PackageListing?
  let budget: Budget
  /// The names that are taken, for file systems that do not tell capitals from small letters.
  private var taken: Set<String> = []
  /// What was written, of a package that `write` has given back.
  private var written: [PackagePath: Entry] = [:]
  /// The number that the next file of a preferred name gets.
  private var nextNumber: [PackagePath: Int] = [:]

  /// A package with nothing in it; the budget is for what it may become.
  public init(budget: Budget = Budget()) { self.budget = budget }

  /// The package at a path; a symbolic link there is followed.
  ///
  /// - Throws: `FileProblem.notADirectory`; `PackageProblem.otherKind` for what is no file, folder or link, and `badName`
  ///   for a name that is not UTF-8; `Budget.Limit.files` or `depth`; or what the system says.
  public init(reading path: String, budget: Budget = Budget()) throws(Failure) {
    let target = try SystemPath.destination(of: Self.withoutSlashes(path))
    let listing = try FolderAside.finding(target) { () throws(Failure) in
      try PackageListing(target, budget: budget)
    }
    self.init(listing, budget: budget, keeping: nil)
  }

  /// The package of a listing; what `old` has read of files that are still the same is kept.
  init(_ listing: PackageListing, budget: Budget, keeping old: Package?) {
    self.budget = budget
    origin = listing
    for (path, entry) in listing.entries {
      switch entry {
      case .folder: entries[path] = .folder
      case .link(let target): entries[path] = .link(target)
      case .file(let stamp, let mode):
        let place = PackagedFile.Place(
          path: "\(listing.path)/\(path.text)", stamp: stamp, mode: mode, name: path.text,
          sizeLimit: budget.tokenBytes)
        var bytes: [UInt8]?
        if case .file(let file)? = old?.entries[path] { bytes = file.bytesInMemory }
        entries[path] = .file(PackagedFile(at: place, bytes: bytes))
      }
      taken.insert(path.folded)
    }
  }

  static func withoutSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// Makes this the successor of another package, which it replaces only if that has not been changed on disk.
  mutating func takeOrigin(of other: Package) { origin = other.origin }

  // MARK: Looking

  /// The names of what is in the package, in order; of folders, not what is in them.
  public var names: [String] { Set(entries.keys.map(\.first)).sorted().map(\.text) }

  /// The ways to all files, those in folders too, in order: `["images/a.png", "things.data"]`.
  public var paths: [String] {
    entries.filter { if case .file = $0.value { true } else { false } }.keys.sorted().map(\.text)
  }

  /// The ways to all that is no folder, or a folder with nothing in it.
  var leaves: [String] {
    let full = Set(entries.keys.flatMap(\.folders))
    return entries.keys.filter { !full.contains($0) }.sorted().map(\.text)
  }

  /// The bytes of a file of the package; nil when it has none of the name.
  ///
  ///     try package.bytes(of: "images/a.png")
  ///
  /// - Throws: `PackageProblem.changed` when another program has changed the file since the package was read, `isLink` or
  ///   `isFolder` when that is what has the name, or what the system says.
  public func bytes(of name: String) throws(Failure) -> [UInt8]? {
    switch entries[PackagePath(name)] {
    case .file(let file)?: return try file.bytes()
    case .folder?: throw Failure(.package(.isFolder(name)))
    case .link?: throw Failure(.package(.isLink(name)))
    case nil: return nil
    }
  }

  /// What a symbolic link of the package says; nil when it has none of the name.
  public func target(ofLink name: String) -> String? {
    guard case .link(let target)? = entries[PackagePath(name)] else { return nil }
    return target
  }

  /// A folder of the package, as a package of its own; nil when it has none of the name.
  public func folder(named name: String) -> Package? {
    let folder = PackagePath(name)
    var found = Package()
    for (path, entry) in entries {
      if let inner = path.from(folder) { found.insert(entry, at: inner) }
    }
    if found.entries.isEmpty, entries[folder] == nil { return nil }
    if case .file? = entries[folder] { return nil }
    if case .link? = entries[folder] { return nil }
    return found
  }

  /// The names of files that another program has changed, added or removed since the package was read, in order; none
  /// for a package that is not from a folder.
  ///
  /// - Throws: what reading the package throws, when it is no longer there too.
  public func changesOnDisk() throws(Failure) -> [String] {
    guard let origin else { return [] }
    return try PackageListing(origin.path, budget: budget).differences(from: origin)
  }

  /// Of the files that were read, or given and written, what their contents are. One that was kept as it was is not among
  /// them: the next save keeps it again, whatever is in it by then.
  var digests: [PackagePath: ContentDigest] {
    var digests: [PackagePath: ContentDigest] = [:]
    for (path, entry) in entries {
      guard case .file(let file) = entry, let bytes = file.bytesInMemory else { continue }
      if case .file(let source)? = written[path], source.place != nil { continue }
      digests[path] = ContentDigest(of: bytes)
    }
    return digests
  }

  // MARK: Changing

  /// Gives a file other bytes, or adds it. Whether a package can have a file of the name is said when it is written.
  public mutating func set(_ bytes: [UInt8], named name: String) {
    insert(.file(PackagedFile(bytes)), at: PackagePath(name))
  }

  /// Adds a symbolic link, or lets the one of the name say something else.
  public mutating func setLink(to target: String, named name: String) {
    insert(.link(target), at: PackagePath(name))
  }

  /// Adds a folder with all that is in it, in place of what has the name.
  public mutating func setFolder(_ folder: Package, named name: String) {
    remove(name)
    insert(.folder, at: PackagePath(name))
    for (path, entry) in folder.entries { insert(entry, at: PackagePath("\(name)/\(path.text)")) }
  }

  /// Adds a file under the name that it would like, or the one that Apple's frameworks give where that name is taken, in
  /// capitals or small letters; gives the name.
  ///
  ///     package.add(png, preferredName: "image.png")           // "image.png"
  ///     package.add(png, preferredName: "image.png")           // "1__#$!@%!#__image.png"
  ///     package.add(png, preferredName: "images/image.png")    // "images/image.png"
  public mutating func add(_ bytes: [UInt8], preferredName: String) -> String {
    add(PackagedFile(bytes), preferredName: preferredName)
  }

  mutating func add(_ file: PackagedFile, preferredName: String) -> String {
    let preferred = PackagePath(preferredName)
    var (name, number) = (preferred, nextNumber[preferred] ?? 0)
    while taken.contains(name.folded) {
      number += 1
      name = preferred.numbered(number)
    }
    nextNumber[preferred] = number
    insert(.file(file), at: name)
    return name.text
  }

  /// Takes a file or link out, or a folder with all that is in it; nothing happens when there is none of the name.
  public mutating func remove(_ name: String) {
    let removed = PackagePath(name)
    self = withEntries(entries.filter { $0.key != removed && $0.key.from(removed) == nil })
  }

  mutating func insert(_ entry: Entry, at path: PackagePath) {
    entries[path] = entry
    taken.insert(path.folded)
  }

  /// The package with nothing in it but this, which is still written as the one that was read.
  func withEntries(_ entries: [PackagePath: Entry]) -> Package {
    var package = self
    package.entries = entries
    package.taken = Set(entries.keys.map(\.folded))
    package.nextNumber = [:]
    return package
  }

  // MARK: Writing

  /// Writes the package; one that is there already is replaced, as a whole, only if `replacing` is true.
  ///
  ///     let written = try package.write(to: "Things I Own.mystuff", replacing: true)
  ///
  /// The new package is made in a folder beside the old one, `.ferry-package-…`, and takes its place in one step: a program
  /// that is ended at any moment leaves the old package or the new one, whole. Files that are as they were are not written
  /// but become hard links to the old ones, with their time stamps; where the file system has no links, they are copied with
  /// their time stamps. On file systems that cannot exchange two folders the old package is moved aside first, under the
  /// package's name with `.ferry-old-…` behind: there is a moment without any package of the name, and when the program is
  /// ended just then, whoever reads or writes the package next gives the old one its name back.
  ///
  /// The new package has the old one's mode and, where we may, owner. A symbolic link at `path` is followed.
  ///
  /// - Parameters:
  ///   - path: where the package is to be.
  ///   - replacing: whether a package that is there gives way.
  ///   - overwritingChanges: whether what another program has done to the package since it was read is given up.
  /// - Returns: the package as it is now on disk, to be changed and written again.
  /// - Throws: `FileProblem.exists`; `FileProblem.notADirectory` when a file has the name; `PackageProblem.notAPackage` when a
  ///   folder has it whose files are not those of this package; `PackageProblem.changed` when the package that is replaced is
  ///   no longer as it was read, or a file that is to be kept is not; `PackageProblem.badName`; or what the system says. The
  ///   old package is as it was then.
  @discardableResult
  public func write(
    to path: String, replacing: Bool = false, overwritingChanges: Bool = false
  ) throws(Failure) -> Package {
    let target = try SystemPath.destination(of: Self.withoutSlashes(path))
    let writer = PackageWriter(
      package: self, target: target, isReplacing: replacing, overwritesChanges: overwritingChanges)
    var saved = Package(try writer.write(), budget: budget, keeping: self)
    saved.written = entries
    return saved
  }

  /// Goes on from a package that was written of this one, which may have been changed since: what was not is where the
  /// written one is, and what was is still to be written.
  ///
  ///     let saved = try package.write(to: path)       // meanwhile: package.set(png, named: "new.png")
  ///     package.rebase(onto: saved)                    // the next `write` writes new.png alone
  public mutating func rebase(onto saved: Package) {
    for (path, entry) in saved.entries {
      if case .file(let ours)? = entries[path], case .file(let known)? = saved.written[path], ours === known {
        entries[path] = entry
      }
    }
    origin = saved.origin
  }
}

extension PackagePath {
  /// What Apple's frameworks (`NSFileWrapper`, as of macOS 14) call the file where the name is taken: `1__#$!@%!#__image.png`.
  fileprivate func numbered(_ number: Int) -> PackagePath {
    let (folder, name) = folderAndName
    return PackagePath("\(folder)\(number)\(Self.numberEnd)\(name)")
  }

  /// The name that a numbered file would like: `image.png` of `1__#$!@%!#__image.png`.
  var unnumbered: PackagePath {
    let (folder, name) = folderAndName
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    let rest = name.dropFirst(digits.count)
    guard !digits.isEmpty, rest.hasPrefix(Self.numberEnd), rest.count > Self.numberEnd.count else {
      return self
    }
    return PackagePath(folder + rest.dropFirst(Self.numberEnd.count))
  }

  private static let numberEnd = "__#$!@%!#__"

  private var folderAndName: (folder: String, name: String) {
    guard let folder = folders.last, let name = from(folder) else { return ("", text) }
    return ("\(folder.text)/", name.text)
  }
}
