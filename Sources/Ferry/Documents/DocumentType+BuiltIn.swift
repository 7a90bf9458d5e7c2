extension DocumentType {
  /// The built-in types.
  public static let builtIn: [DocumentType] = [.peopleGroup, .things, .items, .picture, .text]

  /// People Groups: an archive of an NSArray of `Person`.
  public static let peopleGroup = DocumentType(
    name: "people-group", identifier: "com.neuburg.pplgrp", extensions: ["pplgrp"], schema: .person,
    layout: .file(.archive))

  /// MyStuff: a package with an archive of an array of `MyWhatsit`, and the images that its records refer to
  /// by name.
  public static let things = DocumentType(
    name: "things", identifier: "com.example.mystuff", extensions: ["mystuff"], schema: .whatsit,
    layout: .package(main: "things.data", .archive, files: "imageKey"))

  /// Homepwner: an archive of an array of `Item`.
  public static let items = DocumentType(
    name: "item-list", identifier: "com.example.items", extensions: ["archive"], schema: .item,
    layout: .file(.archive))

  /// TinyPix: a picture of 8 × 8 pixels in eight bytes.
  public static let picture = DocumentType(
    name: "picture", identifier: "com.example.tinypix", extensions: ["tinypix"], layout: .file(.tinyPix))

  /// Plain text in UTF-8.
  public static let text = DocumentType(
    name: "text", identifier: "public.plain-text", extensions: ["txt"], layout: .file(.text))

  /// Returns the built-in type with the extension of a file name, or nil if there is none.
  public static func ofFile(named name: String) -> DocumentType? {
    guard let fileExtension = FormatDetector.fileExtension(of: name) else { return nil }
    return builtIn.first { $0.extensions.contains(fileExtension) }
  }
}
