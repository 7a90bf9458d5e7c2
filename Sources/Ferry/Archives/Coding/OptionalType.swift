/// An optional type of any value.
protocol OptionalType {}
extension Optional: OptionalType {}
