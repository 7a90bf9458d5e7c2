/// Hears what happens to a document.
///
///     @MainActor final class PeopleList: DocumentDelegate {
///       var people: [PeopleDocument.Person] = []
///       @MainActor func documentDidLoad(_ document: Document) async {
///         people = await (document as? PeopleDocument)?.people ?? []
///       }
///     }
///
/// A delegate may be of any actor, which its methods name as the one above does. It is told in the order in which things happened, one after the other, soon after they
/// did; no operation of the document waits for it, so it may call whatever it wants to.
public protocol DocumentDelegate: AnyObject, Sendable {
  /// New contents have been loaded: the document was opened, reverted, or changed by somebody else.
  func documentDidLoad(_ document: Document) async
  /// The state is another.
  func document(_ document: Document, didChangeStateFrom old: DocumentState, to new: DocumentState) async
  /// A save failed, one that was asked for or an automatic one.
  func document(_ document: Document, didFailToSave failure: Failure) async
}

extension DocumentDelegate {
  public func documentDidLoad(_ document: Document) async {}
  public func document(
    _ document: Document, didChangeStateFrom old: DocumentState, to new: DocumentState
  ) async {}
  public func document(_ document: Document, didFailToSave failure: Failure) async {}
}

/// What a delegate is told.
enum DocumentEvent: Sendable {
  case loaded
  case state(from: DocumentState, to: DocumentState)
  case saveFailed(Failure)
}

extension Document {
  /// Tells the delegate, after all that it has not heard yet.
  func tell(_ event: DocumentEvent) {
    guard let delegate else { return }
    events.append((delegate, event))
    guard !isTelling else { return }
    isTelling = true
    Task { await tellAll() }
  }

  private func tellAll() async {
    while !events.isEmpty {
      let (delegate, event) = events.removeFirst()
      switch event {
      case .loaded: await delegate.documentDidLoad(self)
      case .state(let old, let new): await delegate.document(self, didChangeStateFrom: old, to: new)
      case .saveFailed(let failure): await delegate.document(self, didFailToSave: failure)
      }
    }
    isTelling = false
  }
}
