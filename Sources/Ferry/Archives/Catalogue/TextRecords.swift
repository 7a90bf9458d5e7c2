/// The codecs of the appearance of text: fonts, paragraphs, shadows, and color spaces.
enum TextRecords {
  static let entries: [CatalogueEntry] = [
    CatalogueEntry(
      ObjectClass("NSFont"),
      RecordMeaning([
        .string("name", "NSName"), .real("size", "NSSize"), .integer("flags", "NSfFlags"),
        .boolean("hasWidth", "NSHasWidth", .optional), .object("descriptor", "NSDescriptor", .optional),
        .object("textStyleDescriptor", "NSTextStyleDescriptor", .optional),
      ])),
    CatalogueEntry(
      ObjectClass("NSFontDescriptor"),
      RecordMeaning([
        .object("attributes", "NSFontDescriptorAttributes"),
        .integer("options", "NSFontDescriptorOptions", .optional),
      ])),
    CatalogueEntry(ObjectClass("UIFont"), kitFont),
    CatalogueEntry(
      ObjectClass("UIFontDescriptor", "NSFontDescriptor"),
      RecordMeaning([
        .object("attributes", "UIFontDescriptorAttributes"),
        .integer("options", "UIFontDescriptorOptions", .optional),
      ])),
    CatalogueEntry(ObjectClass("NSParagraphStyle"), paragraph),
    CatalogueEntry(ObjectClass("NSMutableParagraphStyle", "NSParagraphStyle"), paragraph),
    CatalogueEntry(
      ObjectClass("NSTextTab"),
      RecordMeaning([
        .real("location", "NSLocation"), .integer("alignment", "NSAlignment", .optional),
        .integer("type", "NSTabStopType", .optional), .object("options", "NSOptions", .optional),
      ])),
    CatalogueEntry(
      ObjectClass("NSShadow"),
      RecordMeaning([
        .real("horizontal", "NSShadowHoriz", .optional), .real("vertical", "NSShadowVert", .optional),
        .real("blurRadius", "NSShadowBlurRadius", .optional), .object("color", "NSShadowColor", .optional),
      ])),
    CatalogueEntry(
      ObjectClass("NSColorSpace"),
      RecordMeaning([
        .integer("id", "NSID", .optional), .integer("spaceID", "NSSpaceID", .optional),
        .integer("model", "NSModel", .optional), .object("profile", "NSICC", .optional),
      ])),
  ]

  private static let kitFont = RecordMeaning([
    .string("name", "UIFontName"), .object("descriptor", "UIFontDescriptor", .optional),
    .real("pointSize", "UIFontPointSize"),
    .object("textStyleForScaling", "UIFontTextStyleForScaling", .optional),
    .real("pointSizeForScaling", "UIFontPointSizeForScaling", .optional),
    .real("maximumPointSizeAfterScaling", "UIFontMaximumPointSizeAfterScaling", .optional),
    .integer("traits", "UIFontTraits"), .boolean("isSystemFont", "UISystemFont"),
    .object("appKitName", "NSName", .optional), .real("appKitSize", "NSSize", .optional),
  ])

  /// Only values that differ from their default are encoded, except the tab stops.
  private static let paragraph = RecordMeaning([
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
