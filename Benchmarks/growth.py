#!/usr/bin/env python3
"""Finds commands whose time grows faster than their input: growth.py FERRY [WORD...]

Each command runs on inputs of one shape in two sizes, of which the second is FACTOR times the first. A command that takes more
than LIMIT times the processor time for it, is stopped or has crashed is printed, and the exit status is 1. Runs of less than
ENOUGH seconds are not compared: there, the start of the program and noise decide. With words, only the commands whose line has all
of them run.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading

SIZE = 2000
FACTOR = 8
LIMIT = 20
ENOUGH = 0.25
# A command that takes more seconds is stopped.
LONGEST = 60


def records(count):
    return [{"name": f"Name {i}", "age": i % 90, "tags": ["a", f"b{i % 7}"]} for i in range(count)]


def tree(first, count):
    if count < 2:
        return first
    half = count // 2
    return {"left": tree(first, half), "right": tree(first + half, count - half)}


def words(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


# Values of a size, which are converted to every format.
VALUES = {
    "records": records,
    "keys": lambda n: {f"key{i}": i for i in range(n)},
    "nested-keys": lambda n: {"a": {f"key{i}": {"x": i} for i in range(n)}},
    "numbers": lambda n: list(range(n)),
    "equal-texts": lambda n: ["the same text, longer than a word"] * n,
    "texts": lambda n: [f"text {i}" for i in range(n)],
    "lists": lambda n: [[] for _ in range(n)],
    "pairs": lambda n: [[i, i + 1] for i in range(n)],
    "own-keys": lambda n: [{f"key{i}": i, "b": 1} for i in range(n)],
    "wide-records": lambda n: [{f"column{i}": i + r for i in range(n // 4)} for r in range(4)],
    "long-text": lambda n: {"text": "word & <tag> \"q\" \u00e9 " * n},
    "long-lines": lambda n: {"text": "a line of words\n" * n},
    "halves": lambda n: tree(0, n),
    "groups": lambda n: [{"id": g, "people": records(n // 50)} for g in range(50)],
    "optional-keys": lambda n: [{"a": i, **({"b": i} if i % 3 else {}), f"c{i % 50}": 1} for i in range(n)],
}

# Texts of a size that only one format has, by the name of the file.
TEXTS = {
    "attributes.xml": lambda n: "<a " + " ".join(f'b{i}="{i}"' for i in range(n)) + "/>",
    "comments.xml": lambda n: "<a>" + "<!-- c --><b>1</b>" * n + "</a>",
    "instructions.xml": lambda n: "<a>" + "<?p c?><b>1</b>" * n + "</a>",
    "prefixes.xml": lambda n: "<a>" + "".join(f'<p{i}:b xmlns:p{i}="urn:{i}">1</p{i}:b>' for i in range(n)) + "</a>",
    "root-prefixes.xml": lambda n: "<a " + " ".join(f'xmlns:p{i}="urn:{i}"' for i in range(n)) + ">"
    + "".join(f"<p{i}:b>1</p{i}:b>" for i in range(n)) + "</a>",
    "names.xml": lambda n: "<a>" + "".join(f"<b{i}>1</b{i}>" for i in range(n)) + "</a>",
    "interleaved.xml": lambda n: "<a>" + "<b>1</b><c>2</c>" * n + "</a>",
    "mixed.xml": lambda n: "<a>" + "text <b>1</b> more <i>2</i>" * n + "</a>",
    "cdata.xml": lambda n: "<a>" + "<![CDATA[x]]>y" * n + "</a>",
    "entities.xml": lambda n: "<a>" + "&amp;&#65;&lt;" * n + "</a>",
    "lines.xml": lambda n: "<a>\n" + "  <b/>\n" * n + "</a>\n",
    "white-space.xml": lambda n: "<a>" + " \n" * n * 4 + "</a>",
    "records.xml": lambda n: "<people>\n" + "".join(
        f'  <person id="{i}"><name>N{i}</name><tag>a</tag><tag>b</tag></person>\n' for i in range(n)) + "</people>\n",
    "comments.json5": lambda n: "[" + "// c\n1,/* d */\n" * n + "]",
    "lines.jsonl": lambda n: '{"a":1}\n' * n,
    "comments.yaml": lambda n: "# a\n- b: 1 # c\n" * n,
    "anchors.yaml": lambda n: "".join(f"- &a{i} {{x: {i}}}\n- *a{i}\n" for i in range(n)),
    "aliases.yaml": lambda n: "- &a {x: 1, y: [1, 2]}\n" + "- *a\n" * n,
    "merged.yaml": lambda n: "".join(f"k{i}: &a{i}\n  x: {i}\nm{i}:\n  <<: *a{i}\n  y: 2\n" for i in range(n)),
    "merged-keys.yaml": lambda n: "base: &base\n" + "".join(f"  {words(i)}: {i}\n" for i in range(n))
    + "service:\n  <<: *base\n  own: 1\n",
    "folded.yaml": lambda n: "a: >-\n" + "  folded text\n" * n,
    "documents.yaml": lambda n: "---\na: 1\n" * n,
    "comments.strings": lambda n: "".join(f'/* comment {i} */\n"key{i}" = "value {i}";\n\n' for i in range(n)),
    "objects.pbxproj": lambda n: "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tobjects = {\n" + "".join(
        f'\t\t{i:024X} /* F{i}.swift */ = {{isa = PBXFileReference; path = F{i}.swift; sourceTree = "<group>"; }};\n'
        for i in range(n)) + "\t};\n\trootObject = 000000000000000000000000;\n}\n",
    "rows.csv": lambda n: "a,b,c\n" + "1,\"x, y\",z\n" * n,
    "columns.csv": lambda n: ",".join(f"c{i}" for i in range(n)) + "\n" + (",".join("1" * n) + "\n") * 3,
    "quoted.csv": lambda n: "a\n\"" + 'x""y\n' * n + "\"\n",
    "ragged.csv": lambda n: "a,b,c\n" + "1,2\n3,4,5\n" * n,
    "data.plist": lambda n: '<?xml version="1.0"?>\n<plist version="1.0"><data>\n\t'
    + "\n\t".join(["QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="] * n) + "\n</data></plist>",
}

# The formats by the extensions of files.
FORMATS = {
    "json": "json", "jsonl": "jsonl", "xml": "xml", "yaml": "yaml", "csv": "csv", "plist": "plist-xml",
    "bplist": "plist-binary", "openstep": "openstep", "archive": "archive", "ts": "typedstream", "db": "sqlite",
}

# The commands: {a} is a file, {b} and {c} have other changes of it, {s} its elements in another order, {schema} its schema, and
# {patch} the differences from {a} to {b}.
COMMANDS = [f"convert {{a}} --to {target} -o {{out}} --force -q" for target in [*FORMATS.values(), "table"]] + [
    "convert {a} --to json --form typed -o {out} --force -q",
    "convert {a} --to json --sort-keys --pretty -o {out} --force -q",
    "convert {a} --to jsonl --infer -o {out} --force -q",
    "convert {a} --to jsonl --schema {schema} -o {out} --force -q",
    "convert {a} --to xml --schema {schema} -o {out} --force -q",
    "show {a}",
    "show --html {a} -o {out} --force",
    "inspect {a}",
    "inspect --json {a}",
    "check {a}",
    "check --roundtrip {a}",
    "check {a} --schema {schema}",
    "schema infer {a} -o {out} --force",
    "schema check {a} --schema {schema}",
    "find 7 {a}",
    "find --type integer {a}",
    "get {a} --keys",
    "get {a} --count",
    "plutil -lint {a}",
    "plutil -p {a}",
    "plutil -convert xml1 {a} -o {out}",
    "diff {a} {b}",
    "diff {a} {s}",
    "diff --wide {a} {b}",
    "diff --json {a} {b}",
    "diff --json {a} {s}",
    "diff --order {a} {b}",
    "diff --order {a} {s}",
    "diff --html {a} {b} -o {out} --force",
    "patch {a} {patch} -o {out} --force",
    "patch {a} {patch} --with-aliases -o {out} --force",
    "merge {a} {b} {c} -o {out} --force",
]


def changed(value, change):
    """The value with a fifth of its leaves, elements or keys changed, removed or added; "s" changes the order alone."""
    generator = random.Random(change)
    if isinstance(value, dict) and len(value) == 1:
        return {key: changed(inner, change) for key, inner in value.items()}
    if isinstance(value, (dict, list)) and change == "s":
        items = list(value.items() if isinstance(value, dict) else value)
        generator.shuffle(items)
        return dict(items) if isinstance(value, dict) else items
    if isinstance(value, dict):
        kept = {}
        for key, inner in value.items():
            chance = generator.random()
            if chance >= 0.1:
                kept[key + "x" if chance < 0.2 else key] = changed(inner, change) if chance > 0.8 else inner
        return kept
    if isinstance(value, list):
        kept = []
        for inner in value:
            chance = generator.random()
            if chance >= 0.1:
                kept.append(changed(inner, change) if chance > 0.8 else inner)
            if chance > 0.95:
                kept.append(inner)
        return kept
    if isinstance(value, str):
        return value.replace("word", "sword", 7) + "!"
    return value + 1


class Bench:
    """The runs of commands, and whether one has failed."""

    def __init__(self, ferry, words, work):
        self.ferry, self.words, self.work = ferry, words, work
        self.failed, self.runs = False, 0

    def run(self, *arguments, output=subprocess.DEVNULL):
        """The processor time of a command, and its status, which is negative if it was stopped or has crashed."""
        process = subprocess.Popen([self.ferry, *arguments], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.DEVNULL)
        timer = threading.Timer(LONGEST, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, process.returncode

    def compare(self, name, line, files):
        """Runs a command on both sizes. `files` has the paths for each size by their names in the line."""
        if any(word not in f"{name}: {line}" for word in self.words):
            return
        self.runs += 1
        small, large = (line.format(**paths).split() for paths in files)
        many, status = self.run(*large)
        if many < ENOUGH and status >= 0:
            return
        few = min(self.run(*small)[0] for _ in range(2))
        if many >= LIMIT * few and status >= 0:
            many = min(many, self.run(*large)[0])
        isUsual = status in (0, 1, 2, 64)
        if many < LIMIT * few and isUsual:
            return
        self.failed = True
        end = "" if isUsual else f", status {status}"
        print(f"{name}: {line}: {few:.2f} s, {FACTOR} times the input {many:.2f} s{end}", flush=True)

    def compare_all(self, name, make):
        """Runs all commands on files of a shape. `make` makes the files of a size in a folder, or returns None."""
        if not any(all(word in f"{name}: {line}" for word in self.words) for line in COMMANDS):
            return
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            files = [make(pathlib.Path(folder), count) for count in (SIZE, SIZE * FACTOR)]
            if None in files:
                return
            for paths, count in zip(files, ("n", "m")):
                paths.update(out=f"{folder}/out", schema=f"{folder}/{count}.schema.json", patch=f"{folder}/{count}.patch")
                self.run("schema", "infer", paths["a"], "-o", paths["schema"])
                with open(paths["patch"], "wb") as patch:
                    self.run("diff", "--json", paths["a"], paths["b"], output=patch)
            for line in COMMANDS:
                self.compare(name, line, files)

    def values(self, shape, extension):
        """Makes the files of a value in a format."""
        def make(folder, count):
            paths, value = {}, VALUES[shape](count)
            for name in "abcs":
                source = folder / f"{name}{count}.json"
                source.write_text(json.dumps(changed(value, name) if name != "a" else value))
                paths[name] = str(folder / f"{name}{count}.{extension}")
                if extension != "json":
                    self.run("convert", str(source), "--to", FORMATS[extension], "-o", paths[name], "-q")
                if not os.path.exists(paths[name]):
                    return None
            return paths
        return make

    def texts(self, name):
        """Makes the files of a text."""
        def make(folder, count):
            paths, text = {}, TEXTS[name](count)
            for change, other in (("a", text), ("b", text.replace("7", "8")), ("c", text.replace("5", "6")), ("s", text)):
                path = folder / f"{change}{count}-{name}"
                path.write_text(other)
                paths[change] = str(path)
            return paths
        return make


def main():
    ferry, *words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(ferry, words, work)
        for shape in VALUES:
            for extension in FORMATS:
                bench.compare_all(f"{shape}.{extension}", bench.values(shape, extension))
        for name in TEXTS:
            bench.compare_all(name, bench.texts(name))
    print(f"{bench.runs} commands")
    sys.exit(bench.failed)


main()
