/// The last choice in each role of a scalar: if it was shared. Two bits have the choice, or show that there was none.
struct ScalarHabits {
  private var bits: UInt16 = 0

  /// Accesses the last choice in a role, or nil if there was none.
  subscript(role: ScalarRole) -> Bool? {
    @inline(__always)
    get {
      let found = bits >> UInt16(2 * role.rawValue) & 3
      return found == 0 ? nil : found == 2
    }
    @inline(__always)
    set {
      let shift = UInt16(2 * role.rawValue)
      bits = bits & ~(3 << shift) | (newValue.map { $0 ? 2 : 1 } ?? 0) << shift
    }
  }
}
