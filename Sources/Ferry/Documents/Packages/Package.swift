/// A package: a folder that acts as one document.
///
///     var package = try Package(reading: "Things I Own.mystuff")
///     package.names                                           // ["image.png", "things.data"]
///     let image = try package.bytes(of: "image.png")          // read now, not before
///     let key = package.add(png, preferredName: "image.png")  // "1__#$!@%!#__image.png"
///     try package.write(to: "Things I Own.mystuff", replacing: true)
public struct Package: Sendable {
  private var files: [String: [UInt8]] = [:]

  /// A package with nothing in it.
  public init() {}

  /// The package at a path. Throws when it is no folder or cannot be read.
  public init(reading path: String) throws(Failure) {
    for name in try SystemPath.names(in: path) {
      files[name] = try FileInput(path: "\(path)/\(name)").readAll()
    }
  }

  /// The names of what is in the package, in order.
  public var names: [String] { files.keys.sorted() }

  /// The files of the package.
  public var paths: [String] { names }

  /// The bytes of a file of the package; nil when it has none of the name. Throws when it cannot be read.
  public func bytes(of name: String) throws(Failure) -> [UInt8]? { files[name] }

  /// Gives a file other bytes, or adds it.
  public mutating func set(_ bytes: [UInt8], named name: String) { files[name] = bytes }

  /// Adds a file under the name that it would like, or the one that Apple gives where that name is taken; gives the name.
  public mutating func add(_ bytes: [UInt8], preferredName: String) -> String {
    var (name, count) = (preferredName, 0)
    while files[name] != nil {
      count += 1
      name = "\(count)__#$!@%!#__\(preferredName)"
    }
    files[name] = bytes
    return name
  }

  /// Takes a file out; nothing happens when there is none of the name.
  public mutating func remove(_ name: String) { files[name] = nil }

  /// Writes the package; one that is there already is replaced, as a whole, only if `replacing` is true.
  public func write(to path: String, replacing: Bool = false) throws(Failure) {
    let existing = try SystemPath.status(of: path)
    guard replacing || existing == nil else { throw Failure(.file(.exists)) }
    try Folder.make(path)
    for (name, bytes) in files {
      let output = try FileOutput(path: "\(path)/\(name)", replacing: replacing)
      try output.write(bytes.span)
      try output.commit()
    }
  }
}
