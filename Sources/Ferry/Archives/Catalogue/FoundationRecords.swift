/// The codecs of Foundation classes without a family of their own.
enum FoundationRecords {
  static let entries: [CatalogueEntry] =
    [
      CatalogueEntry(
        ObjectClass("NSError"),
        RecordMeaning([
          .object("domain", "NSDomain"), .integer("code", "NSCode"),
          .object("userInfo", "NSUserInfo", .optional),
        ])),
      CatalogueEntry(
        ObjectClass("NSNotification"),
        RecordMeaning([
          .object("name", "NS.name"), .object("object", "NS.object", .orNil),
          .object("userInfo", "NS.userinfo", .orNil),
        ])),
      CatalogueEntry(
        ObjectClass("NSURLQueryItem"),
        RecordMeaning([.object("name", "NS.name"), .object("value", "NS.value", .orNil)])),
      CatalogueEntry(ObjectClass("NSPersonNameComponents"), personName),
      CatalogueEntry(
        ObjectClass("NSRegularExpression"),
        RecordMeaning([.object("pattern", "NSPattern"), .integer("options", "NSOptions")])),
      CatalogueEntry(
        ObjectClass("NSSortDescriptor"),
        RecordMeaning([
          .object("key", "NSKey", .optional), .boolean("ascending", "NSAscending"),
          .object("selector", "NSSelector", .optional),
          .boolean("reversesNullOrder", "NSReverseNullOrder", .optional),
        ])),
      CatalogueEntry(
        ObjectClass("NSISO8601DateFormatter", "NSFormatter"),
        RecordMeaning([
          .integer("formatOptions", "NS.formatOptions"), .object("timeZone", "NS.timeZone", .optional),
        ])),
      CatalogueEntry(
        ObjectClass("NSDateIntervalFormatter", "NSFormatter"),
        RecordMeaning([
          .object("dateTemplate", "NS.dateTemplate"),
          .object("dateTemplateFromStyles", "NS.dateTemplateFromStyles"), .object("locale", "NS.locale"),
          .object("calendar", "NS.calendar"), .object("timeZone", "NS.timeZone"),
          .integer("dateStyle", "NS.dateStyle"), .integer("timeStyle", "NS.timeStyle"),
          .boolean("modified", "NS.modified"), .boolean("useTemplate", "NS.useTemplate"),
        ])),
    ]
    + checkingResults.map {
      CatalogueEntry(
        ObjectClass($0, "NSRegularExpressionCheckingResult", "NSTextCheckingResult"), checkingResult)
    }

  private static let personName = RecordMeaning([
    .object("givenName", "NS.givenName", .orNil), .object("familyName", "NS.familyName", .orNil),
    .object("middleName", "NS.middleName", .orNil), .object("namePrefix", "NS.namePrefix", .orNil),
    .object("nameSuffix", "NS.nameSuffix", .orNil), .object("nickname", "NS.nickname", .orNil),
    .object("phoneticRepresentation", "NS.phoneticRepresentation", .optional),
  ])

  /// The result of a regular expression.
  private static let checkingResult = RecordMeaning([
    .integer("location", "NSRangeLocation"), .integer("length", "NSRangeLength"),
    .object("regularExpression", "NSRegularExpression"), .object("ranges", "NSRangeArray", .optional),
  ])
  private static let checkingResults = [
    "NSSimpleRegularExpressionCheckingResult", "NSExtendedRegularExpressionCheckingResult",
    "NSComplexRegularExpressionCheckingResult",
  ]
}
