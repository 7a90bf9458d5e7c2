/// The forms of the elements with each path in several elements that are read on their own: a list in some of them, or single.
///
///     <i><t/></i> <i><t/><t/></i>     t: a list, and single
struct ListForms: Sendable {
  private struct Forms {
    let path: ValuePath
    var isList: Bool
    var isSingle: Bool
  }

  private var forms: [Forms] = []
  private var indices: [ValuePath: Int] = [:]

  /// Adds the forms of the elements with a path, inside the elements that are read.
  mutating func add(_ path: ValuePath, isList: Bool, isSingle: Bool) {
    guard let known = indices[path] else {
      indices[path] = forms.count
      return forms.append(Forms(path: path, isList: isList, isSingle: isSingle))
    }
    if isList { forms[known].isList = true }
    if isSingle { forms[known].isSingle = true }
  }

  /// Adds the forms in later elements.
  mutating func add(_ later: ListForms) {
    for form in later.forms { add(form.path, isList: form.isList, isSingle: form.isSingle) }
  }

  /// The paths of elements that are a list in some elements and single in others, in the order in which they occurred.
  var uneven: [ValuePath] { forms.filter { $0.isList && $0.isSingle }.map(\.path) }
}
