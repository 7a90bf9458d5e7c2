import TestSupport
import Testing

@testable import Ferry

/// Archives with objects that have plans, and with everything that needs a step of its own.
enum ArchiveSamples {
  private static let person = ObjectClass("Person")

  private static func object(
    _ fields: Value, of type: ObjectClass = person, identity: Int? = nil
  ) -> Value {
    .object(ObjectValue(type, identity: identity, content: fields))
  }

  /// People with values of all kinds.
  static let people: Value = .array(
    (0..<40).map { number in
      var fields = KeyedValues()
      fields["id"] = Value.integer(Int128(number))
      fields["first"] = Value.string("Ada \(number)")
      fields["last"] = Value.string("Lovelace")
      fields["height"] = Value.real(number == 7 ? .infinity : 1.5)
      fields["isMember"] = Value.boolean(number.isMultiple(of: 2))
      fields["$odd"] = number == 9 ? Value.null : Value.string("東京 \(number)")
      fields["note"] = note(number)
      return object(.dictionary(fields), of: number == 20 ? ObjectClass("Pet", "Animal") : person)
    })

  private static func note(_ number: Int) -> Value {
    switch number {
    case 3: .data([1, 2, 3])
    case 4: .date(secondsSince2001: 12)
    case 5: .array([.string("a"), object(["first": "Nell"])])
    case 6: .single(2.5)
    case 8: ["k": "v", "n": 1]
    case 10: .string("$null")
    case 11: .unpairedString([0xd800, 0x61])
    case 12: object([:])
    default: .string("plain \(number) \"quoted\"")
    }
  }

  /// Objects that refer to each other, and a chain of them.
  static let linked: Value = .array([
    object(["name": "a", "next": .reference(2), "other": .reference(1)], identity: 1),
    object(["name": "b", "next": .reference(1), "other": .null], identity: 2),
    .reference(2), .array([.reference(1), .null, true, 5]),
    object(["name": "c", "next": object(["name": "d", "next": object(["name": "e", "next": .null])])]),
  ])

  /// Collections in collections.
  static let collections: Value = [
    "list": [[], [1, [2.5, "x"]], .set(["a"]), .null], "empty": .dictionary([:]),
    "classes": .object(ObjectValue(.mutableArray, content: ["a", object(["first": "b"])])),
  ]

  static let all = [people, linked, collections]
}

@Suite struct `Batches of archives` {
  @Test(arguments: 0..<ArchiveSamples.all.count)
  func `The events of an archive in batches have the effect, losses, errors and paths that they have alone`(
    _ sample: Int
  ) throws {
    let bytes = try Archived.bytes(ArchiveSamples.all[sample])
    for sharing in [ObjectSharing.identities, .leavesInFull, .inFull] where sharing != .inFull || sample != 1
    {
      var (limit, isOver) = (0, false)
      while !isOver {
        let single = outcome(bytes, sharing, limit: limit)
        #expect(outcome(bytes, sharing, limit: limit, inBatches: true) == single)
        isOver = single.hasSuffix("whole")
        limit += 1
      }
      #expect(limit > 20)
    }
  }

  @Test(arguments: 0..<ArchiveSamples.all.count)
  func `A damaged archive has the same errors in batches`(_ sample: Int) throws {
    let bytes = try Archived.bytes(ArchiveSamples.all[sample])
    try Damage(to: bytes, lengths: [], change: .flipping([0x01, 0x10, 0x80, 0xff])).check { damaged in
      let single = outcome(damaged, .identities)
      #expect(outcome(damaged, .identities, inBatches: true) == single)
      if !single.hasSuffix("whole") { throw Damage.Refusal() }
    }
  }

  @Test func `Objects beyond the list of losses are counted`() throws {
    let bytes = try Archived.bytes(ArchiveSamples.people)
    for limit in [0, 1, 7, 1000] {
      let losses = [false, true].map { inBatches in
        let losses = LossReport(limit: limit)
        _ = outcome(bytes, .identities, inBatches: inBatches, losses: losses)
        return "\(losses.counts) \(losses.losses)"
      }
      #expect(losses[0] == losses[1])
      #expect(losses[0].contains("42"))
    }
  }

  @Test func `Objects of one class with the same keys, and with other keys, keep their fields`() throws {
    let bytes = try Archived.bytes(ArchiveSamples.people)
    let (single, batches) = (MemoryOutput(), MemoryOutput())
    let plain = PlainForm(
      to: ForwardingSink(to: JSONWriter(to: single)), capabilities: Format.json.capabilities,
      losses: LossReport())
    #expect(!plain.prefersBatches)
    try read(bytes, into: ObjectKeys(to: plain))
    let batched = PlainForm(
      to: JSONWriter(to: batches), capabilities: Format.json.capabilities, losses: LossReport())
    #expect(batched.takesObjects)
    try read(batched.prefersBatches ? bytes : [], into: ObjectKeys(to: batched))
    #expect(single.bytes == batches.bytes)
    #expect(single.bytes.count > 1000)
  }

  private func read(_ bytes: [UInt8], into sink: any ValueSink) throws {
    var reader = ArchiveReader(
      try ArchiveObjects(try BinaryPropertyList(bytes)), into: sink, sharing: .identities, budget: Budget(),
      decodedForms: .all)
    try reader.read()
    try sink.finish()
  }

  /// The events that reach a sink which refuses the one after a number of them, the losses, and the error with its
  /// location and path.
  private func outcome(
    _ bytes: [UInt8], _ sharing: ObjectSharing, limit: Int = .max, inBatches: Bool = false,
    losses: LossReport = LossReport()
  ) -> String {
    let tapeSink = TapeSink()
    let last = inBatches ? LimitedBatchSink(to: tapeSink) : LimitedSink(to: tapeSink)
    last.limit = limit
    let plain = PlainForm(to: last, capabilities: Format.json.capabilities, losses: losses)
    var end = "whole"
    do throws(FerryError) {
      let objects = try ArchiveObjects(try BinaryPropertyList(bytes))
      var reader = ArchiveReader(
        objects, into: ObjectKeys(to: plain), sharing: sharing, budget: Budget(), decodedForms: .all)
      try reader.read()
    } catch { end = "\(error) \(error.location)" }
    return "\(tapeSink.tape.log) \(losses.counts) \(losses.losses) \(plain.path) \(end)"
  }
}
