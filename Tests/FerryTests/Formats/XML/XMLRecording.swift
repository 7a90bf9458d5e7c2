import Ferry
import TestSupport
import Testing

/// Writes down every call, with the text between two tags in one piece.
final class RecordingDelegate: ElementDelegate {
  private(set) var calls: [String] = []
  private var isInText = false

  private func add(_ call: String) {
    calls.append(call)
    isInText = false
  }

  override func didStart(_ element: borrowing XMLStartTag) {
    var call = "<\(element.name.qualified)"
    if let namespace = element.name.namespace { call += " {\(namespace)}" }
    for index in 0..<element.attributeCount {
      let name = element.attributeName(index)
      call += " \(name.qualified){\(name.namespace ?? "")}=\(String(element.attributeValue(index)))"
    }
    for index in 0..<element.declarationCount {
      call += " \(element.declarationName(index).qualified)=\(String(element.declarationValue(index)))"
    }
    let place = element.location
    add(call + "> \(place.line ?? 0):\(place.column ?? 0)")
  }

  override func delegate(for child: borrowing XMLStartTag) -> ElementDelegate? { self }

  override func text(_ text: BorrowedText) {
    if !isInText { add("") }
    isInText = true
    calls[calls.count - 1] += String(text)
  }

  override func comment(_ text: BorrowedText) { add("<!--\(String(text))-->") }

  override func processingInstruction(target: BorrowedText, data: BorrowedText) {
    add("<?\(String(target)) \(String(data))?>")
  }

  override func childDidFinish(_ child: ElementDelegate) { add("back") }

  override func didEnd() { add("end") }
}

/// The calls for a document, read in chunks of a size.
func streamCalls(_ bytes: [UInt8], chunk size: Int = 1 << 20, budget: Budget = Budget()) throws(FerryError)
  -> [String]
{
  let recording = RecordingDelegate()
  let stream = try XMLStream(document: recording, budget: budget)
  try stream.readAll(bytes, chunk: size)
  return recording.calls
}

/// The calls for a document, read into a tree first.
func treeCalls(_ bytes: [UInt8], budget: Budget = Budget()) throws(FerryError) -> [String] {
  let recording = RecordingDelegate()
  try XMLTree(parsing: bytes.span, budget: budget).replay(to: recording)
  return recording.calls
}

/// Either what a reading gave, or why it failed and where.
func outcome<T>(_ body: () throws(FerryError) -> T) -> Result<T, FerryError> { Result(catching: body) }
