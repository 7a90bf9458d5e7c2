/// The ways to send an object that is referred to more than once.
enum ObjectSharing {
  /// In full once, with an identity, then as references: nothing is lost.
  case identities
  /// The same, except that objects that hold only scalars are sent in full each time, as a person would write them.
  case leavesInFull
}
