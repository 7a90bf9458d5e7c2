/// A check of the images in packages.
enum PackagedImage {
  /// Returns true if bytes begin with the signature of a PNG image.
  static func isPNG(_ bytes: [UInt8]) -> Bool { FileSignature.png.begins(bytes) }

  /// Throws if a file with the extension `png` does not begin with the PNG signature. The rest of the file is
  /// not checked.
  static func check(_ bytes: [UInt8], named name: String) throws(FerryError) {
    guard FormatDetector.fileExtension(of: name) != "png" || isPNG(bytes) else {
      throw FerryError(.package(.notPNG(name)))
    }
  }
}
