/// The codec of `CLLocation`. The archived keys depend on the system; all of them begin with
/// `kCLLocationCodingKey`.
enum LocationRecords {
  static let entries = [ClassCatalogEntry(ObjectClass("CLLocation"), RecordCodec(fields))]

  private static let fields: [ArchivedField] = [
    real("latitude", "CoordinateLatitude"), real("longitude", "CoordinateLongitude"),
    real("horizontalAccuracy", "HorizontalAccuracy"), real("altitude", "Altitude"),
    real("verticalAccuracy", "VerticalAccuracy"), real("speed", "Speed"),
    real("speedAccuracy", "SpeedAccuracy"), real("course", "Course"),
    real("courseAccuracy", "CourseAccuracy"), real("timestamp", "Timestamp"), integer("type", "Type"),
    real("lifespan", "Lifespan"), integer("confidence", "Confidence"), integer("floor", "Floor"),
    integer("integrity", "Integrity"), integer("referenceFrame", "ReferenceFrame"),
    .integer("reservedValue", "reserved", .optional), object("matchInfo", "MatchInfo"),
    object("groundAltitude", "GroundAltitude"), object("fusionInfo", "FusionInfo"),
    object("trackRunInfo", "TrackRunInfo"), object("coarseMetaData", "CoarseMetaData"),
    real("rawLatitude", "RawCoordinateLatitude"), real("rawLongitude", "RawCoordinateLongitude"),
    real("rawHorizontalAccuracy", "RawHorizontalAccuracy"),
    integer("rawReferenceFrame", "RawReferenceFrame"), real("rawAltitude", "RawAltitude"),
    real("rawVerticalAccuracy", "RawVerticalAccuracy"), real("rawCourse", "RawCourse"),
    real("rawCourseAccuracy", "RawCourseAccuracy"),
    integer("signalEnvironmentType", "SignalEnvironmentType"),
    real("ellipsoidalAltitude", "EllipsoidalAltitude"),
    integer("positionContextState", "PositionContextState"),
    real("probabilityIndoors", "ProbabilityPositionContextStateIndoor"),
    real("probabilityOutdoors", "ProbabilityPositionContextStateOutdoor"),
    object("simulationParameters", "SimulationParams"), object("odometerInfo", "GnssOdometerInfo"),
  ]

  private static let prefix = "kCLLocationCodingKey"

  private static func real(_ name: String, _ key: String) -> ArchivedField {
    .real(name, prefix + key, .optional)
  }
  private static func integer(_ name: String, _ key: String) -> ArchivedField {
    .integer(name, prefix + key, .optional)
  }
  private static func object(_ name: String, _ key: String) -> ArchivedField {
    .object(name, prefix + key, .optional)
  }
}
