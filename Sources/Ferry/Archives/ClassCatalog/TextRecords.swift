/// The codecs of fonts, paragraph styles, shadows and color spaces.
enum TextRecords {
  static let entries: [ClassCatalogEntry] = [
    ClassCatalogEntry(
      ObjectClass("NSFont"),
      RecordCodec([
        .string("name", "NSName"), .real("size", "NSSize"), .integer("flags", "NSfFlags"),
        .boolean("hasWidth", "NSHasWidth", .optional), .object("descriptor", "NSDescriptor", .optional),
        .object("textStyleDescriptor", "NSTextStyleDescriptor", .optional),
      ])),
    ClassCatalogEntry(
      ObjectClass("NSFontDescriptor"),
      RecordCodec([
        .object("attributes", "NSFontDescriptorAttributes"),
        .integer("options", "NSFontDescriptorOptions", .optional),
      ])),
    ClassCatalogEntry(ObjectClass("UIFont"), kitFont),
    ClassCatalogEntry(
      ObjectClass("UIFontDescriptor", "NSFontDescriptor"),
      RecordCodec([
        .object("attributes", "UIFontDescriptorAttributes"),
        .integer("options", "UIFontDescriptorOptions", .optional),
      ])),
    ClassCatalogEntry(ObjectClass("NSParagraphStyle"), paragraph),
    ClassCatalogEntry(ObjectClass("NSMutableParagraphStyle", "NSParagraphStyle"), paragraph),
    ClassCatalogEntry(
      ObjectClass("NSTextTab"),
      RecordCodec([
        .real("location", "NSLocation"), .integer("alignment", "NSAlignment", .optional),
        .integer("type", "NSTabStopType", .optional), .object("options", "NSOptions", .optional),
      ])),
    ClassCatalogEntry(
      ObjectClass("NSShadow"),
      RecordCodec([
        .real("horizontal", "NSShadowHoriz", .optional), .real("vertical", "NSShadowVert", .optional),
        .real("blurRadius", "NSShadowBlurRadius", .optional), .object("color", "NSShadowColor", .optional),
      ])),
    ClassCatalogEntry(
      ObjectClass("NSColorSpace"),
      RecordCodec([
        .integer("id", "NSID", .optional), .integer("spaceID", "NSSpaceID", .optional),
        .integer("model", "NSModel", .optional), .object("profile", "NSICC", .optional),
      ])),
  ]

  private static let kitFont = RecordCodec([
    .string("name", "UIFontName"), .object("descriptor", "UIFontDescriptor", .optional),
    .real("pointSize", "UIFontPointSize"),
    .object("textStyleForScaling", "UIFontTextStyleForScaling", .optional),
    .real("pointSizeForScaling", "UIFontPointSizeForScaling", .optional),
    .real("maximumPointSizeAfterScaling", "UIFontMaximumPointSizeAfterScaling", .optional),
    .integer("traits", "UIFontTraits"), .boolean("isSystemFont", "UISystemFont"),
    .object("appKitName", "NSName", .optional), .real("appKitSize", "NSSize", .optional),
  ])

  /// The codec of paragraph styles. Except for the tab stops, only values that differ from their default are
  /// encoded.
  private static let paragraph = RecordCodec([
    .integer("alignment", "NSAlignment", .optional), .integer("lineBreakMode", "NSLineBreakMode", .optional),
    .real("lineSpacing", "NSLineSpacing", .optional),
    .real("paragraphSpacing", "NSParagraphSpacing", .optional),
    .real("headIndent", "NSHeadIndent", .optional),
    .real("firstLineHeadIndent", "NSFirstLineHeadIndent", .optional),
    .real("tailIndent", "NSTailIndent", .optional), .real("minimumLineHeight", "NSMinLineHeight", .optional),
    .real("maximumLineHeight", "NSMaxLineHeight", .optional),
    .real("lineHeightMultiple", "NSLineHeightMultiple", .optional),
    .real("paragraphSpacingBefore", "NSParagraphSpacingBefore", .optional),
    .real("defaultTabInterval", "NSDefaultTabInterval", .optional),
    .real("hyphenationFactor", "NSHyphenationFactor", .optional),
    .real("tighteningFactorForTruncation", "NSTighteningFactorForTruncation", .optional),
    .real("headerLevel", "NSHeaderLevel", .optional), .object("tabStops", "NSTabStops"),
    .boolean("tabStopsAreMutable", "NSTabStopsMutable", .optional),
    .object("textBlocks", "NSTextBlocks", .optional), .object("textLists", "NSTextLists", .optional),
    .integer("writingDirection", "NSWritingDirection", .optional),
    .integer("lineBoundsOptions", "NSLineBoundsOptions", .optional),
    .integer("allowsTighteningForTruncation", "NSAllowsTighteningForTruncation", .optional),
    .integer("lineBreakStrategy", "NSLineBreakStrategy", .optional),
    .boolean("usesDefaultHyphenation", "NSUsesDefaultHyphenation", .optional),
    .boolean("spansAllLines", "NSSpansAllLines", .optional),
    .integer("secondaryLineBreakMode", "NSSecondaryLineBreakMode", .optional),
    .integer("compositionLanguage", "NSCompositionLanguage", .optional),
    .integer("textHorizontalAlignment", "NSTextHorizontalAlignment", .optional),
    .boolean("isFullyJustified", "NSFullyJustified", .optional),
    .boolean("alignmentFollowsWritingDirection", "NSAlignmentFollowsWritingDirection", .optional),
  ])
}
