import Foundation
import TestSupport
import Testing

/// A record of an older version that has more than the rules take.
private struct Dropped: CustomTestStringConvertible, Sendable {
  let fields, rules, record, kept, words: String
  var testDescription: String { "\(rules) \(record)" }

  var schema: String {
    #"{"ferry":1,"name":"x","version":2,"versionField":{"key":"v"},"fields":[\#(fields)],"versions":{"1":{"fields":[\#(rules)]}}}"#
  }

  static let text = #"{"name":"text","optional":true}"#
  static let older = "values under older keys that differ from the newest are left out (1)"
  static let part = "parts of older values that no field takes are left out (1)"

  static let rounded = "dates are rounded to about 100 nanoseconds (1)"

  static let all = [
    Dropped(
      fields: text, rules: #"{"name":"text","from":"body"}"#, record: #"{"v":1,"text":"a","body":"b"}"#,
      kept: #"{"v":2,"text":"a"}"#, words: older),
    Dropped(
      fields: #"{"name":"price","type":"decimal"}"#, rules: #"{"name":"price","from":"cents","divide":100}"#,
      record: #"{"v":1,"price":1.5,"cents":175}"#, kept: #"{"v":2,"price":1.5}"#, words: older),
    Dropped(
      fields: text, rules: #"{"name":"text","from":["a","b"],"join":" "}"#,
      record: #"{"v":1,"text":"x z","a":"x","b":"y"}"#, kept: #"{"v":2,"text":"x z"}"#, words: older),
    Dropped(
      fields: #"{"name":"tags","type":"list","items":{}}"#,
      rules: #"{"name":"tags","from":"tag","split":","}"#,
      record: #"{"v":1,"tags":["x"],"tag":"x,y"}"#, kept: #"{"v":2,"tags":["x"]}"#, words: older),
    Dropped(
      fields: #"{"name":"done","type":"boolean"}"#,
      rules: #"{"name":"done","from":"state","type":"integer"}"#,
      record: #"{"v":1,"done":true,"state":0}"#, kept: #"{"v":2,"done":true}"#, words: older),
    Dropped(
      fields: text, rules: #"{"name":"text","from":"kind","type":"integer","map":{"0":"home"}}"#,
      record: #"{"v":1,"text":"work","kind":0}"#, kept: #"{"v":2,"text":"work"}"#, words: older),
    Dropped(
      fields: text, rules: #"{"name":"text","from":"name","before":" "}"#,
      record: #"{"v":1,"name":"Ada King"}"#,
      kept: #"{"v":2,"text":"Ada"}"#, words: part),
    Dropped(
      fields: #"{"name":"first"},{"name":"last"}"#,
      rules: #"{"name":"first","from":"name","before":" "},{"name":"last","from":"name","afterLast":" "}"#,
      record: #"{"v":1,"name":"Ada Augusta King"}"#, kept: #"{"v":2,"first":"Ada","last":"King"}"#,
      words: part),
    Dropped(
      fields: #"{"name":"text"}"#, rules: #"{"name":"text","from":"at","type":"real","before":"."}"#,
      record: #"{"v":1,"at":12.5}"#, kept: #"{"v":2,"text":"12"}"#, words: part),
    Dropped(
      fields: #"{"name":"d","type":"date"}"#, rules: #"{"name":"d","from":"t","since":1970}"#,
      record: #"{"v":1,"t":0.12345678912345}"#, kept: #"{"v":2,"d":"1970-01-01T00:00:00.1234568Z"}"#,
      words: rounded),
    Dropped(
      fields: #"{"name":"d","type":"date"}"#, rules: #"{"name":"d","from":"t","since":1970}"#,
      record: #"{"v":1,"t":1402308000.123}"#, kept: #"{"v":2,"d":"2014-06-09T10:00:00.123Z"}"#, words: ""),
    Dropped(
      fields: #"{"name":"d","type":"date"}"#, rules: #"{"name":"d","from":"t","type":"string"}"#,
      record: #"{"v":1,"t":"1970-01-01T00:00:00.12345678912345Z"}"#,
      kept: #"{"v":2,"d":"1970-01-01T00:00:00.1234568Z"}"#, words: rounded),
    Dropped(
      fields: #"{"name":"r","type":"real"}"#, rules: #"{"name":"r","from":"t","type":"string"}"#,
      record: #"{"v":1,"t":"0.12345678901234567890"}"#, kept: #"{"v":2,"r":0.12345678901234568}"#,
      words: "decimals become the nearest real (1)"),
    Dropped(
      fields: text, rules: #"{"name":"text","default":"d"}"#, record: #"{"v":1,"text":"a","body":"b"}"#,
      kept: #"{"v":2,"text":"a","body":"b"}"#, words: ""),
    Dropped(
      fields: text, rules: #"{"name":"text","from":"body"}"#, record: #"{"v":1,"text":"a","body":"a"}"#,
      kept: #"{"v":2,"text":"a"}"#, words: ""),
    Dropped(
      fields: #"{"name":"price","type":"decimal"}"#, rules: #"{"name":"price","from":"cents","divide":100}"#,
      record: #"{"v":1,"price":1.75,"cents":175}"#, kept: #"{"v":2,"price":1.75}"#, words: ""),
    Dropped(
      fields: #"{"name":"first"},{"name":"last"}"#,
      rules: #"{"name":"first","from":"name","before":" "},{"name":"last","from":"name","after":" "}"#,
      record: #"{"v":1,"name":"Ada Augusta King"}"#, kept: #"{"v":2,"first":"Ada","last":"Augusta King"}"#,
      words: ""),
  ]
}

@Suite(.temporaryDirectory) struct `Losses in migrations` {
  @Test(arguments: Dropped.all)
  fileprivate func `A record of an older version loses nothing in silence, whatever rule changes it`(
    _ sample: Dropped
  )
    async throws
  {
    try directory.write("s.json", sample.schema)
    try directory.write("a.jsonl", sample.record + "\n")
    let run = try await ToolRun.ferry("convert", "a.jsonl", "--schema", "s.json", "--to", "jsonl")
    #expect(run.status == 0)
    #expect(run.output == sample.kept + "\n")
    #expect(run.errors == (sample.words.isEmpty ? "" : "a.jsonl: not exact: \(sample.words)\n"))
    let strict = try await ToolRun.ferry(
      "convert", "a.jsonl", "--schema", "s.json", "--to", "jsonl", "--strict")
    #expect(strict.status == (sample.words.isEmpty ? 0 : 1))
  }

  @Test
  func `The archive key of a field is not taken for another key`() async throws {
    try directory.write("a.json", #"[{"firstName":"A","lastName":"B","first":"C"}]"#)
    let run = try await ToolRun.shell(
      "ferry convert a.json -o a.pplgrp; ferry convert a.pplgrp --to jsonl; ferry convert a.json -o b.pplgrp --strict"
    )
    #expect(run.status == 1)
    #expect(run.output == "{\"firstName\":\"A\",\"lastName\":\"B\"}\n")
    #expect(
      run.errors == """
        a.json: not exact: keys that mean another field in the output are left out (1)
        a.json: not exact: keys that mean another field in the output are left out \
        (--strict refuses what is not exact) (at [0].first)

        """)
  }
}
