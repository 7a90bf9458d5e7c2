/// The codecs of measurements, units and unit converters.
enum MeasurementRecords {
  static let entries: [ClassCatalogEntry] =
    [
      ClassCatalogEntry(
        ObjectClass("NSMeasurement"), RecordCodec([.real("value", "NS.value"), .object("unit", "NS.unit")])),
      ClassCatalogEntry(
        ObjectClass("NSUnit"),
        RecordCodec([.string("symbol", "NS.symbol"), .integer("specifier", "NS.specifier", .optional)])),
      ClassCatalogEntry(ObjectClass("NSDimension", "NSUnit"), dimension),
      ClassCatalogEntry(
        ObjectClass("NSUnitConverterLinear", "NSUnitConverter"),
        RecordCodec([.real("coefficient", "NS.coefficient"), .real("constant", "NS.constant")])),
      ClassCatalogEntry(
        ObjectClass("NSUnitConverterReciprocal", "NSUnitConverter"),
        RecordCodec([.real("reciprocal", "NS.reciprocal")])),
    ] + dimensions.map { ClassCatalogEntry(ObjectClass("NSUnit\($0)", "NSDimension", "NSUnit"), dimension) }

  private static let dimension = RecordCodec([
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
