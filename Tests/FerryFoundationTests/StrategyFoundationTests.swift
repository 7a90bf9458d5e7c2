import Ferry
import FerryFoundation
import Foundation
import Testing

@Suite struct `Strategies with types of Foundation` {
  private let dates = [
    Date(timeIntervalSinceReferenceDate: 86_400), Date(timeIntervalSinceReferenceDate: 0),
  ]

  private static func formatter() -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy/MM/dd"
    return formatter
  }

  @Test func `A formatter writes and reads dates, as it does for JSONEncoder`() throws {
    let formatter = Self.formatter()
    var (encoder, decoder) = (FerryEncoder(to: .json), FerryDecoder())
    (encoder.dates, decoder.dates) = (.formatted(formatter), .formatted(formatter))
    let bytes = try encoder.encode(dates)
    #expect(String(decoding: bytes, as: UTF8.self) == #"["2001/01/02","2001/01/01"]"# + "\n")
    #expect(try decoder.decode([Date].self, from: bytes) == dates)
    let peer = JSONDecoder()
    peer.dateDecodingStrategy = .formatted(formatter)
    #expect(try peer.decode([Date].self, from: Data(bytes)) == dates)
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([Date].self, from: #"["2001/01/02","x"]"#.utf8)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.codingPath.map(\.intValue) == [1])
  }

  @Test func `A function encodes dates without naming their type`() throws {
    var encoder = FerryEncoder(to: .json)
    encoder.dates = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.timeIntervalSinceReferenceDate / 86_400)
    }
    #expect(String(decoding: try encoder.encode(dates), as: UTF8.self) == "[1.0,0.0]\n")
  }
}
