/// The treatment of objects with more than one reference.
enum ObjectSharing {
  /// Sends an object in full once, with an identity, and then references to it: nothing is lost.
  case identities
  /// Sends identities and references too, but repeats objects that hold only scalars in full, as a person
  /// would write them.
  case leavesInFull
  /// Sends an object in full each time, with an identity, and references only inside the object itself.
  case inFull

  /// Creates the treatment for a style of the plain form.
  init(_ style: SharedObjectStyle) {
    switch style {
    case .reference: self = .leavesInFull
    case .inFull: self = .inFull
    }
  }
}
