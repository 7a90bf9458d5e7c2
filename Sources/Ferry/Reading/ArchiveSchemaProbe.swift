/// A detector of the built-in schema that matches an archive. It examines the first record: the root, or the
/// first element of a root that is a list.
///
/// A schema matches if the record is of the schema's class and has every required field. A class of another
/// app that happens to have the same name therefore does not match.
struct ArchiveSchemaProbe {
  /// The matching schema, or nil if there is none.
  private(set) var schema: Schema?
  /// The reason why the archive does not match a schema although its class does, or nil.
  private(set) var mismatch: Note?

  /// Examines an archive. A class in a class file takes precedence over a built-in schema.
  init(_ objects: ArchiveObjects, _ catalog: ClassCatalog) throws(FerryError) {
    guard let record = try objects.firstRecord(), !catalog.isGiven(className: record.type.name),
      let named = Schema.builtIn.first(where: { $0.record.accepts(className: record.type.name) })
    else { return }
    if let field = try objects.missingField(of: named.record, in: record.node) {
      let problem = RecordProblem.missingField(field.name, record: named.record.element)
      mismatch = named.mismatch(problem.description, isReadable: false)
    } else {
      schema = named
    }
  }
}

extension ArchiveObjects {
  /// Returns the root, or the first element of a root that is an array or a set. Returns nil if that is not
  /// an object of a class.
  fileprivate func firstRecord() throws(FerryError) -> (node: NodeID, type: ObjectClass)? {
    guard top.count == 1, let root = try object(top[0].node) else { return nil }
    guard let list = try ArchivedCollection(root.node, root.type, in: nodes) else { return root }
    guard list.kind != .dictionary, list.count > 0 else { return nil }
    return try object(try list.element(0, in: nodes))
  }

  private func object(_ reference: NodeID) throws(FerryError) -> (node: NodeID, type: ObjectClass)? {
    guard case .uid(let uid) = try nodes.kind(of: reference) else { return nil }
    let node = try node(of: uid, referredFrom: reference)
    guard case .dictionary(let count) = try nodes.kind(of: node), let type = try type(of: node, count: count)
    else {
      return nil
    }
    return (node, type)
  }

  /// Returns the first required field of a record type that an object lacks or has as nil.
  fileprivate func missingField(of record: RecordType, in node: NodeID) throws(FerryError) -> RecordField? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    var present: Set<Int> = []
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      guard try nodes.kind(of: key) == .string else { continue }
      let match = try nodes.withText(of: key) { text throws(FerryError) in
        record.match(text.utf8, usesArchiveKeys: true)
      }
      guard let match, try !isNil(at: nodes.value(index, of: node)) else { continue }
      present.insert(match.field)
    }
    let missing = record.fields.indices.first { !record.fields[$0].isOptional && !present.contains($0) }
    return missing.map { record.fields[$0] }
  }

  private func isNil(at node: NodeID) throws(FerryError) -> Bool {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return false }
    return try isNil(uid, referredFrom: node)
  }
}
