extension TypedstreamField {
  /// Returns the fields of an attributed string in a keyed archive.
  ///
  ///     NSString         the string
  ///     NSAttributes     the attributes of the only run, or an NSMutableArray of the distinct attributes
  ///     NSAttributeInfo  for several runs: for each, its length and the index of its attributes, packed
  static func archivedFields(of string: TypedstreamEntryIndex, _ runs: [TypedstreamRun]) -> [TypedstreamField]
  {
    var fields = [TypedstreamField(name: "NSString", content: .entry(string))]
    var numbers: [TypedstreamEntryIndex: Int] = [:]
    var attributes: [TypedstreamEntryIndex] = []
    var info: [UInt8] = []
    for run in runs {
      let number = numbers[run.attributes] ?? attributes.count
      if number == attributes.count {
        numbers[run.attributes] = number
        attributes.append(run.attributes)
      }
      info.append(packed: UInt64(clamping: run.length))
      info.append(packed: UInt64(number))
    }
    if runs.count > 1 {
      fields.append(TypedstreamField(name: "NSAttributes", content: .mutableArray(attributes)))
      fields.append(TypedstreamField(name: "NSAttributeInfo", content: .mutableData(info)))
    } else if let only = attributes.first {
      fields.append(TypedstreamField(name: "NSAttributes", content: .entry(only)))
    }
    return fields
  }
}
