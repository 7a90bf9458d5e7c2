/// The values of a merge, with their shared objects stored separately under common numbers.
struct SharedVersions: Hashable, Sendable {
  var base: SharedObjects?
  var ours, theirs, merged: SharedObjects

  subscript(side: MergeSide) -> SharedObjects? {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  /// Returns a version and another value for a comparison. Objects that neither of them shares replace the references to
  /// them.
  func pair(of side: MergeSide, and value: SharedObjects) -> (old: SharedObjects, new: SharedObjects)? {
    guard let version = self[side] else { return nil }
    return (version.inlined, value.inlined(unlessSharedIn: version))
  }
}
