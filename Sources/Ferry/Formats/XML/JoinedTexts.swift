internal import CLibXML2

/// The texts of a tree, joined while an XPath is evaluated. libxml2 keeps CDATA sections as nodes of their own, while XPath has one node for
/// all text between two tags, comments or instructions, and none without characters.
@safe final class JoinedTexts {
  /// Adjacent texts and CDATA sections, with the content of the first and the node after it.
  @safe private struct Run {
    var first: xmlNodePtr
    var last: xmlNodePtr
    var second: xmlNodePtr?
    var content: UnsafeMutablePointer<xmlChar>?
    /// The content of all of them, ended by a zero.
    var joined: UnsafeMutableBufferPointer<xmlChar>

    var isEmpty: Bool { unsafe joined.count == 1 }
  }

  private var runs: [Run] = []

  /// Joins the texts inside an element.
  init(in root: xmlNodePtr) {
    var node = unsafe Optional(root)
    while let first = unsafe node {
      var last = unsafe first
      if unsafe Self.isText(first) {
        var bytes = unsafe Self.length(first)
        while let next = unsafe last.pointee.next, unsafe Self.isText(next) {
          unsafe last = next
          unsafe bytes += Self.length(next)
        }
        if unsafe first != last || bytes == 0 { unsafe add(first, last, bytes: bytes) }
      }
      unsafe node = next(after: last, within: root)
    }
    for run in runs { join(run) }
  }

  private static func isText(_ node: xmlNodePtr) -> Bool {
    unsafe node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE
  }

  private static func length(_ node: xmlNodePtr) -> Int { unsafe Int(xmlStrlen(node.pointee.content)) }

  private func add(_ first: xmlNodePtr, _ last: xmlNodePtr, bytes: Int) {
    let joined = UnsafeMutableBufferPointer<xmlChar>.allocate(capacity: bytes + 1)
    unsafe joined.initialize(repeating: 0)
    var (offset, node) = unsafe (0, first)
    while true {
      let length = unsafe Self.length(node)
      for index in 0..<length { unsafe joined[offset + index] = node.pointee.content[index] }
      offset += length
      guard unsafe node != last, let next = unsafe node.pointee.next else { break }
      unsafe node = next
    }
    unsafe runs.append(
      Run(
        first: first, last: last, second: first.pointee.next, content: first.pointee.content, joined: joined))
  }

  /// Makes one node of a run, or none if it has no characters. The nodes that are left out keep their own links.
  private func join(_ run: Run) {
    let next = unsafe run.last.pointee.next
    if run.isEmpty {
      unsafe Self.link(run.first.pointee.prev, before: next, in: run.first.pointee.parent)
    } else {
      unsafe run.first.pointee.content = run.joined.baseAddress
      unsafe Self.link(run.first, before: next, in: run.first.pointee.parent)
    }
  }

  /// Gives the nodes their own contents and places again.
  func restore() {
    for run in runs {
      let parent = unsafe run.first.pointee.parent
      if run.isEmpty {
        unsafe Self.link(run.first.pointee.prev, before: run.first, in: parent, linksBack: false)
      } else {
        unsafe run.first.pointee.content = run.content
        unsafe run.first.pointee.next = run.second
      }
      unsafe Self.link(run.last, before: run.last.pointee.next, in: parent, linksForward: false)
      unsafe run.joined.deallocate()
    }
    runs.removeAll()
  }

  /// Puts two nodes beside each other. The first or the last child of the parent has nil beside it.
  private static func link(
    _ previous: xmlNodePtr?, before next: xmlNodePtr?, in parent: xmlNodePtr?, linksForward: Bool = true,
    linksBack: Bool = true
  ) {
    if linksForward {
      if let previous = unsafe previous {
        unsafe previous.pointee.next = next
      } else {
        unsafe parent?.pointee.children = next
      }
    }
    guard linksBack else { return }
    if let next = unsafe next {
      unsafe next.pointee.prev = previous
    } else {
      unsafe parent?.pointee.last = previous
    }
  }
}
