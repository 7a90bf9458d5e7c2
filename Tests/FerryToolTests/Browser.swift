import TestSupport
import Testing

/// A browser without a window, Chromium, which a test drives with Python and selenium.
enum Browser {
  /// Runs Python code with these functions, and returns what it prints. The test is cancelled if there is no browser here.
  ///
  /// - `visit(name)` opens a page of the test's directory and waits until it is ready.
  /// - `one(selector)`, `every(selector)`, `text(selector)` find elements; `click(selector)` and `press(keys…)` act.
  /// - `wait(code)` waits until JavaScript returns true. `js(code)` runs JavaScript; `complaints()` returns the errors in the console.
  static func run(_ code: String) async throws -> String {
    let answer = try await Peer.python(prelude + code, input: Array(directory.path.utf8))
    if let reason = answer.text.split(separator: "\n").first(where: { $0.hasPrefix("skip: ") }) {
      try Test.cancel("\(reason.dropFirst(6))")
    }
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.text
  }

  private static let prelude = #"""
    import atexit, shutil, sys, time
    directory = sys.stdin.read()
    try:
        from selenium import webdriver
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        print("skip: selenium for Python is not installed here"); sys.exit()
    browser, driver_path = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver_path:
        print("skip: chromium and chromedriver are not installed here"); sys.exit()
    options = Options()
    options.binary_location = browser
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,800"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(driver_path))
    atexit.register(driver.quit)
    driver.set_page_load_timeout(120)

    def js(code, *arguments): return driver.execute_script(code, *arguments)
    def settle(): driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    def wait(condition, *arguments):
        for attempt in range(600):
            if js(condition, *arguments): return settle()
            time.sleep(0.05)
        raise Exception("not true: " + condition + " " + str(complaints()))
    def visit(name):
        driver.get("about:blank")
        driver.get("file://" + directory + "/" + name)
        wait("return document.documentElement.dataset.ready")
    def every(selector): return driver.find_elements(By.CSS_SELECTOR, selector)
    def one(selector): return driver.find_element(By.CSS_SELECTOR, selector)
    def shown(element): return element.text.lstrip("▶▼").strip()
    def text(selector): return shown(one(selector))
    def rows(): return [shown(row) for row in every(".row")]
    def click(selector): one(selector).click(); settle()
    def press(*keys): driver.switch_to.active_element.send_keys(*keys); settle()
    def complaints(): return [entry["message"] for entry in driver.get_log("browser")]

    """#
}
