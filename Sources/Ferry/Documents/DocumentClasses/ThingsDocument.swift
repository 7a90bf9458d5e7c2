/// A collection of things (`.mystuff`): a package with `things.data`, an archive of an array of `MyWhatsit`,
/// and the images that the things name by their `image.key`.
///
///     let document = ThingsDocument(path: "Things I Own.mystuff")
///     try await document.open()                            // reads no image
///     let png = try await document.image(ofThingAt: 0)     // reads one image
///     await document.edit { $0.append(ThingsDocument.Thing(name: "Robot", location: "Shelf"), image: png) }
///     try await document.close()                           // writes the new image
public final class ThingsDocument: Document {
  /// A thing of the collection.
  public struct Thing: Codable, Hashable, Sendable, ArchivedClass {
    public static let archivedClassName = "MyWhatsit"

    /// The name of the thing.
    public var name: String
    /// The location of the thing.
    public var location: String
    /// The name of the image file in the package, or nil if the thing has no image.
    public internal(set) var imageKey: String?

    /// Creates a thing without an image.
    public init(name: String, location: String) {
      self.name = name
      self.location = location
    }

    enum CodingKeys: String, CodingKey {
      case name, location
      case imageKey = "image.key"
    }
  }

  private static let main = "things.data"

  /// The things, in order.
  public private(set) var things: [Thing] = []
  /// The files of the package. Their bytes are read on demand.
  private var package = DocumentPackage()

  /// Creates a document at a path without reading it. `open` reads it.
  public nonisolated convenience init(path: String, autosaving: Autosaving = .after(.seconds(2))) {
    self.init(path: path, type: .things, autosaving: autosaving)
  }

  /// Appends a thing, and adds its image to the package under an unused name.
  public func append(_ thing: Thing, image: [UInt8]? = nil) {
    things.append(thing)
    setImage(image, ofThingAt: things.count - 1)
  }

  /// Removes a thing, and its image unless another thing uses the same image.
  ///
  /// - Precondition: `index` is that of a thing.
  public func remove(at index: Int) {
    setImage(nil, ofThingAt: index)
    things.remove(at: index)
  }

  /// Changes the name and the location of a thing, and keeps its image.
  ///
  /// - Precondition: `index` is that of a thing.
  public func rename(thingAt index: Int, to name: String, location: String) {
    things[index].name = name
    things[index].location = location
  }

  /// Returns the image of a thing, or nil if the thing has none. The file is read in the background.
  ///
  /// - Precondition: `index` is that of a thing.
  /// - Throws: An error if the package has no file with the thing's `imageKey`, or if the file cannot be
  ///   read.
  public func image(ofThingAt index: Int) async throws(FerryError) -> [UInt8]? {
    guard let key = things[index].imageKey else { return nil }
    let package = package
    let image = try await inBackground { () throws(FerryError) in try package.bytes(of: key) }
    guard let image else { throw FerryError(.package(.noFile(key))) }
    return image
  }

  /// Sets, replaces or removes the image of a thing.
  ///
  /// - Precondition: `index` is that of a thing.
  public func setImage(_ image: [UInt8]?, ofThingAt index: Int) {
    let old = things[index].imageKey
    things[index].imageKey = image.map { package.add($0, preferredName: "image.png") }
    if let old, !old.equals(Self.main), !things.contains(where: { $0.imageKey.equals(old) }) {
      package.remove(old)
    }
  }

  public override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
    let archive = try FerryError.ofCoding { try KeyedArchiveEncoder().encode(things) }
    package.set(archive, named: Self.main)
    return .package(package)
  }

  public override func didSave(_ contents: DocumentContents) {
    if case .package(let saved) = contents { package.rebase(onto: saved) }
  }

  public override func load(fromContents contents: DocumentContents, ofType type: DocumentType)
    throws(FerryError)
  {
    let package = try contents.package
    guard let archive = try package.bytes(of: Self.main) else {
      throw FerryError(.package(.noMainFile(Self.main)))
    }
    things = try FerryError.ofCoding { try KeyedArchiveDecoder().decode([Thing].self, from: archive) }
    self.package = package
  }
}
