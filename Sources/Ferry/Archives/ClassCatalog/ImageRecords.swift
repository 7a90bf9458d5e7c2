/// The codecs of images in AppKit and UIKit.
enum ImageRecords {
  static let entries: [ClassCatalogEntry] = [
    ClassCatalogEntry(
      ObjectClass("NSImage"),
      RecordCodec([
        .integer("flags", "NSImageFlags"), .object("size", "NSSize", .optional),
        .object("representations", "NSReps", .optional), .object("backgroundColor", "NSColor", .optional),
        .integer("resizingMode", "NSResizingMode", .optional), .object("tintColor", "NSTintColor", .optional),
      ])),
    ClassCatalogEntry(
      ObjectClass("NSBitmapImageRep", "NSImageRep"),
      RecordCodec([
        .object("data", "NSTIFFRepresentation"),
        .integer("layoutDirection", "NSInternalLayoutDirection", .optional),
      ])),
    ClassCatalogEntry(
      ObjectClass("UIImage"),
      RecordCodec([
        .boolean("hasProperties", "UIKitWantsProperties", .optional), .real("scale", "UIScale", .optional),
        .object("sizeInPixels", "UIImageSizeInPixels", .optional),
        .integer("orientation", "UIImageOrientation", .optional),
        .boolean("hasPattern", "UIHasPattern", .optional),
        .integer("renderingMode", "UIRenderingMode", .optional),
        .object("name", "UIResourceName", .optional), .object("data", "UIImageData", .optional),
      ])),
  ]
}
