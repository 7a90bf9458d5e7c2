/// The treatment of objects with more than one reference.
enum ObjectSharing {
  /// Sends an object in full once, with an identity, and then references to it: nothing is lost.
  case identities
  /// Sends identities and references too, but repeats objects that hold only scalars in full, as a person
  /// would write them.
  case leavesInFull
}
