import Ferry
import Hummingbird

/// A server that takes people as XML and answers a line of JSON for each of them, as soon as its bytes have arrived.
///
///     swift run server &
///     curl -T ../folks.xml http://127.0.0.1:8080/people        {"firstName":"Matt","lastName":"Neuburg"}
///
/// Neither the request nor the answer is in memory as a whole, and a slow client slows the reading down. The status is sent before
/// the end of the request is known, so the last line of an answer tells an error: `{"error":"line 3: …"}`.
@main struct Server {
  static func main() async throws {
    let router = Router()
    router.put("people") { request, _ in
      let body = request.body
      return Response(
        status: .ok, headers: [.contentType: "application/jsonl"],
        body: ResponseBody { writer in
          do {
            let chunks = body.map(\.readableBytesView)
            for try await line in AsyncRecords(as: .jsonLines, from: chunks, settings) {
              try await writer.write(ByteBuffer(bytes: line))
            }
          } catch let error as FerryError {
            let line = MemoryOutput()
            try Conversion(to: .jsonLines).write([["error": .string("\(error)")]], to: line)
            try await writer.write(ByteBuffer(bytes: line.bytes))
          }
          try await writer.finish(nil)
        })
    }
    let address = BindAddress.hostname("127.0.0.1", port: 8080)
    try await Application(router: router, configuration: .init(address: address)).runService()
  }

  /// The format and the place of the records must be known before the end of a request, and its size has no limit.
  private static let settings: RecordSettings = {
    var settings = RecordSettings.values
    settings.reading.format = .xml
    settings.reading.select = "/people/person"
    return settings
  }()
}
