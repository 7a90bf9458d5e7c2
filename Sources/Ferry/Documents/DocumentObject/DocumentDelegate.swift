/// An observer of a document.
///
///     @MainActor final class PeopleList: DocumentDelegate {
///       var people: [PeopleDocument.Person] = []
///       @MainActor func documentDidLoad(_ document: Document) async {
///         people = await (document as? PeopleDocument)?.people ?? []
///       }
///     }
///
/// A delegate may be isolated to any actor, which its methods declare as in the example. The document calls
/// the methods one at a time, in the order of the events, soon after each event. No operation of the document
/// waits for them, so they may call any method of the document.
public protocol DocumentDelegate: AnyObject, Sendable {
  /// Called after new contents were loaded: when the document was opened, reverted, or changed by another
  /// process.
  func documentDidLoad(_ document: Document) async
  /// Called after the state has changed.
  func document(_ document: Document, didChangeStateFrom old: DocumentState, to new: DocumentState) async
  /// Called after a requested or automatic save failed.
  func document(_ document: Document, didFailToSave error: FerryError) async
}

extension DocumentDelegate {
  public func documentDidLoad(_ document: Document) async {}
  public func document(
    _ document: Document, didChangeStateFrom old: DocumentState, to new: DocumentState
  ) async {}
  public func document(_ document: Document, didFailToSave error: FerryError) async {}
}

/// An event that is reported to a delegate.
enum DocumentEvent: Sendable {
  case loaded
  case state(from: DocumentState, to: DocumentState)
  case saveFailed(FerryError)
}

extension Document {
  /// Reports an event to the delegate, after all earlier events.
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
      case .saveFailed(let error): await delegate.document(self, didFailToSave: error)
      }
    }
    isTelling = false
  }
}
