extension Inspection.ObjectTable {
  /// Examines the object table of a binary file, and adds its oddities to the warnings.
  init(_ survey: NodeSurvey<BinaryPropertyList>, warnings: inout Inspection.Warnings) {
    let list = survey.nodes
    objectCount = list.nodeCount
    offsetWidth = list.offsetWidth
    referenceWidth = list.referenceWidth
    let end = InputLocation(byte: list.tableStart)
    let expected = (offset: Self.width(for: list.tableStart), reference: Self.width(for: list.nodeCount - 1))
    if offsetWidth != expected.offset {
      warnings.add(
        .oddWidth, "offsets take \(offsetWidth) bytes, where \(expected.offset) would do", at: end)
    }
    if referenceWidth != expected.reference {
      warnings.add(
        .oddWidth, "references take \(referenceWidth) bytes, where \(expected.reference) would do",
        at: end)
    }
    countScalars(survey, &warnings)
    countCollections(survey)
  }

  /// Returns the number of bytes that CoreFoundation uses for numbers up to `number`.
  private static func width(for number: Int) -> Int {
    switch number {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  private mutating func countScalars(
    _ survey: NodeSurvey<BinaryPropertyList>, _ warnings: inout Inspection.Warnings
  ) {
    let list = survey.nodes
    var storedBytes = 0
    for index in survey.kinds.indices {
      let node = NodeID(index)
      guard let storage = try? list.storage(of: node) else { continue }
      storedBytes = storedBytes.addingReportingOverflow(storage.byteCount).partialValue
      switch storage.marker >> 4 {
      case 0x1:
        integerWidths.add(storage.byteCount - 1)
        guard case .integer(let value)? = try? list.kind(of: node) else { continue }
        let needed = Self.width(ofInteger: value)
        if storage.byteCount - 1 != needed {
          warnings.add(
            .nonMinimalInteger,
            "the integer \(value) takes \(storage.byteCount - 1) bytes, where \(needed) would do",
            at: list.location(of: node))
        }
      case 0x5: asciiStrings += 1
      case 0x6: utf16Strings += 1
      default: break
      }
    }
    if storedBytes > list.tableStart - 8, warnings.counts[.overlappingObjects] == 0 {
      warnings.add(.overlappingObjects, "objects overlap")
    }
  }

  /// Returns the number of bytes for an integer: one, two or four bytes if it fits unsigned, eight bytes if
  /// it fits signed, otherwise sixteen.
  private static func width(ofInteger value: Int128) -> Int {
    switch value {
    case 0...0xff: 1
    case 0...0xffff: 2
    case 0...0xffff_ffff: 4
    case Int128(Int64.min)...Int128(Int64.max): 8
    default: 16
    }
  }

  private mutating func countCollections(_ survey: NodeSurvey<BinaryPropertyList>) {
    let reached = survey.graph.search(from: [survey.nodes.root.index]).distances
    orphans = reached.count { $0 == 0 }
    let references = survey.graph.edgesTo()
    let components = survey.graph.components { _ in 0 }
    let cyclic = survey.graph.cyclicGroups(components)
    for node in survey.kinds.indices where survey.kinds[node]?.isCollection == true {
      if references[node] > 1 { sharedCollections += 1 }
      if cyclic.contains(components.groups[node]) { cyclicCollections += 1 }
    }
  }
}
