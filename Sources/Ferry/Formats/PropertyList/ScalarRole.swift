/// The role of a scalar in its collection.
enum ScalarRole: Int, CaseIterable {
  case key, className, chain, object, element, value
}
