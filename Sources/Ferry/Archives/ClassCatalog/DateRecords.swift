/// The codecs of calendars, time zones, locales, date intervals and date components.
enum DateRecords {
  static let entries =
    [
      ClassCatalogEntry(
        ObjectClass("NSTimeZone"),
        RecordCodec(
          [.string("name", "NS.name"), .object("data", "NS.data", .optional)],
          flaw: { timeZoneFlaw(of: $0) })),
      ClassCatalogEntry(
        ObjectClass("NSLocale"),
        SingleKeyCodec(field: ArchivedField(.string, "identifier", "NS.identifier"))),
      ClassCatalogEntry(
        ObjectClass("NSCalendar"),
        RecordCodec(
          [
            .string("identifier", "NS.identifier"), .object("locale", "NS.locale", .orNil),
            .object("timeZone", "NS.timezone", .orNil), .integer("firstWeekday", "NS.firstwkdy"),
            .integer("minimumDaysInFirstWeek", "NS.mindays"),
            .object("gregorianStartDate", "NS.gstartdate", .orNil),
          ], flaw: { calendarFlaw(of: $0) })),
      ClassCatalogEntry(
        ObjectClass("NSDateInterval"),
        RecordCodec(
          [
            ArchivedField(.date, "start", "NS.startDate"), ArchivedField(.date, "end", "NS.endDate"),
          ], flaw: { intervalFlaw(of: $0) })),
      ClassCatalogEntry(ObjectClass("NSDateComponents"), DateComponentsCodec()),
    ]

  private static func timeZoneFlaw(of value: Value) -> String? {
    guard let name = value["name"]?.stringValue else { return nil }
    let isName =
      !name.isEmpty && name.utf8.allSatisfy { 0x21..<0x7f ~= $0 && !"\"'\\".utf8.contains($0) }
    return isName ? nil : "a time zone is named like Europe/Paris or GMT+0200"
  }

  private static func calendarFlaw(of value: Value) -> String? {
    let isWeek = ["firstWeekday", "minimumDaysInFirstWeek"].allSatisfy { name in
      value[name].map { 1...7 ~= $0.wholeNumber ?? 0 } ?? true
    }
    guard isWeek else { return "firstWeekday and minimumDaysInFirstWeek are 1 to 7" }
    let isName = value["identifier"]?.stringValue.map { text in
      !text.isEmpty && text.utf8.allSatisfy { 0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2d }
    }
    return isName == false ? "a calendar is named like gregorian or islamic-civil" : nil
  }

  private static func intervalFlaw(of value: Value) -> String? {
    guard case .date(let start)? = value["start"]?.scalar, case .date(let end)? = value["end"]?.scalar
    else { return nil }
    return start <= end ? nil : "the end of an interval is not before its start"
  }
}

/// The codec of `NSDateComponents`: the components that are set.
///
///     NS.year 2024, NS.month 6, NS.leapMonth 0               {"year": 2024, "month": 6}
///
/// Foundation for Linux archives every component, with the largest integer for those that are not set, and
/// writes `NS.isLeapMonth` instead of `NS.leapMonth`. The part `isLeapMonth` marks such archives.
struct DateComponentsCodec: ClassCodec {
  private static let names = [
    ("era", "NS.era"), ("year", "NS.year"), ("month", "NS.month"), ("day", "NS.day"), ("hour", "NS.hour"),
    ("minute", "NS.minute"), ("second", "NS.second"), ("weekday", "NS.weekday"),
    ("weekdayOrdinal", "NS.weekdayOrdinal"), ("quarter", "NS.quarter"), ("nanosecond", "NS.nanosec"),
    ("weekOfMonth", "NS.weekOfMonth"), ("weekOfYear", "NS.weekOfYear"),
    ("yearForWeekOfYear", "NS.yearForWOY"),
  ]
  private static let notSet = Value.integer(Int128(Int64.max))

  private static let apple = RecordCodec(
    [.object("calendar", "NS.calendar", .optional), .object("timeZone", "NS.timezone", .optional)]
      + names.map { .integer($0.0, $0.1, .optional) }
      + [
        .integer("dayOfYear", "NS.dayOfYear", .optional), .integer("leapMonth", "NS.leapMonth", .or(0)),
        .boolean("repeatedDay", "NS.repeatedDay", .optional),
      ])
  private static let linux = RecordCodec(
    names.map { .integer($0.0, $0.1, .or(notSet)) }
      + [
        .boolean("isLeapMonth", "NS.isLeapMonth"), .object("calendar", "NS.calendar", .orNil),
        .object("timeZone", "NS.timezone", .orNil),
      ])

  let partNames = apple.partNames + ["isLeapMonth"]

  func decode(_ object: inout ArchivedObject) throws(FerryError) -> DecodedForm? {
    let record = try object.has("NS.isLeapMonth") ? Self.linux : Self.apple
    return try record.decode(&object)
  }

  func encode(_ decodedForm: GivenForm, of type: ObjectClass) throws(FerryError) -> [ArchivedKey]? {
    let isLinux = try decodedForm.parts(named: partNames)?["isLeapMonth"] != nil
    return try (isLinux ? Self.linux : Self.apple).encode(decodedForm, of: type)
  }
}
