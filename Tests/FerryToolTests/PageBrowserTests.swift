import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Pages in a browser` {
  /// Makes the page of a file of the test's directory.
  private func makePage(of name: String) async throws {
    expectQuiet(try await ToolRun.ferry("show", "--html", name, "-o", "page.html"))
  }

  @Test func `A page opens from the disk, unfolds with the keyboard and finds text`() async throws {
    try directory.write(
      "a.json", #"{"people": [{"first": "Ada", "tags": [["deep", {"deeper": "x"}]]}, {"first": "Alan"}]}"#)
    try await makePage(of: "a.json")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      press(Keys.HOME, Keys.ARROW_DOWN)
      print(text(".row[aria-selected=true]"), one(".row[aria-selected=true]").get_attribute("aria-expanded"))
      press(Keys.ARROW_LEFT)
      print(len(rows()), one(".row[aria-selected=true]").get_attribute("aria-expanded"))
      press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
      print(text("#path"))
      press("/")
      press("DEEPER", Keys.ENTER)
      print(text("#path"), "|", text("#found"), "|", text(".row[aria-selected=true] mark"))
      press(Keys.ESCAPE)
      press(Keys.ARROW_LEFT)
      print(text("#path"))
      click("#view-file")
      print("json" in text("#file"), one("#values").is_displayed())
      print(complaints())
      """#)
    #expect(
      printed == """
        people: 2 elements true
        2 false
        people[0].first
        people[0].tags[0][1].deeper | 1 of 1 | deeper
        people[0].tags[0][1]
        True False
        []

        """)
  }

  @Test func `A reference is followed, and the browser's Back returns`() async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    try await makePage(of: "ring.archive")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      print(text("#details h2"))
      press("/")
      press("Node", Keys.ENTER)
      press(Keys.SHIFT, Keys.ENTER)
      print("Node" in text("#details h2"))
      press(Keys.ESCAPE)
      press(Keys.END)
      print("→" in text(".row[aria-selected=true]"))
      before = text("#path")
      press(Keys.ENTER)
      print(text("#details h2"), text("#path") != before)
      print(len(every("#referrers li")) > 0)
      after = js("return location.hash")
      driver.back()
      wait("return location.hash !== arguments[0] && document.getElementById('path').textContent === arguments[1]", after, before)
      print(text("#path") == before)
      click("#referrers button")
      print(complaints())
      """#)
    #expect(printed.hasPrefix("Node #1\nTrue\n"), "\(printed)")
    #expect(printed.hasSuffix("[]\n"), "\(printed)")
    #expect(!printed.contains("False"), "\(printed)")
  }

  @Test func `Hostile text does nothing, and the page can connect to nothing`() async throws {
    let hostile = [
      "</script><script>window.hit=1</script>", "<img src=x onerror='window.hit=1'>", "<!--<script>",
      "\u{2028}",
      "javascript:window.hit=1", "__proto__", "constructor", "\"'`${window.hit=1}",
    ]
    let values: [String: Any] = Dictionary(uniqueKeysWithValues: hostile.map { ($0, [$0, [$0: $0]]) })
    let name = "<img src=x onerror=hit>.json"
    try directory.write(name, Array(try JSONSerialization.data(withJSONObject: values)))
    try await makePage(of: name)
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      for tab in every("nav button"): tab.click(); settle()
      click("#view-values")
      press("/")
      press("hit", Keys.ENTER)
      for match in range(6): press(Keys.ENTER)
      print(js("return window.hit"), js("return document.scripts.length"), len(every("main img")), len(every("iframe")))
      print(complaints())
      print(driver.execute_async_script("fetch('data:text/plain,x').then(() => arguments[0]('open'), () => arguments[0]('shut'))"))
      print(driver.execute_async_script("document.addEventListener('securitypolicyviolation', event => "
        "{ if (event.blockedURI.startsWith('http://127.0.0.1:9')) arguments[0](event.effectiveDirective) }); "
        "document.createElement('img').src = 'http://127.0.0.1:9/x.png'"))
      """#)
    #expect(printed == "None 2 0 0\n[]\nshut\nimg-src\n")
  }

  @Test func `A page of a hundred thousand objects has elements only for the rows in view`() async throws {
    let records = (0..<100_000).map { #"{"id":\#($0),"name":"item \#($0)","next":{"of":[\#($0)]}}"# }
    try directory.write("big.json", "[" + records.joined(separator: ",") + "]")
    try await makePage(of: "big.json")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      print(len(every(".row")) < 100, text(".row[aria-selected=true]"))
      press(Keys.END)
      print(text(".row[aria-selected=true]").startswith("99999"), len(every(".row")) < 100)
      press("/")
      press("item 54321", Keys.ENTER)
      print(text("#path"), text("#found"))
      click(".row[aria-selected=true]")
      print(len(every(".row")) < 100, one(".row[aria-selected=true]").get_attribute("aria-setsize"))
      press("/")
      js("document.getElementById('search').value = ''")
      press("item", Keys.ENTER)
      print(text("#found"))
      print(complaints())
      """#)
    #expect(
      printed == """
        True 100,000 elements
        True True
        [54321].name 1 of 1
        True 3
        1 of 100,000
        []

        """)
  }

  /// The keys of a path, also those that need quotes.
  @Test func `The path of a value is the one that ferry get takes`() async throws {
    let keys = [
      "plain", "a.b", "with space", "[0]", "quo\"te", "back\\slash", "$", "#x", "/y", ":z", "tab\there", "",
      "é", "'",
      "$class", "a#b", "a/b:c", "\u{a0}",
    ]
    let entries = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, ["value \($0)"]) })
    try directory.write("a.json", Array(try JSONEncoder().encode(entries)))
    try await makePage(of: "a.json")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      press("/")
      press("value", Keys.ENTER)
      for match in range(18):
          print(js("return document.getElementById('path').textContent + '\\t' + document.getElementById('value').textContent"))
          press(Keys.ENTER)
      """#)
    let lines = printed.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(Set(lines).count == keys.count)
    for line in lines {
      try #require(line.count == 2)
      let run = try await ToolRun.ferry("get", "a.json", line[0])
      #expect(run.output == line[1] + "\n", "\(line[0]): \(run.errors)")
    }
  }

  @Test func `Images and colors are shown`() async throws {
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    let bytes = try #require(Data(base64Encoded: png))
    let values: [String: Any] = ["photo": bytes, "tint": "#FF8000"]
    try directory.write(
      "a.plist",
      Array(try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)))
    try await makePage(of: "a.plist")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      wait("return document.querySelector('.row img').complete")
      print(js("return document.querySelector('.row img').naturalWidth"))
      press("/")
      press("tint", Keys.ENTER)
      print(js("return getComputedStyle(document.querySelector('#details .paint > div')).backgroundColor"))
      print(complaints())
      """#)
    #expect(printed == "1\nrgb(255, 128, 0)\n[]\n")
  }

  @Test func `A page is dark or light as the system, and fits a narrow window`() async throws {
    try directory.write("a.json", "[" + String(repeating: "\"a long text in a row\",", count: 50) + "1]")
    try await makePage(of: "a.json")
    let printed = try await Browser.run(
      #"""
      def scheme(name):
          driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})
          visit("page.html")
          return sum(int(part) for part in js("return getComputedStyle(document.body).backgroundColor").strip("rgb()").split(","))
      print(scheme("dark") < 150, scheme("light") > 600)
      for width in [320, 420, 700, 1600]:
          driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False})
          visit("page.html")
          print(js("return document.documentElement.scrollWidth <= innerWidth"), len(every(".row")) > 3)
      print(complaints())
      """#)
    #expect(printed == "True True\nTrue True\nTrue True\nTrue True\nTrue True\n[]\n")
  }

  @Test func `A page says how many keys it does not list`() async throws {
    let entries = (0..<2003).map { #""k\#($0)":1"# }.joined(separator: ",")
    try directory.write("a.json", "{\(entries)}")
    try await makePage(of: "a.json")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      click("#view-classes")
      print(text("#view-classes"), "|", text("#classes").split("\n")[-1])
      print(complaints())
      """#)
    #expect(printed == "Keys2,003 | … 3 more\n[]\n")
  }

  @Test func `The classes of an archive are drawn and lead to their objects`() async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    try await makePage(of: "ring.archive")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      click("#view-graph")
      print([box.get_attribute("aria-label").split(",")[0] for box in every("#graph .box")])
      driver.execute_script("document.querySelectorAll('#graph .box')[1].dispatchEvent(new MouseEvent('click'))")
      settle()
      print(one("#classes").is_displayed(), "Node" in text("#classes details[open] summary"))
      click("#classes details[open] summary button")
      print("Node" in text("#details h2"), text("#found").startswith("1 of"))
      print(complaints())
      """#)
    #expect(printed == "['(root)', 'Node']\nTrue True\nTrue True\n[]\n")
  }

  @Test func `A page of differences shows both sides and goes from change to change`() async throws {
    try directory.write(
      "old.json", #"{"kept": {"a": [1, 2]}, "list": [{"x": 1, "y": 1}, {"x": 2}], "gone": true}"#)
    try directory.write(
      "new.json", #"{"kept": {"a": [1, 2]}, "list": [{"x": 1, "y": 9}, {"x": 2}], "new": [1]}"#)
    let run = try await ToolRun.ferry("diff", "old.json", "new.json", "--html", "-o", "page.html")
    #expect(run.status == 1 && run.output == "" && run.errors == "")
    let printed = try await Browser.run(
      #"""
      visit("page.html")
      print(text(".counts"))
      print([row.get_attribute("class").split()[1] for row in every(".pane:first-child .row") if len(row.get_attribute("class").split()) > 1])
      print([row.get_attribute("class").split()[1] for row in every(".pane:last-child .row") if len(row.get_attribute("class").split()) > 1])
      print([row.split("  ")[0] for row in rows() if row.startswith("kept")])
      paths = []
      for step in range(3):
          paths.append(text(".changes [aria-current=true] .mono"))
          press("n")
      print(sorted(paths), text("#position"))
      click("#only")
      print(any(row.startswith("kept") for row in rows()))
      print(complaints())
      """#)
    #expect(
      printed == """
        1 changed
        1 added
        1 removed
        ['within', 'within', 'within', 'changed', 'removed']
        ['within', 'within', 'within', 'changed', 'added']
        ['kept: 1 key', 'kept: 1 key']
        ['gone', 'list[0].y', 'new'] 1 of 3
        False
        []

        """)
  }
}
