/// The codecs of images of AppKit and UIKit.
enum ImageRecords {
  static let entries: [CatalogueEntry] = [
    CatalogueEntry(
      ObjectClass("NSImage"),
      RecordMeaning([
        .integer("flags", "NSImageFlags"), .object("size", "NSSize", .optional),
        .object("representations", "NSReps", .optional), .object("backgroundColor", "NSColor", .optional),
        .integer("resizingMode", "NSResizingMode", .optional), .object("tintColor", "NSTintColor", .optional),
      ])),
    CatalogueEntry(
      ObjectClass("NSBitmapImageRep", "NSImageRep"),
      RecordMeaning([
        .object("data", "NSTIFFRepresentation"),
        .integer("layoutDirection", "NSInternalLayoutDirection", .optional),
      ])),
    CatalogueEntry(
      ObjectClass("UIImage"),
      RecordMeaning([
        .boolean("hasProperties", "UIKitWantsProperties", .optional), .real("scale", "UIScale", .optional),
        .object("sizeInPixels", "UIImageSizeInPixels", .optional),
        .integer("orientation", "UIImageOrientation", .optional),
        .boolean("hasPattern", "UIHasPattern", .optional),
        .integer("renderingMode", "UIRenderingMode", .optional),
        .object("name", "UIResourceName", .optional), .object("data", "UIImageData", .optional),
      ])),
  ]
}
