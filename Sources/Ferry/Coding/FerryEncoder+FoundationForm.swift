extension FerryEncoder {
  /// The form of the types of Foundation. Property lists have the parts that `PropertyListDecoder` decodes, unless a schema or another
  /// representation expects scalars.
  var foundationForm: FoundationForm {
    guard !writing.format.isArchive else { return .archived }
    guard writing.format.description.isPropertyList, schema == nil, writing.representation == .plain else {
      return .scalar
    }
    return .parts
  }
}
