/// The codecs of measurements, units, and conversions of units.
enum MeasurementRecords {
  static let entries: [CatalogueEntry] =
    [
      CatalogueEntry(
        ObjectClass("NSMeasurement"), RecordMeaning([.real("value", "NS.value"), .object("unit", "NS.unit")])),
      CatalogueEntry(
        ObjectClass("NSUnit"),
        RecordMeaning([.string("symbol", "NS.symbol"), .integer("specifier", "NS.specifier", .optional)])),
      CatalogueEntry(ObjectClass("NSDimension", "NSUnit"), dimension),
      CatalogueEntry(
        ObjectClass("NSUnitConverterLinear", "NSUnitConverter"),
        RecordMeaning([.real("coefficient", "NS.coefficient"), .real("constant", "NS.constant")])),
      CatalogueEntry(
        ObjectClass("NSUnitConverterReciprocal", "NSUnitConverter"),
        RecordMeaning([.real("reciprocal", "NS.reciprocal")])),
    ] + dimensions.map { CatalogueEntry(ObjectClass("NSUnit\($0)", "NSDimension", "NSUnit"), dimension) }

  private static let dimension = RecordMeaning([
    .string("symbol", "NS.symbol"), .object("converter", "NS.converter"),
    .integer("specifier", "NS.specifier", .optional),
  ])

  private static let dimensions = [
    "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration", "ElectricCharge",
    "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance", "Energy", "Frequency",
    "FuelEfficiency", "Illuminance", "InformationStorage", "Length", "Mass", "Power", "Pressure", "Speed",
    "Temperature", "Volume",
  ]
}
