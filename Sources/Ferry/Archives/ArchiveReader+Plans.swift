/// The objects with plans, and the lists around them.
extension ArchiveReader {
  /// Sends the parts of the innermost frames as far as plans tell how, and stops before a part that `step` must send, or
  /// when the batch is full.
  mutating func sendByPlans(_ table: BinaryObjectTable) throws(FerryError) {
    do throws(FerryError) {
      let all = try table.object(objects.objects)
      while let frame = frames.last, !sender.isFull {
        setOrigin(frame)
        switch frame.content {
        case .array(let collection):
          guard let list = collection.list, try sendElements(of: list, of: table, all) else { return }
        case .plan(let plan):
          let object = try table.object(frame.node)
          let index = try sendFields(from: frame.index, of: object, by: plans[plan], table, all)
          frames[frames.count - 1].index = index
          guard index == frame.count else { return }
        default: return
        }
        if let ended = frames.last, ended.node == frame.node, ended.index == frame.count {
          frames.removeLast()
          try end(ended)
        }
      }
    } catch {
      throw placed(error, from: origin)
    }
  }

  /// Sends elements of the innermost frame. Returns false if `step` must send the next one.
  private mutating func sendElements(
    of list: NodeID, of table: BinaryObjectTable, _ all: BinaryObjectTable.Object
  ) throws(FerryError) -> Bool {
    let list = try table.object(list)
    let top = frames.count - 1
    let frame = frames[top]
    var index = frame.index
    defer { frames[top].index = index }
    while index < frame.count, !sender.isFull {
      let element = try table.reference(index, of: list)
      if let scalar = scalar(at: element, of: table, all) {
        try send(scalar, of: table)
      } else if let (object, number) = plannedObject(at: element, of: table, all) {
        index += 1
        guard try send(object, number, by: lastPlan, table, all) else { return true }
        setOrigin(frame)
        continue
      } else {
        return false
      }
      index += 1
    }
    return true
  }

  /// Returns an object without further references whose plan is `lastPlan`; nil if `step` must send the value.
  private mutating func plannedObject(
    at node: NodeID, of table: BinaryObjectTable, _ all: BinaryObjectTable.Object
  ) -> (object: BinaryObjectTable.Object, number: ObjectNumber)? {
    guard frames.count < budget.depth, let reference = try? table.object(node), reference.kind == 0x8 else {
      return nil
    }
    let uid = table.uid(reference)
    guard uid < UInt64(all.count), referenceCounts[Int(uid)] <= 1,
      let object = try? table.object(table.reference(Int(uid), of: all)), object.kind == 0xd,
      let plan = plans.index(of: object, in: table, likely: lastPlan)
    else { return nil }
    lastPlan = plan
    return (object, ObjectNumber(Int(uid)))
  }

  /// Sends an object by a plan. Returns false if it has become the innermost frame, because `step` must send one of its
  /// parts.
  private mutating func send(
    _ object: BinaryObjectTable.Object, _ number: ObjectNumber, by index: Int, _ table: BinaryObjectTable,
    _ all: BinaryObjectTable.Object
  ) throws(FerryError) -> Bool {
    let plan = plans[index]
    try spend(0)
    try spend(plan.nameLength)
    sender.beginObject(plan.type, identity: sharing == .numbered ? number.index : nil)
    try sender.beginDictionary(at: originIndex)
    var frame = Frame(
      content: .plan(index), count: plan.fields.count, node: object.node, object: number,
      wrapper: .object(identity: nil))
    setOrigin(frame)
    frame.index = try sendFields(from: 0, of: object, by: plan, table, all)
    guard frame.index == frame.count else {
      frames.append(frame)
      return false
    }
    try sender.endDictionary(at: -1)
    return true
  }

  /// Sends the fields of an object from an index on as long as their values are scalars. Returns the index of the first
  /// field that is not sent.
  private mutating func sendFields(
    from first: Int, of object: BinaryObjectTable.Object, by plan: ObjectPlan, _ table: BinaryObjectTable,
    _ all: BinaryObjectTable.Object
  ) throws(FerryError) -> Int {
    for index in first..<plan.fields.count {
      let field = plan.fields[index]
      guard let value = try? table.reference(object.count + field.entry, of: object),
        let scalar = scalar(at: value, of: table, all)
      else { return index }
      try spend(field.byteCount)
      sender.collect(field.key, at: originIndex)
      try send(scalar, of: table)
    }
    return plan.fields.count
  }

  /// Returns the scalar at a node or, if it is a reference, the scalar that it refers to. Returns nil if `step` must send the
  /// value.
  @inline(__always)
  private func scalar(
    at node: NodeID, of table: BinaryObjectTable, _ all: BinaryObjectTable.Object
  ) -> BinaryObjectTable.Object? {
    guard var object = try? table.object(node) else { return nil }
    if object.kind == 0x8 {
      let uid = table.uid(object)
      guard uid < UInt64(all.count), let target = try? table.reference(Int(uid), of: all),
        let found = try? table.object(target)
      else { return nil }
      object = uid == 0 || table.isString(found, "$null") ? .null : found
    }
    switch object.kind {
    case 0x0: return object.count == 0 || object.count == 8 || object.count == 9 ? object : nil
    case 0x1: return object.count < 4 ? object : nil
    case 0x2: return table.isFiniteReal(object) ? object : nil
    case 0x5, 0x6: return object
    default: return nil
    }
  }

  /// Sends a scalar that `scalar` has returned.
  @inline(__always)
  private mutating func send(
    _ scalar: BinaryObjectTable.Object, of table: BinaryObjectTable
  ) throws(FerryError) {
    // A UTF-16 string has to be decoded.
    if scalar.kind == 0x6 { return try send(scalar: .string, scalar.node) }
    try spend(0)
    if let event = table.event(of: scalar) {
      sender.collect(event, at: originIndex)
    } else {
      // Of the scalars that `scalar` returns, only a text that is not ASCII has no event. This throws its error.
      try sender.text(.string, table.ascii(scalar), from: scalar.start, at: originIndex)
    }
    if scalar.kind == 0x5, scalar.count > 0 { try spend(scalar.count) }
  }
}
