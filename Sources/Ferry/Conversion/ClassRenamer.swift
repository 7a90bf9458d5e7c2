/// An adapter that renames the classes of objects.
final class ClassRenamer: ForwardingSink {
  private let newNames: [ExactString: String]
  /// True if the objects must be readable in an archive with their new names.
  private let writesArchive: Bool
  private var types: [ObjectClass: ObjectClass] = [:]
  /// The old names of all classes and superclasses so far.
  private(set) var names: Set<ExactString> = []

  init(_ names: [ExactString: String], to next: any ValueSink, writesArchive: Bool) {
    newNames = names
    self.writesArchive = writesArchive
    super.init(to: next)
  }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try next.beginObject(renamed(type), identity: identity)
  }

  private func renamed(_ type: ObjectClass) throws(FerryError) -> ObjectClass {
    if let known = types[type] { return known }
    for name in [type.name] + type.chain + type.hints { names.insert(name) }
    let renamed = ObjectClass(
      name: newName(type.name), chain: type.chain.map(newName), hints: type.hints.map(newName))
    if writesArchive { try Self.check(renamed, insteadOf: type) }
    types[type] = renamed
    return renamed
  }

  private func newName(_ name: String) -> String { newNames[name] ?? name }

  /// Throws if the objects of a schema would not be readable in an archive with their new names.
  static func check(_ names: [ExactString: String], of schema: Schema) throws(FerryError) {
    let classes = schema.record.classNames
    for (old, new) in names.sorted(by: { $0.key < $1.key }) where classes.contains(old) {
      try check(ObjectClass(new), insteadOf: ObjectClass(old.string))
    }
  }

  /// Throws if a new name is that of a class whose objects have another layout.
  private static func check(_ new: ObjectClass, insteadOf old: ObjectClass) throws(FerryError) {
    guard new != old else { return }
    guard !new.name.equals("NSObject") else {
      throw FerryError(.archive(.unfitName("an NSObject has no archived keys")))
    }
    guard let layout = new.knownLayout, layout != old.knownLayout else { return }
    throw FerryError(
      .archive(
        .unfitName("\(MessageText.name(old.name)) has other archived keys than \(MessageText.name(layout))")))
  }
}
