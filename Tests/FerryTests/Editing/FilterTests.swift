import TestSupport
import Testing

@testable import Ferry

/// Filters in paths: `people[age>=30][name!=Ada]`.
@Suite struct `Filters in paths` {
  private static let formats: [Format] =
    [.json, .jsonc, .xmlPropertyList, .binaryPropertyList, .archive, .xmlArchive, .typedstream]
    + (PackageTraits.hasYAML ? [.yaml] : [])

  private static let people =
    #"{"people":[{"name":"Ada","age":36,"address":{"city":"London"},"tags":["math","poet"],"id!":7,"a.b":1},"#
    + #"{"name":"Grace","age":85.5,"address":{"city":"Arlington"},"tags":["navy"]},{"name":"Linus","age":17},"#
    + #"{"name":"émile","age":"forty","status":"done"}],"scores":[3,30,7.5,"x",[1]]}"#

  private static let selections: [(path: String, expected: String?)] = [
    ("people[age>=36].name", "Ada Grace"), ("people[age>36].name", "Grace"),
    ("people[age<=36].name", "Ada Linus"),
    ("people[age<36.0].name", "Linus"), ("people[age=36.0].name", "Ada"),
    ("people[age!=36].name", "Grace Linus émile"), ("people[age>8e1].name", "Grace"),
    ("people[status!=done].name", "Ada Grace Linus"), ("people[status=done].name", "émile"),
    ("people[name>=Grace].name", "Grace Linus émile"), ("people[name<'Grace'].name", "Ada"),
    ("people[age>f].name", "émile"), ("people[address.city=London].name", "Ada"),
    ("people[address.city!=London].name", "Grace Linus émile"), ("people[address.city<B].name", "Grace"),
    ("people[tags[0]=navy].name", "Grace"), ("people[tags[-1]=poet].name", "Ada"),
    ("people[tags.1=poet].name", "Ada"),
    ("people[tags[*]=math].name", "Ada"), ("people[tags[*]!=math].name", "Grace Linus émile"),
    ("people[tags[]=navy].name", "Grace"), ("people[tags[0:1]=math].name", "Ada"),
    ("people[address[*]=London].name", "Ada"), ("people[tags!=math].name", "Ada Grace Linus émile"),
    (#"people["id!"=7].name"#, "Ada"), (#"people["a.b"=1].name"#, "Ada"), (#"people[["a.b"]<2].name"#, "Ada"),
    ("people[age>=18][name!=Ada].name", "Grace"), ("people[age>=18][age<50].name", "Ada"),
    ("people[tags[.=math][.>a]=math].name", "Ada"), ("people[age>=18][0:9].name", nil),
    ("people[name^=Gr].name", "Grace"), ("people[name$=a].name", "Ada"), ("people[name*=n].name", "Linus"),
    ("people[name*='ra'][name$=ce].name", "Grace"), ("people[tags[*]*=at].name", "Ada"),
    ("people[name^=a].name", nil), ("people[name^=Adam].name", nil), ("people[name*=mile].name", "émile"),
    ("people[age^=8].name", "Grace"), ("people[age$='.5'].name", "Grace"), ("people[address^=L].name", nil),
    (#"people["id!"^=7].name"#, "Ada"), ("people[address.city*=in].name", "Grace"),
    ("scores[.>=7]", "30 7.5"), ("scores[.<7]", "3"), ("scores[.=x]", "x"), ("scores[[0]=1]", "[1]"),
    ("scores[.!=x].[.>=1]", "1"),
  ]

  private func lines(_ bytes: [UInt8], _ format: Format, _ path: String) throws -> String? {
    var options = EditableFile.Options()
    options.format = format
    let file = try EditableFile(bytes, options: options)
    let output = MemoryOutput()
    do throws(FerryError) {
      _ = try file.writeText([try ValuePath(parsing: path)], to: output)
    } catch {
      #expect(error.isMissingValue, "\(error)")
      return nil
    }
    let lines = String(decoding: output.bytes, as: UTF8.self).split(separator: "\n")
    return lines.joined(separator: " ")
  }

  @Test(arguments: formats) func `A filter selects the same elements in all formats`(_ format: Format) throws
  {
    let bytes = try Conversion(to: format).convert(Array(Self.people.utf8)).bytes
    for (path, expected) in Self.selections {
      #expect(try lines(bytes, format, path) == expected, "\(path)")
      let printed = try ValuePath(parsing: path).description
      #expect(try lines(bytes, format, printed) == expected, "\(printed)")
    }
  }

  @Test(arguments: [
    ("[x>9007199254740992].n", "a c g"), ("[x>=9007199254740993].n", "a c g"),
    ("[x<9007199254740993].n", "b d e f j"), ("[x>18446744073709551615].n", "c g"), ("[x>1e399].n", "c"),
    ("[x>=10e399].n", "c"), ("[x>1e400].n", nil), ("[x<=0].n", "d"), ("[x>=-0][x<=0.0].n", "d"),
    ("[x<0].n", nil),
    ("[x>0.1][x<1].n", "f"), ("[x>=0.1][x<0.2].n", "e f"), ("[x>0][x<=0.1].n", "e"), ("[x=0.1].n", "e"),
    ("[x!=7].n", "a b c d e f g h i k l"), ("[x<a].n", "j"), ("[x>=null].n", nil), ("[x=null].n", "h"),
    ("[x>=true].n", nil), ("[x=true].n", "i"), ("[x>=1][x!=9007199254740993].n", "b c g j"),
  ])
  func `Numbers are compared exactly, and other kinds have no order`(_ path: String, _ expected: String?)
    throws
  {
    let numbers =
      #"[{"n":"a","x":9007199254740993},{"n":"b","x":9007199254740992.0},{"n":"c","x":1e400},{"n":"d","x":-0.0},"#
      + #"{"n":"e","x":0.1},{"n":"f","x":0.1000000000000000055},{"n":"g","x":18446744073709551616},"#
      + #"{"n":"h","x":null},{"n":"i","x":true},{"n":"j","x":"7"},{"n":"k","x":[1]},{"n":"l"}]"#
    #expect(try lines(Array(numbers.utf8), .json, path) == expected)
  }

  @Test(arguments: [
    ("[x>0].n", "b d"), ("[x>1e400].n", "b"), ("[x<=0].n", "c"), ("[x!=1].n", "a b c"), ("[x=nan].n", "a"),
    ("[x>=nan].n", nil), ("[x<inf].n", "c d"), ("[x<=Infinity].n", "b c d"), ("[x=inf].n", "b"),
    ("[x=-infinity].n", "c"), ("[x>-INF].n", "b d"), ("[x>1e99999999999999999999].n", "b"),
    ("[x<-1e99999999999999999999].n", "c"), ("[x<1e99999999999999999999].n", "c d"),
  ])
  func `An infinity is before or after all numbers, and NaN is neither`(_ path: String, _ expected: String?)
    throws
  {
    let numbers = #"[{n:"a",x:NaN},{n:"b",x:Infinity},{n:"c",x:-Infinity},{n:"d",x:1}]"#
    #expect(try lines(Array(numbers.utf8), .json5, path) == expected)
  }

  @Test func `Dates are compared as moments, and texts of dates as dates`() throws {
    let list =
      "<plist version='1.0'><array><dict><key>n</key><string>a</string><key>d</key><date>2001-01-01T00:00:00Z</date>"
      + "</dict><dict><key>n</key><string>b</string><key>d</key><date>2020-05-01T00:00:00Z</date></dict><dict>"
      + "<key>n</key><string>c</string><key>d</key><string>later</string></dict></array></plist>"
    let selections = [
      ("[d>=2001-01-01].n", "a b"), ("[d<2020-05-01T00:00:00Z].n", "a"),
      ("[d<2020-05-01T00:00:00-02:00].n", "a b"),
      ("[d<=2020-05-01T02:00:00+02:00].n", "a b"), ("[d<2020-05-01T02:00:00+02:00].n", "a"),
      ("[d>2020].n", nil),
      ("[d>k].n", "c"),
    ]
    for format in [Format.xmlPropertyList, .binaryPropertyList, .archive, .json] {
      let bytes = try Conversion(to: format).convert(Array(list.utf8)).bytes
      for (path, expected) in selections {
        #expect(try lines(bytes, format, path) == expected, "\(path) in \(format)")
      }
      // A text is equal by its characters alone.
      let isText = format == .json
      #expect(try lines(bytes, format, "[d=2001-01-01].n") == (isText ? nil : "a"))
      #expect(try lines(bytes, format, "[d!=2001-01-01].n") == (isText ? "a b c" : "b c"))
    }
  }

  @Test func `Numbers with great exponents are compared, and words of infinities also order texts`() throws {
    let list =
      #"[{"n":"a","x":1e99999999999999999999},{"n":"b","x":1e-99999999999999999999},{"n":"c","x":"inf"},"#
      + #"{"n":"d","x":"if"},{"n":"e","x":"20"},{"n":"f","x":"zoo"}]"#
    for (path, expected) in [
      ("[x>1e400].n", "a c"), ("[x>0][x<1e-400].n", "b"), ("[x>=10e99999999999999999998].n", "a c"),
      ("[x=10e99999999999999999998].n", "a"), ("[x<inf].n", "a b d e"), ("[x>inf].n", "f"),
      ("[x>-inf].n", "a b c d e f"),
    ] {
      #expect(try lines(Array(list.utf8), .json, path) == expected, "\(path)")
    }
  }

  @Test func `All digits of texts of dates are compared`() throws {
    let moments = ["00.0000000001Z", "00.000Z", "00Z", "00.1234567890125Z"].enumerated().map { index, end in
      #"{"n":\#(index),"d":"2020-01-01T00:00:\#(end)"}"#
    }
    let list = Array("[\(moments.joined(separator: ","))]".utf8)
    for (path, expected) in [
      ("[d>2020-01-01].n", "0 3"), ("[d<=2020-01-01].n", "1 2"),
      ("[d<2020-01-01T00:00:00.0000000001Z].n", "1 2"),
      ("[d=2020-01-01T00:00:00.0000000001Z].n", "0"), ("[d>=2020-01-01T00:00:00.1234567890125Z].n", "3"),
      ("[d>2020-01-01T00:00:00.1234567890124Z].n", "3"),
    ] {
      #expect(try lines(list, .json, path) == expected, "\(path)")
    }
  }

  @Test(arguments: [
    ("[d<2001-02-30]", "there is no such date or time"),
    ("[d>=2001-01-01T25:00]", "there is no such date or time"),
    ("[a>1e]", "expected digits after the"), ("[a==5]", "a filter is written with one ="),
    ("[a<1e\(String(repeating: "9", count: 37))]", "the exponent has more than 36 digits"),
  ])
  func `An operand that would be compared in another way is refused`(_ path: String, _ words: String) throws {
    do throws(FerryError) {
      _ = try ValuePath(parsing: path)
      Issue.record("\(path)")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
    // In quotation marks it is a text.
    if path.contains("<") {
      _ = try ValuePath(parsing: path.replacing("<", by: "<'").replacing("]", by: "']"))
    }
  }

  @Test func `Texts of XML and CSV are ordered as numbers if they are numbers`() throws {
    let table = Array("n,x\na,9\nb,10\nc,n/a\nd,\ne, 11\n".utf8)
    for (path, expected) in [
      ("[x>=9].n", "a b e"), ("[x<10].n", "a"), ("[x!=9].n", "b c d e"), ("[x>m].n", "c"), ("[x=].n", "d"),
      ("[x!=].n", "a b c e"),
    ] {
      #expect(try lines(table, .csv, path) == expected, "\(path)")
    }
    let document = Array("<l><e n='1'><x>9</x></e><e n='2'><x>10</x></e><e n='10'/></l>".utf8)
    for (path, expected) in [
      ("l.e[x>9].@n", "2"), ("l.e[@n>=2].@n", "2 10"), ("l.e[x!=9].@n", "2 10"), ("l.e[@n>1][@n<10].x", "10"),
    ] {
      #expect(try lines(document, .xml, path) == expected, "\(path)")
    }
  }

  @Test func `A filter compares keys of an object, and the name of its class`() throws {
    let xml =
      "<people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person>"
      + "<person><firstName>Dudley</firstName><lastName>Doright</lastName></person></people>"
    let people = try Conversion(to: .archive).convert(Array(xml.utf8)).bytes
    #expect(try lines(people, .archive, "[$class.$classname=Person][last>N].first") == "Matt")
    #expect(try lines(people, .archive, "[$class.$classname!=Person].first") == nil)
  }

  @Test func `A change is made to all elements that a filter selects`() throws {
    let file = try EditableFile(Array(Self.people.utf8))
    #expect(try file.value(at: "people[age>=18][name!=Ada].name") == "Grace")
    try file.set(text: "40", at: "people[age>f].age")
    try file.remove(at: "people[address.city=London]")
    try file.remove(at: "scores[.!=30]")
    #expect(try file.value(at: "people[age!=85.5].name") == ["Linus", "émile"])
    #expect(try file.value(at: "scores") == [30])
  }

  @Test(arguments: [
    ("people[Age>1]", #"none of the 4 elements matches: no key "Age" here (did you mean "age"?)"#),
    ("people[address.City=x]", #"none of the 4 elements matches: no key "City" here (did you mean "city"?)"#),
    ("people[age>1][Age<9]", #"none of the 4 elements matches: no key "Age" here (did you mean "age"?)"#),
    ("people[a.b=1]", #"none of the 4 elements matches: no key "a" here, but "a.b" (write ["a.b"])"#),
    ("people[age>100]", "no element matches [age>100]"),
    ("people[age>1][name=x]", #"no element matches [age>1][name="x"]"#),
    ("people[name=x]", #"no element has the value "x" for the key "name""#),
    ("people[name>='1.2.3'][age<1]", #"no element matches [name>="1.2.3"][age<1]"#),
    ("people[age>2001-01-01T00:00:00.5Z]", "no element matches [age>2001-01-01T00:00:00.5Z]"),
  ])
  func `A filter that selects nothing is an error that says why`(_ path: String, _ message: String) throws {
    let file = try EditableFile(Array(Self.people.utf8))
    do throws(FerryError) {
      let value = try file.value(at: ValuePath(parsing: path))
      Issue.record("found \(value)")
    } catch {
      guard case .path(let problem) = error.reason else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.description == message)
      #expect(error.isMissingValue)
    }
  }

  @Test func `Paths of steps that no text has are read again as they are printed`() throws {
    let values = ["", "x", "=x", " ", "]", "\"", "<", "!", "\n"]
    let keys = [
      "", ".", "a.b", "a ", "?", "*a", "a=", ">a", "a!", "!a", "a!=b", "-1", "1:2", "'a'", "]", "$.a", "a|b",
    ]
    let comparisons: [ValuePath.Comparison] = [
      .greaterOrEqual, .equal, .notEqual, .less, .lessOrEqual, .greater,
    ]
    for key in keys {
      for (index, value) in values.enumerated() {
        let comparison = comparisons[index % comparisons.count]
        for steps in [[.key(key)], [.key("k"), .key(key)], [.index(-1), .key(key)], [.end, .key(key)]]
          as [[ValuePath.Step]]
        {
          let condition = ValuePath.Condition(ValuePath(steps), comparison, value)
          let one = ValuePath.Step.filter(ValuePath.Filter(condition))
          let two = ValuePath.Step.filter(ValuePath.Filter(condition, [condition]))
          let path = ValuePath([.key("l"), two, one, .key(key), one])
          #expect(try ValuePath(parsing: path.description) == path, "\(path)")
        }
      }
    }
  }
}
