/// The codecs of other Foundation classes whose objects are records.
enum FoundationRecords {
  static let entries: [ClassCatalogEntry] =
    [
      ClassCatalogEntry(
        ObjectClass("NSError"),
        RecordCodec([
          .string("domain", "NSDomain"), .integer("code", "NSCode"),
          ArchivedField(.dictionary, "userInfo", "NSUserInfo", .optional),
        ])),
      ClassCatalogEntry(
        ObjectClass("NSNotification"),
        RecordCodec([
          .string("name", "NS.name"), .object("object", "NS.object", .orNil),
          ArchivedField(.dictionary, "userInfo", "NS.userinfo", .orNil),
        ])),
      ClassCatalogEntry(
        ObjectClass("NSURLQueryItem"),
        RecordCodec([.string("name", "NS.name"), .string("value", "NS.value", .orNil)])),
      ClassCatalogEntry(ObjectClass("NSPersonNameComponents"), personName),
      ClassCatalogEntry(
        ObjectClass("NSRegularExpression"),
        RecordCodec(
          [.string("pattern", "NSPattern"), .integer("options", "NSOptions")],
          flaw: { value in
            PatternText.flaw(
              of: value["pattern"]?.stringValue ?? "", options: value["options"]?.wholeNumber ?? 0)
          })),
      ClassCatalogEntry(
        ObjectClass("NSSortDescriptor"),
        RecordCodec([
          .string("key", "NSKey", .optional), .boolean("ascending", "NSAscending"),
          .string("selector", "NSSelector", .optional),
          .boolean("reversesNullOrder", "NSReverseNullOrder", .optional),
        ])),
      ClassCatalogEntry(
        ObjectClass("NSISO8601DateFormatter", "NSFormatter"),
        RecordCodec([
          .integer("formatOptions", "NS.formatOptions"), .object("timeZone", "NS.timeZone", .optional),
        ])),
      ClassCatalogEntry(
        ObjectClass("NSDateIntervalFormatter", "NSFormatter"),
        RecordCodec([
          .object("dateTemplate", "NS.dateTemplate"),
          .object("dateTemplateFromStyles", "NS.dateTemplateFromStyles"), .object("locale", "NS.locale"),
          .object("calendar", "NS.calendar"), .object("timeZone", "NS.timeZone"),
          .integer("dateStyle", "NS.dateStyle"), .integer("timeStyle", "NS.timeStyle"),
          .boolean("modified", "NS.modified"), .boolean("useTemplate", "NS.useTemplate"),
        ])),
    ]
    + checkingResults.map {
      ClassCatalogEntry(
        ObjectClass($0, "NSRegularExpressionCheckingResult", "NSTextCheckingResult"), checkingResult)
    }

  private static let personName = RecordCodec([
    .string("givenName", "NS.givenName", .orNil), .string("familyName", "NS.familyName", .orNil),
    .string("middleName", "NS.middleName", .orNil), .string("namePrefix", "NS.namePrefix", .orNil),
    .string("nameSuffix", "NS.nameSuffix", .orNil), .string("nickname", "NS.nickname", .orNil),
    .object("phoneticRepresentation", "NS.phoneticRepresentation", .optional),
  ])

  /// The codec of `NSTextCheckingResult`: a match of a regular expression.
  private static let checkingResult = RecordCodec(
    [
      .integer("location", "NSRangeLocation"), .integer("length", "NSRangeLength"),
      .object("regularExpression", "NSRegularExpression"), .object("ranges", "NSRangeArray", .optional),
    ],
    flaw: { value in
      let isRange = ["location", "length"].allSatisfy { value[$0]?.wholeNumber ?? 0 >= 0 }
      return isRange ? nil : "a range has a location and a length of 0 or more"
    })
  private static let checkingResults = [
    "NSSimpleRegularExpressionCheckingResult", "NSExtendedRegularExpressionCheckingResult",
    "NSComplexRegularExpressionCheckingResult",
  ]
}
