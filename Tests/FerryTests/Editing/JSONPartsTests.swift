import TestSupport
import Testing

@testable import Ferry

/// Collections and objects of archives that are replaced by edited JSON: what the JSON does not change stays the same
/// object, of the same class.
@Suite struct `JSON in place of collections of archives` {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The archive's root before and after the change, in the typed form.
    var old, new: String
    var path: String
    var json: String
    var testDescription: String { name }
  }

  private static func person(_ name: String, _ when: Int, id: Int? = nil) -> String {
    let identity = id.map { #""$id":\#($0),"# } ?? ""
    return ##"{"$class":"Person",\##(identity)"name":"\##(name)","when":\##(date(when))}"##
  }
  private static func dog(_ name: String, _ when: Int) -> String {
    ##"{"$class":"Dog","name":"\##(name)","when":\##(date(when))}"##
  }
  private static func date(_ seconds: Int) -> String {
    ##"{"$date":"2001-01-01T00:00:0\##(seconds)Z"}"##
  }
  private static func shown(_ name: String, _ when: Int) -> String {
    #"{"name":"\#(name)","when":"2001-01-01T00:00:0\#(when)Z"}"#
  }
  private static func list(_ items: String...) -> String {
    ##"{"$class":"NSMutableArray","$items":[\##(items.joined(separator: ","))]}"##
  }
  private static let null = ##"{"$class":"NSNull"}"##
  private static func member(_ name: String, _ of: String = ##"{"$ref":1}"##) -> String {
    ##"{"$class":"Member","n":"\##(name)","of":\##(of)}"##
  }
  /// A member as `get` prints it, whose person is printed in the first one.
  private static func shownMember(_ name: String, _ of: String = ##"{"$ref":"#/0/of"}"##) -> String {
    ##"{"n":"\##(name)","of":\##(of)}"##
  }
  private static func animal(_ type: String, _ name: String, _ age: Int, _ when: Int) -> String {
    ##"{"$class":"\##(type)","name":"\##(name)","age":\##(age),"tag":"\##(name)!","when":\##(date(when))}"##
  }
  private static func shownAnimal(_ name: String, _ age: Int, _ when: Int) -> String {
    #"{"name":"\#(name)","age":\#(age),"tag":"\#(name)!","when":"2001-01-01T00:00:0\#(when)Z"}"#
  }
  private static func boxed(_ person: String, _ id: Int? = nil) -> String {
    let identity = id.map { #""$id":\#($0),"# } ?? ""
    return ##"{"$class":"Box",\##(identity)"of":\##(person)}"##
  }
  private static func listOfTexts(_ id: Int?, _ first: String, _ second: String) -> String {
    let identity = id.map { #""$id":\#($0),"# } ?? ""
    return ##"{"$class":"NSMutableArray",\##(identity)"$items":["\##(first)","\##(second)"]}"##
  }
  private static let ada = person("Ada", 1, id: 1)
  private static let group = ##"{"$class":"Group","$id":1,"t":["a","b","c"],"n":"long enough"}"##
  private static let groupCopy = ##"{"$class":"Group","t":["a","b","c"],"n":"long enough"}"##
  private static let ref = ##"{"$ref":1}"##
  private static let shownBox = ##"{"of":{"$ref":"#/a/0/of"}}"##
  private static let shownGroup = #"{"t":["a","b","c"],"n":"long enough"}"#
  private static let three = list(person("Ada", 1), dog("Rex", 2), person("Cy", 3))

  static let cases = [
    Case(
      name: "an element is removed, and the next one changed", old: three,
      new: list(person("Ada", 1), person("Cyrus", 3)), path: "l",
      json: "[\(shown("Ada", 1)),\(shown("Cyrus", 3))]"),
    Case(
      name: "the first element is removed, and the last one changed", old: three,
      new: list(dog("Rex", 2), person("Cyrus", 3)), path: "l",
      json: "[\(shown("Rex", 2)),\(shown("Cyrus", 3))]"),
    Case(
      name: "the first element is removed, and the second one changed", old: three,
      new: list(dog("Rexi", 2), person("Cy", 3)), path: "l", json: "[\(shown("Rexi", 2)),\(shown("Cy", 3))]"),
    Case(
      name: "two elements are added, and others changed", old: three,
      new: list(#""x""#, person("Ada", 1), dog("Rexi", 2), person("Cyr", 3), #""y""#, #""z""#), path: "l",
      json: #"["x",\#(shown("Ada", 1)),\#(shown("Rexi", 2)),\#(shown("Cyr", 3)),"y","z"]"#),
    Case(
      name: "elements change their order, and one of them changes", old: three,
      new: list(person("Cy", 3), dog("Rexi", 2), person("Ada", 1)), path: "l",
      json: "[\(shown("Cy", 3)),\(shown("Rexi", 2)),\(shown("Ada", 1))]"),
    Case(
      name: "every element changes in place", old: three,
      new: list(person("A", 4), dog("R", 5), person("C", 6)), path: "l",
      json: "[\(shown("A", 4)),\(shown("R", 5)),\(shown("C", 6))]"),
    Case(
      name: "a text is added before a date that changes",
      old: ##"[\##(date(1)),"s",{"$data":"YWJj"}]"##,
      new: ##"["n",\##(date(5)),"s",{"$data":"YWJj"}]"##, path: "l",
      json: #"["n","2001-01-01T00:00:05Z","s","YWJj"]"#),
    Case(
      name: "an object with several references names its class",
      old: ##"{"a":{"$class":"Box","$id":1,"n":"x"},"b":{"$ref":1}}"##,
      new: ##"{"a":{"$class":"Box","$id":1,"n":"new"},"b":{"$ref":1}}"##, path: "a",
      json: #"{"$class":"Box","n":"new"}"#),
    Case(
      name: "an object inside is shared with another place",
      old: ##"{"a":{"$class":"Box","p":\##(person("Ada", 1, id: 1)),"n":"x"},"b":{"$ref":1}}"##,
      new: ##"{"a":{"$class":"Box","p":\##(person("Ada", 1, id: 1)),"n":"new"},"b":{"$ref":1}}"##, path: "a",
      json: #"{"p":\#(shown("Ada", 1)),"n":"new"}"#),
    Case(
      name: "an object inside is shared, and changes in both places",
      old: ##"{"a":{"$class":"Box","p":\##(person("Ada", 1, id: 1)),"n":"x"},"b":{"$ref":1}}"##,
      new: ##"{"a":{"$class":"Box","p":\##(person("Eve", 1, id: 1)),"n":"x"},"b":{"$ref":1}}"##, path: "a",
      json: #"{"p":\#(shown("Eve", 1)),"n":"x"}"#),
    Case(
      name: "an element is shared with another place",
      old: ##"{"l":[\##(person("Ada", 1, id: 1)),"x"],"b":{"$ref":1}}"##,
      new: ##"{"l":["w",\##(person("Ada", 1, id: 1)),"x","y"],"b":{"$ref":1}}"##, path: "l",
      json: #"["w",\#(shown("Ada", 1)),"x","y"]"#),
    Case(
      name: "two elements change places, and one of them is shared with another place",
      old: ##"{"l":\##(list(person("Ada", 1, id: 1), dog("Rex", 2), null)),"b":{"$ref":1}}"##,
      new: ##"{"l":\##(list(dog("Rex", 2), person("Ada", 1, id: 1), null)),"b":{"$ref":1}}"##, path: "l",
      json: "[\(shown("Rex", 2)),\(shown("Ada", 1)),null]"),
    Case(
      name: "the last element becomes the first, beside others that change, go and come",
      old: ##"{"l":\##(list(dog("Rex", 2), #""x""#, null, person("Ada", 1, id: 1))),"b":{"$ref":1}}"##,
      new: ##"{"l":\##(list(person("Ada", 1, id: 1), dog("Rexi", 2), #""y""#, null)),"b":{"$ref":1}}"##,
      path: "l", json: #"[\#(shown("Ada", 1)),\#(shown("Rexi", 2)),"y",null]"#),
    Case(
      name: "elements that share an object change places",
      old: ##"{"l":[\##(member("a", ada)),\##(member("b")),\##(member("c"))],"t":{"$ref":1}}"##,
      new: ##"{"l":[\##(member("a", ada)),\##(member("c")),\##(member("b"))],"t":{"$ref":1}}"##,
      path: "l", json: "[\(shownMember("a", shown("Ada", 1))),\(shownMember("c")),\(shownMember("b"))]"),
    Case(
      name: "an element that refers to a part of the first one becomes the first",
      old: ##"{"l":[\##(member("a", ada)),\##(member("b")),\##(member("c"))],"t":{"$ref":1}}"##,
      new: ##"{"l":[\##(member("c", ada)),\##(member("a")),\##(member("b"))],"t":{"$ref":1}}"##,
      path: "l", json: "[\(shownMember("c")),\(shownMember("a", shown("Ada", 1))),\(shownMember("b"))]"),
    Case(
      name: "an object changes in one of two places",
      old: ##"{"l":{"a":\##(boxed(ada, 7)),"b":{"$ref":7},"c":"x"},"t":{"$ref":1}}"##,
      new: ##"{"l":{"a":\##(boxed(ada, 7)),"b":\##(boxed(person("Eve", 1))),"c":"x"},"t":{"$ref":1}}"##,
      path: "l",
      json: #"{"a":{"of":\#(shown("Ada", 1))},"b":{"of":\#(shown("Eve", 1))},"c":"x"}"#),
    Case(
      name: "an object of scalars changes in one of three places",
      old: ##"{"l":[\##(ada),"x",{"$ref":1}],"t":{"$ref":1}}"##,
      new: ##"{"l":[\##(ada),"x",\##(person("Eve", 1))],"t":{"$ref":1}}"##, path: "l",
      json: #"[\#(shown("Ada", 1)),"x",\#(shown("Eve", 1))]"#),
    Case(
      name: "an object changes in two places, in different ways",
      old: ##"{"l":[\##(ada),"x",{"$ref":1}],"t":{"$ref":1}}"##,
      new: ##"{"l":[\##(person("Joe", 1, id: 1)),"x",\##(person("Eve", 1))],"t":{"$ref":1}}"##, path: "l",
      json: #"[\#(shown("Joe", 1)),"x",\#(shown("Eve", 1))]"#),
    Case(
      name: "an object is written in full in both places",
      old: ##"{"l":[\##(boxed(ada, 7)),"x",{"$ref":7}],"t":{"$ref":1}}"##,
      new: ##"{"l":[\##(boxed(ada, 7)),"x",{"$ref":7}],"t":{"$ref":1}}"##, path: "l",
      json: #"[{"of":\#(shown("Ada", 1))},"x",{"of":\#(shown("Ada", 1))}]"#),
    Case(
      name: "a mutable array changes in one of two places",
      old: ##"{"l":[\##(listOfTexts(7, "x", "y")),"s",{"$ref":7}]}"##,
      new: ##"{"l":[\##(listOfTexts(nil, "x", "y")),"s",\##(listOfTexts(nil, "x", "z"))]}"##, path: "l",
      json: #"[["x","y"],"s",["x","z"]]"#),
    Case(
      name: "elements of an inner list change places",
      old: ##"{"l":[\##(list(person("Ada", 1, id: 1), dog("Rex", 2))),"x"],"b":{"$ref":1}}"##,
      new: ##"{"l":["x",\##(list(dog("Rex", 2), person("Ada", 1, id: 1)))],"b":{"$ref":1}}"##, path: "l",
      json: #"["x",[\#(shown("Rex", 2)),\#(shown("Ada", 1))]]"#),
    Case(
      name: "an inner list changes its place and its elements, beside a new text",
      old: ##"{"l":[[\##(person("Ada", 1)),[]],\##(dog("Rex", 2)),"s"]}"##,
      new: ##"{"l":[\##(dog("Rex", 2)),"s","t",[[],\##(person("Ada", 1)),"u"]]}"##, path: "l",
      json: #"[\#(shown("Rex", 2)),"s","t",[[],\#(shown("Ada", 1)),"u"]]"#),
    Case(
      name: "one of two equal lists of different classes changes",
      old: ##"{"l":[\##(list(#""a""#)),["a"]],"b":"x"}"##,
      new: ##"{"l":[\##(list(#""b""#)),["a"]],"b":"x"}"##,
      path: "l", json: #"[["b"],["a"]]"#),
    Case(
      name: "the first element is removed, and the others change in most fields",
      old:
        ##"{"l":[\##(animal("Dog", "Rex", 2, 1)),\##(animal("Cat", "Tom", 3, 2)),\##(animal("Dog", "Max", 4, 3))]}"##,
      new: ##"{"l":[\##(animal("Cat", "Tim", 5, 2)),\##(animal("Dog", "Mix", 6, 3))]}"##, path: "l",
      json: "[\(shownAnimal("Tim", 5, 2)),\(shownAnimal("Mix", 6, 3))]"),
    Case(
      name: "a record moves from one list to another",
      old: ##"{"l":{"a":[\##(person("Ada", 1)),\##(dog("Rex", 2))],"b":["x"]}}"##,
      new: ##"{"l":{"a":[\##(person("Ada", 1))],"b":["x",\##(dog("Rex", 2))]}}"##, path: "l",
      json: #"{"a":[\#(shown("Ada", 1))],"b":["x",\#(shown("Rex", 2))]}"#),
    Case(
      name: "a record moves, with its keys in another order and other digits",
      old: ##"{"l":{"a":[{"$class":"Dog","w":1.5,"n":"Rex"}],"b":["x"]}}"##,
      new: ##"{"l":{"a":[],"b":["x",{"$class":"Dog","w":1.5,"n":"Rex"}]}}"##, path: "l",
      json: #"{"a":[],"b":["x",{"n":"Rex","w":1.50}]}"#),
    Case(
      name: "a shared record moves to another list",
      old: ##"{"l":{"a":[\##(ada)],"b":["x"]},"f":{"$ref":1}}"##,
      new: ##"{"l":{"a":[],"b":["x",\##(ada)]},"f":{"$ref":1}}"##, path: "l",
      json: #"{"a":[],"b":["x",\#(shown("Ada", 1))]}"#),
    Case(
      name: "a shared record moves, and the lists change places",
      old: ##"{"l":[["y",\##(ada)],["x"]],"f":{"$ref":1}}"##,
      new: ##"{"l":[["x",\##(ada)],["y"]],"f":{"$ref":1}}"##, path: "l",
      json: #"[["x",\#(shown("Ada", 1))],["y"]]"#),
    Case(
      name: "a shared object changes and gets another index, and a reference to it stays",
      old: ##"{"l":["x","y",\##(ada),{"of":{"$ref":1}}]}"##,
      new: ##"{"l":["y",\##(person("Eve", 1, id: 1)),{"of":{"$ref":1}}]}"##, path: "l",
      json: ##"["y",\##(shown("Eve", 1)),{"of":{"$ref":"#/2"}}]"##),
    Case(
      name: "a dictionary comes to the place of a record to which it refers",
      old: ##"{"l":[\##(group)],"m":[{"$ref":1}]}"##, new: ##"{"l":[{"who":\##(group)}],"m":[{"$ref":1}]}"##,
      path: "l", json: ##"[{"who":{"$ref":"#/0"}}]"##),
    Case(
      name: "a record with a shared object moves, and is copied",
      old: ##"{"l":{"a":[\##(boxed(group)),\##(boxed(ref))],"b":["x"]}}"##,
      new: ##"{"l":{"a":[\##(boxed(group))],"b":["x",\##(boxed(ref)),\##(boxed(ref))]}}"##, path: "l",
      json: #"{"a":[{"of":\#(shownGroup)}],"b":["x",\#(shownBox),\#(shownBox)]}"#),
    Case(
      name: "records of two classes change places",
      old: ##"{"l":{"a":[\##(person("Ada", 1))],"b":[\##(dog("Rex", 2))]}}"##,
      new: ##"{"l":{"a":[\##(dog("Rex", 2))],"b":[\##(person("Ada", 1))]}}"##, path: "l",
      json: #"{"a":[\#(shown("Rex", 2))],"b":[\#(shown("Ada", 1))]}"#),
    Case(
      name: "a record takes the place of another one",
      old: ##"{"l":{"a":[\##(person("Ada", 1))],"b":[\##(dog("Rex", 2))]}}"##,
      new: ##"{"l":{"a":[\##(dog("Rex", 2))],"b":[]}}"##, path: "l",
      json: #"{"a":[\#(shown("Rex", 2))],"b":[]}"#),
    Case(
      name: "records change places in longer lists",
      old:
        ##"{"l":{"a":[\##(person("Ada", 1)),\##(person("Cy", 4))],"b":[\##(dog("Rex", 2)),\##(dog("Max", 3))]}}"##,
      new:
        ##"{"l":{"a":[\##(person("Ada", 1)),\##(dog("Rex", 2))],"b":[\##(dog("Max", 3)),\##(person("Cy", 4))]}}"##,
      path: "l",
      json:
        #"{"a":[\#(shown("Ada", 1)),\#(shown("Rex", 2))],"b":[\#(shown("Max", 3)),\#(shown("Cy", 4))]}"#),
    Case(
      name: "records change places under keys",
      old: ##"{"a":{"p":\##(person("Ada", 1)),"d":\##(dog("Rex", 2))}}"##,
      new: ##"{"a":{"p":\##(dog("Rex", 2)),"d":\##(person("Ada", 1))}}"##, path: "a",
      json: #"{"p":\#(shown("Rex", 2)),"d":\#(shown("Ada", 1))}"#),
    Case(
      name: "a shared record changes places with another one",
      old:
        ##"{"l":{"a":[\##(group)],"b":[{"$class":"Group","t":["z"],"n":"another text"}]},"f":{"$ref":1}}"##,
      new:
        ##"{"l":{"a":[{"$class":"Group","t":["z"],"n":"another text"}],"b":[\##(group)]},"f":{"$ref":1}}"##,
      path: "l", json: #"{"a":[{"t":["z"],"n":"another text"}],"b":[\#(shownGroup)]}"#),
    Case(
      name: "a record moves, its old place gets a new one",
      old: ##"{"l":{"a":{"p":\##(ada)}},"f":{"$ref":1}}"##,
      new: ##"{"l":{"a":{"p":\##(person("Bo", 5))},"b":\##(ada)},"f":{"$ref":1}}"##, path: "l",
      json: #"{"a":{"p":\#(shown("Bo", 5))},"b":\#(shown("Ada", 1))}"#),
    Case(
      name: "a record moves with a shared part, of which there is a copy",
      old: ##"{"l":{"a":[\##(boxed(group, 2))],"b":[\##(ref)],"c":[],"k":[{"$ref":2}]}}"##,
      new:
        ##"{"l":{"a":[],"b":[\##(ref),\##(groupCopy)],"c":[\##(boxed(group, 2))],"k":[{"$ref":2}]}}"##,
      path: "l",
      json:
        ##"{"a":[],"b":[{"$ref":"#/a/0/of"},\##(shownGroup)],"c":[{"of":\##(shownGroup)}],"k":[{"$ref":"#/a/0"}]}"##
    ),
    Case(
      name: "references move, and one is added",
      old: ##"{"l":{"f":\##(group),"a":["x",\##(ref)],"b":[\##(person("Ada", 1))]}}"##,
      new: ##"{"l":{"f":\##(group),"a":["x"],"b":[\##(ref),\##(ref)]}}"##, path: "l",
      json: ##"{"f":\##(shownGroup),"a":["x"],"b":[{"$ref":"#/f"},{"$ref":"#/f"}]}"##),
    Case(
      name: "the first place of a shared object goes, beside a cycle",
      old: ##"{"l":{"f":{"$class":"Boss","$id":2,"self":{"$ref":2},"kid":\##(group)},"in":\##(ref)}}"##,
      new: ##"{"l":{"f":{"$class":"Boss","$id":2,"self":{"$ref":2},"kid":null},"in":\##(groupCopy)}}"##,
      path: "l",
      json: ##"{"f":{"self":{"$ref":"#/f"},"kid":null},"in":{"$ref":"#/f/kid"}}"##),
    Case(
      name: "a tree gets another key, with its keys in another order",
      old:
        ##"{"l":{"t":{"$class":"Node","$id":1,"name":"the root","memo":"m","kids":[{"$class":"Node","name":"one","parent":\##(ref)}]},"f":\##(ref)}}"##,
      new:
        ##"{"l":{"f":{"$class":"Node","$id":1,"name":"the root","memo":"m","kids":[{"$class":"Node","name":"one","parent":\##(ref)}]},"u":\##(ref)}}"##,
      path: "l",
      json:
        ##"{"u":{"memo":"m","name":"the root","kids":[{"parent":{"$ref":"#/t"},"name":"one"}]},"f":{"$ref":"#/t"}}"##
    ),
    Case(
      name: "dates, data and empty collections get other keys and move",
      old:
        ##"{"l":{"n":{"$class":"NSMutableArray","$items":[]},"d":\##(date(3)),"b":{"$data":"AQI="},"a":[\##(date(4))],"z":["x"]}}"##,
      new:
        ##"{"l":{"n2":{"$class":"NSMutableArray","$items":[]},"d2":\##(date(3)),"b2":{"$data":"AQI="},"a":[],"z":["x",\##(date(4))]}}"##,
      path: "l",
      json:
        #"{"n2":[],"d2":"2001-01-01T00:00:03Z","b2":"AQI=","a":[],"z":["x","2001-01-01T00:00:04Z"]}"#),
    Case(
      name: "a list gets another key",
      old: ##"{"l":{"a":\##(list(#""a""#, #""b""#))}}"##, new: ##"{"l":{"z":\##(list(#""a""#, #""b""#))}}"##,
      path: "l", json: #"{"z":["a","b"]}"#),
    Case(
      name: "a date comes between shared records",
      old: ##"{"l":[\##(ada),\##(person("Cy", 2, id: 2))],"f":[{"$ref":1},{"$ref":2}]}"##,
      new: ##"{"l":[\##(ada),\##(date(3)),\##(person("Cy", 2, id: 2))],"f":[{"$ref":1},{"$ref":2}]}"##,
      path: "l", json: #"[\#(shown("Ada", 1)),\#(date(3)),\#(shown("Cy", 2))]"#),
    Case(
      name: "a date replaces a record", old: ##"{"a":\##(person("Ada", 1))}"##, new: ##"{"a":\##(date(3))}"##,
      path: "a", json: date(3)),
    Case(
      name: "data replaces a shared record in a list", old: ##"{"l":[\##(ada),"x"],"f":{"$ref":1}}"##,
      new: ##"{"l":[{"$data":"AQI="},"x"],"f":\##(ada)}"##, path: "l", json: #"[{"$data":"AQI="},"x"]"#),
    Case(
      name: "a set replaces a dictionary of a class",
      old: ##"{"a":{"$class":"NSMutableDictionary","$entries":{"k":1}}}"##,
      new: ##"{"a":{"$class":"NSSet","$items":["a"]}}"##, path: "a", json: #"{"$set":["a"]}"#),
    Case(
      name: "a record is copied, also into a new dictionary in a new list",
      old: ##"{"l":[\##(person("Ada", 1)),"x"]}"##,
      new: ##"{"l":[\##(person("Ada", 1)),"x",\##(person("Ada", 1)),[{"k":\##(person("Ada", 1))}]]}"##,
      path: "l",
      json: #"[\#(shown("Ada", 1)),"x",\#(shown("Ada", 1)),[{"k":\#(shown("Ada", 1))}]]"#),
    Case(
      name: "a record that may be one of two classes is copied",
      old: ##"{"l":[{"$class":"A","n":1},{"$class":"B","n":1},"x"]}"##,
      new: ##"{"l":[{"$class":"A","n":1},{"$class":"B","n":1},"x",{"n":1}]}"##, path: "l",
      json: #"[{"n":1},{"n":1},"x",{"n":1}]"#),
    Case(
      name: "one of two equal elements goes",
      old: ##"{"l":[\##(person("Ada", 1)),"x",\##(person("Ada", 1, id: 1))],"b":{"$ref":1}}"##,
      new: ##"{"l":["x",\##(person("Ada", 1, id: 1))],"b":{"$ref":1}}"##, path: "l",
      json: #"["x",\#(shown("Ada", 1))]"#),
    Case(
      name: "keys are added and removed beside a shared object",
      old: ##"{"a":{"p":\##(person("Ada", 1, id: 1)),"n":"x"},"b":{"$ref":1}}"##,
      new: ##"{"a":{"p":\##(person("Ada", 1, id: 1)),"m":[1,2]},"b":{"$ref":1}}"##, path: "a",
      json: #"{"p":\#(shown("Ada", 1)),"m":[1,2]}"#),
    Case(
      name: "an unchanged NSNull of an object of a class",
      old: ##"{"a":{"$class":"Box","n":"x","z":{"$class":"NSNull"}}}"##,
      new: ##"{"a":{"$class":"Box","n":"new","z":{"$class":"NSNull"}}}"##, path: "a",
      json: #"{"n":"new","z":null}"#),
  ]

  private static func archive(_ root: String, _ path: String) throws -> [UInt8] {
    try ArchiveMerge.archive(root.hasPrefix("{\"l\":") || path != "l" ? root : #"{"l":\#(root)}"#)
  }

  @Test(arguments: cases) func `The rest stays as it is`(_ test: Case) throws {
    let archive = try Self.archive(test.old, test.path)
    let expected = try Archived.value(Self.archive(test.new, test.path))
    for isFile in [false, true] {
      let file = try EditableFile(archive)
      let path = try ValuePath(parsing: test.path)
      if isFile {
        try file.set(contents: Array((test.json + "\n").utf8), as: .json, at: path)
      } else {
        try file.set(text: test.json, as: .json, at: path)
      }
      let edited = try file.bytes()
      let found = try Archived.value(edited)
      #expect(SharedComparison.areSame(found, expected), "\(found) is not \(expected)")
      var typed = Conversion(to: .json)
      typed.writing.representation = .typed
      let text = String(decoding: try typed.convert(edited).bytes, as: UTF8.self)
      #expect(text.contains("NSNull") == test.new.contains("NSNull"))
    }
  }

  @Test(arguments: cases) func `An archive inside data changes as one in a file of its own`(_ test: Case)
    throws
  {
    let archive = try Self.archive(test.old, test.path)
    let edited = try Edited.set(archive, test.path, test.json, as: .json)
    var outer = archive
    for _ in 1...2 { outer = try Archived.bytes(["blob": .data(outer)]) }
    let file = try EditableFile(outer)
    let data = ValuePath([.key("blob"), .key("blob")])
    let path = try data.appending(ValuePath(parsing: test.path).steps[...])
    try file.set(text: test.json, as: .json, at: path)
    #expect(try file.contents(at: data) == edited)
  }

  @Test(arguments: [[2, 0, 1], [1, 0, 2], [2, 1, 0]])
  func `Elements that change places stay the same objects`(_ order: [Int]) throws {
    let archive = try Self.archive(Self.three, "l")
    let json = [Self.shown("Ada", 1), Self.shown("Rex", 2), Self.shown("Cy", 3)]
    let edited = try Edited.set(
      archive, "l", "[\(order.map { json[$0] }.joined(separator: ","))]", as: .json)
    let (before, after) = (try Self.objects(archive), try Self.objects(edited))
    #expect(after.count == before.count)
    let changed = zip(before, after).filter { $0 != $1 }
    #expect(changed.count == 1)
    guard case .dictionary(let old)? = changed.first?.0, case .dictionary(let new)? = changed.first?.1,
      case .array(let references)? = old["NS.objects"]
    else { throw FerryError(.archive(.malformed("not the list"))) }
    #expect(new["NS.objects"] == .array(order.map { references[$0] }))
  }

  private static func objects(_ archive: [UInt8]) throws -> [Value] {
    var raw = Conversion(to: .json)
    raw.writing.representation = .raw
    guard case .dictionary(let root) = try Value(json: raw.convert(archive).bytes, budget: Budget()),
      case .array(let objects)? = root["$objects"]
    else { throw FerryError(.archive(.malformed("not an archive"))) }
    return objects
  }

  @Test func `A copy of shared objects is reported`() throws {
    let person = Self.person("Ada", 1, id: 1)
    let records = (0..<300).map { ##"{"$class":"Box","n":\##($0)}"## }.joined(separator: ",")
    let archive = try Self.archive(
      ##"{"l":[{"$class":"Box","of":\##(person)},\##(records)],"b":{"$ref":1}}"##, "l")
    let ends = [(1000, [Loss(.sharedInFull, path: ValuePath([.key("l")]))]), (0, [])]
    for (change, expected) in ends {
      let json = (0..<300).map { #"{"n":\#($0 + change)}"# }.joined(separator: ",")
      let file = try EditableFile(archive)
      try file.set(
        text: #"[{"of":\#(Self.shown("Ada", 1))},\#(json)]"#, as: .json, at: ValuePath(parsing: "l"))
      let losses = LossReport()
      _ = try file.bytes(losses: losses)
      #expect(losses.losses == expected)
    }
  }

  @Test(arguments: [false, true])
  func `Shared objects inside a value are reported if it has copies of them`(_ isInData: Bool) throws {
    let person = Self.person("Ada", 1, id: 1)
    let records = (0..<300).map { ##"{"$class":"Box","n":\##($0)}"## }.joined(separator: ",")
    var bytes = try Self.archive(
      ##"[{"$class":"Box","of":\##(person)},{"$class":"Box","of":{"$ref":1}},\##(records)]"##, "l")
    if isInData { bytes = try Archived.bytes(["blob": .data(bytes)]) }
    let path = try ValuePath(parsing: isInData ? "blob.l" : "l")
    let json = (0..<300).map { #"{"n":\#($0 + 1000)}"# }.joined(separator: ",")
    let second = [(Self.shown("Ada", 1), [Loss(.sharedInFull, path: path)]), (##"{"$ref":"#/0/of"}"##, [])]
    for (second, expected) in second {
      let file = try EditableFile(bytes)
      try file.set(
        text: #"[{"of":\#(Self.shown("Ada", 1))},{"of":\#(second)},\#(json)]"#, as: .json, at: path)
      let losses = LossReport()
      _ = try file.bytes(losses: losses)
      #expect(losses.losses == expected)
    }
  }

  /// The JSON list of 300 texts.
  private static func listed(_ text: (Int) -> String) -> String {
    "[\((0..<300).map(text).joined(separator: ","))]"
  }
  private static func crate(_ index: Int) -> String {
    ##"{"$class":"Crate","$id":\##(index + 1),"of":{"$class":"Lid","n":\##(index)}}"##
  }
  private static func crateReference(_ index: Int) -> String { ##"{"$ref":\##(index + 1)}"## }
  private static func shownCrate(_ index: Int) -> String { #"{"of":{"n":\#(index)}}"# }
  private static func cratePointer(_ index: Int) -> String { ##"{"$ref":"#/a/\##(index)"}"## }

  @Test(arguments: [
    (
      name: "records move",
      json: #"{"a":[],"b":\#(listed(shownCrate)),"f":\#(listed(cratePointer))}"#,
      expected: #"{"a":[],"b":\#(listed(crate)),"f":\#(listed(crateReference))}"#
    ),
    (
      name: "records get a dictionary around them",
      json: #"{"a":\#(listed { #"{"who":\#(shownCrate($0))}"# }),"b":[],"f":\#(listed(cratePointer))}"#,
      expected: #"{"a":\#(listed { #"{"who":\#(crate($0))}"# }),"b":[],"f":\#(listed(crateReference))}"#
    ),
    (
      name: "references get a dictionary around them",
      json: #"{"a":\#(listed(shownCrate)),"b":[],"f":\#(listed { #"{"who":\#(cratePointer($0))}"# })}"#,
      expected: #"{"a":\#(listed(crate)),"b":[],"f":\#(listed { #"{"who":\#(crateReference($0))}"# })}"#
    ),
    (
      name: "references are added, and the first records go",
      json: #"{"a":[],"b":\#(listed(cratePointer)),"f":\#(listed(cratePointer))}"#,
      expected: #"{"a":[],"b":\#(listed(crate)),"f":\#(listed(crateReference))}"#
    ),
  ])
  func `Many shared records stay the same objects`(_ edit: (name: String, json: String, expected: String))
    throws
  {
    let file = try EditableFile(
      ArchiveMerge.archive(
        #"{"l":{"a":\#(Self.listed(Self.crate)),"b":[],"f":\#(Self.listed(Self.crateReference))}}"#))
    try file.set(text: edit.json, as: .json, at: ValuePath(parsing: "l"))
    let found = try Archived.value(file.bytes())
    let expected = try Archived.value(ArchiveMerge.archive(#"{"l":\#(edit.expected)}"#))
    let areSame = SharedComparison.areSame(found, expected)
    #expect(areSame, "\(edit.name)")
  }

  @Test func `Many changed parts are changed at once`() throws {
    func root(_ text: String) -> String {
      let records = (0..<300).map { ##"{"$class":"Box","n":\##($0),"t":"\##(text)"}"## }
      return "[\(records.joined(separator: ","))]"
    }
    let json = "[\((0..<300).map { #"{"n":\#($0),"t":"new"}"# }.joined(separator: ","))]"
    let edited = try Edited.set(Self.archive(root("old"), "l"), "l", json, as: .json)
    let (found, expected) = (
      try Archived.value(edited), try Archived.value(Self.archive(root("new"), "l"))
    )
    #expect(SharedComparison.areSame(found, expected))
  }
}
