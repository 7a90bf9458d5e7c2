/// The forms of the elements with each path in several elements that are read on their own: a list in some of them, or single.
///
///     <i><t/></i> <i><t/><t/></i>     t: a list, and single
struct ListForms: Hashable, Sendable {
  private struct Forms: Hashable {
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

  /// All paths.
  var paths: [ValuePath] { forms.map(\.path) }

  /// The paths of elements that are a list in some elements and single in others, in the order in which they occurred.
  var uneven: [ValuePath] { forms.filter { $0.isList && $0.isSingle }.map(\.path) }
}

/// A search for elements that are a list in the selected elements of some of several inputs, and single in those of others.
package struct UnevenListSearch {
  private var all = ListForms()
  /// The indices of the inputs that were the first with each path.
  private var inputs: [ValuePath: Int] = [:]
  /// The paths that the note on an input names.
  private var known: Set<ValuePath> = []
  private var count = 0

  package init() {}

  /// Adds the forms in the next input.
  mutating func add(_ forms: ListForms) {
    for path in forms.paths where inputs[path] == nil { inputs[path] = count }
    known.formUnion(forms.uneven)
    all.add(forms)
    count += 1
  }

  /// A note on the paths that no note on an input names, with the index of the first input that has the first of them; nil if there are none.
  package var note: (input: Int, note: Note)? {
    let paths = all.uneven.filter { !known.contains($0) }
    guard let first = paths.first, let input = inputs[first] else { return nil }
    return (input, .unevenLists(first: first, count: paths.count))
  }
}
