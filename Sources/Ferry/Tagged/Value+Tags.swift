extension Value {
  /// True if JSON cannot represent the value without tags.
  var needsTags: Bool {
    switch self {
    case .null, .boolean, .integer, .number, .string, .unpairedString: false
    case .real(let number): !number.isFinite
    case .array(let values): values.contains(where: \.needsTags)
    case .dictionary(let entries): entries.contains { $0.plainText == nil || $1.needsTags }
    case .single, .data, .date, .uid, .set, .object, .reference: true
    }
  }
}
