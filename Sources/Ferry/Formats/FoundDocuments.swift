/// Receives from a reader that a text has several documents, which are sent as a list. The writer, which has the same object, writes them as
/// documents again.
final class FoundDocuments {
  /// True if the outermost list is one of documents. The reader sets it before it sends the list.
  var areSeveral = false
}
