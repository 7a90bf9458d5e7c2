/// The changes of an element of an XML document.
struct XMLElementChange {
  /// True if the element is removed.
  var isRemoved = false
  /// True if new elements are inserted after the element.
  var isFollowed = false
  /// True if the text directly inside the element is another one, or is removed.
  var hasNewText = false
  /// True if the element has only text, and loses all of it.
  var losesText = false
  /// The new text of an empty tag before the new elements in it, with which it is written.
  var textBeforeElements: [UInt8] = []
  /// The new name of the element, in the encoding of the document; nil if it keeps its name.
  var newName: [UInt8]?
  /// The attributes that are added to the start tag.
  var newAttributes: [UInt8] = []
}

/// The changes of the elements of an XML document.
struct XMLElementChanges {
  /// The changed elements with their changes, in any order.
  private(set) var all: [Int: XMLElementChange] = [:]

  /// The changes of an element.
  subscript(element: Int) -> XMLElementChange {
    get { all[element] ?? XMLElementChange() }
    _modify { yield &all[element, default: XMLElementChange()] }
  }

  /// The removed elements, in any order.
  var removed: [Int] { all.compactMap { element, change in change.isRemoved ? element : nil } }
}
