/// The treatment of objects with more than one reference.
enum ObjectSharing {
  /// Sends an object once, with an identity, and after that as references. Nothing is lost.
  case identities
  /// Like `identities`, also for objects whose decoded form is a scalar, such as a mutable string.
  case allIdentities
  /// Like `identities`, and gives each object of a class an identity, also one with a single reference.
  case numbered
  /// Like `identities`, and sends the class of each object, also of a plain list or date, whose value implies it. An object whose decoded
  /// form is a scalar is sent in full each time, with an identity if it has several references.
  case named
  /// Like `identities`, but sends an object that contains only scalars in full each time, as a person would
  /// write it.
  case leavesInFull
  /// Sends an object in full each time, with an identity. References are sent only inside the object itself.
  case inFull

  /// Creates the treatment that a style of the plain form needs.
  init(_ style: SharedObjectStyle) {
    switch style {
    case .reference: self = .leavesInFull
    case .inFull: self = .inFull
    }
  }
}
