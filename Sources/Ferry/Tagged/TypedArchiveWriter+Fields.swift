// Most fields of an object are scalars of the file without a tag. Their events are collected while the bytes of the file are borrowed once for
// all of them.

extension TypedArchiveWriter {
  /// Collects the next fields of an object that are scalars of the file and need no tag.
  ///
  /// - Parameters:
  ///   - nodes: The keys of the fields.
  ///   - values: The indices of the values.
  ///   - first: The index of the next field.
  /// - Returns: The index of the first field that is not collected.
  mutating func collectFields(_ nodes: [NodeID], _ values: Range<Int>, from first: Int) -> Int {
    guard sender.isCollecting, let file, first < values.count else { return first }
    return file.lend { collectFields(nodes, values, from: first, in: $0) }
  }

  @inline(__always)
  private mutating func collectFields(
    _ nodes: [NodeID], _ values: Range<Int>, from first: Int, in file: BinaryPropertyList
  ) -> Int {
    var index = first
    let bytes = file.bytes
    let table = file.table(bytes.span)
    let room = sender.room
    var (events, texts): ([EventBatch.Entry], [UInt8]) = ([], [])
    sender.exchangeCollected(&events, &texts)
    let limit = events.count + room
    while index < values.count, events.count < limit, let key = keys.event(of: nodes[index]),
      let value = event(of: graph.parts[values.lowerBound + index], in: table, &texts)
    {
      events.append(key)
      events.append(value)
      index += 1
    }
    sender.exchangeCollected(&events, &texts)
    return index
  }

  /// Returns the event of the value of a field if the value is a scalar of the file that needs no tag.
  @inline(__always)
  private func event(
    of part: ArchiveGraph.Part, in table: BinaryObjectTable, _ texts: inout [UInt8]
  ) -> EventBatch.Entry? {
    switch part {
    case .nothing: return EventBatch.Entry(kind: .null, offset: 0)
    case .bare(let number):
      guard let object = try? table.object(graph.bare.node(number)), object.isString,
        object.count < RepeatedScalars.shortestLength
      else { return nil }
      if object.kind == 0x5 { return table.event(of: object) }
      var event = table.event(decoding: object, to: &texts)
      event.offset = 0
      return event
    case .scalar(let node):
      guard let object = try? table.object(node), let event = table.event(of: object),
        event.kind.isPlainInline
      else { return nil }
      return event
    default: return nil
    }
  }
}
