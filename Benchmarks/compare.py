#!/usr/bin/env python3
"""Runs Ferry and its peers on the same inputs in turn: compare.py FERRY INPUTS TOOLS ROUNDS > TABLE.md

The time is the processor time of the whole process (user and system), as the median of the rounds, and the
memory is its peak. Each time is also given as a multiple of the first command of its group. The outputs of the
commands marked with "=" are read back and compared; a difference ends the run.
"""
import datetime
import hashlib
import json
import os
import pathlib
import plistlib
import shutil
import statistics
import subprocess
import sys
import tempfile


class Run:
    """A command of a group, and what it took."""

    def __init__(self, name, command, same=None):
        self.name, self.command, self.same = name, command, same
        self.times, self.walls, self.peak, self.output = [], [], 0, None


def json_value(path):
    return json.loads(path.read_bytes())


def json_lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def property_list(path):
    return plistlib.loads(path.read_bytes())


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


def files(folder):
    """The files of a folder with their contents."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def archive(path):
    """The lists, dictionaries and scalars of a keyed archive."""
    plist = property_list(path)
    objects = plist["$objects"]

    def value(part):
        if isinstance(part, plistlib.UID):
            part = objects[part.data]
        if not isinstance(part, dict) or "NS.objects" not in part:
            return part
        values = [value(item) for item in part["NS.objects"]]
        return dict(zip(map(value, part["NS.keys"]), values)) if "NS.keys" in part else values

    return value(plist["$top"]["root"])


def typed(ferry):
    """Returns a function that reads the typed form as an archive's plain values, by way of the archive."""
    def value(path):
        back = subprocess.run([ferry, "convert", "-q", path, "--to", "archive"], check=True, capture_output=True)
        plain = subprocess.run([ferry, "convert", "-q", "-", "--to", "json"], check=True, capture_output=True,
                               input=back.stdout)
        return json.loads(plain.stdout)
    return value


def large(inputs, kind):
    """A file of 200 MB with people of two fields."""
    path = pathlib.Path(inputs, f"large.{kind}")
    if not path.exists():
        script = pathlib.Path(__file__).with_name("make-data.py")
        subprocess.run([sys.executable, script, kind, "200", path], check=True)
    return path


def groups(ferry, inputs, tools):
    """The groups of commands that do the same work. {in} names the folder with the inputs."""
    peers = f"{tools}/python/bin/python {tools}/peers.py"
    schema = pathlib.Path(__file__).with_name("people.schema.json")
    one = [
        ("XML → JSON Lines, each person", [
            Run("libxml2, empty callbacks", f"{tools}/libxml2-sax {inputs}/people.xml"),
            Run("expat, empty callbacks", f"{tools}/expat-sax {inputs}/people.xml"),
            Run("pugixml, tree only", f"{tools}/pugixml-parse {inputs}/people.xml"),
            Run("xmllint, nothing else", f"xmllint --stream --noout {inputs}/people.xml"),
            Run("ferry --select", f"{ferry} convert -q {inputs}/people.xml --select /people/person --to jsonl",
                json_lines),
            Run("ferry --select, one job",
                f"{ferry} convert -q --jobs 1 {inputs}/people.xml --select /people/person --to jsonl", json_lines),
            Run("lxml and orjson", f"{peers} lxml_lines {inputs}/people.xml", json_lines),
        ]),
        ("XML → JSON Lines, by a schema with numbers and booleans", [
            Run("libxml2, empty callbacks", f"{tools}/libxml2-sax {inputs}/people.xml"),
            Run("the same records, copied", f"cat {inputs}/people.jsonl", json_lines),
            Run("ferry --schema", f"{ferry} convert -q {inputs}/people.xml --schema {schema} --to jsonl", json_lines),
        ]),
        ("XML → JSON", [
            Run("libxml2, empty callbacks", f"{tools}/libxml2-sax {inputs}/people.xml"),
            Run("ferry", f"{ferry} convert -q {inputs}/people.xml --to json", json_value),
            Run("xmltodict and json", f"{peers} xmltodict_json {inputs}/people.xml", json_value),
        ]),
        ("XML with long texts → JSON", [
            Run("libxml2, empty callbacks", f"{tools}/libxml2-sax {inputs}/text.xml"),
            Run("ferry", f"{ferry} convert -q {inputs}/text.xml --to json", json_value),
            Run("xmltodict and json", f"{peers} xmltodict_json {inputs}/text.xml", json_value),
        ]),
        ("deep XML → JSON", [
            Run("libxml2, empty callbacks", f"{tools}/libxml2-sax {inputs}/deep.xml"),
            Run("ferry", f"{ferry} convert -q {inputs}/deep.xml --to json", json_value),
            Run("xmltodict and json", f"{peers} xmltodict_json {inputs}/deep.xml", json_value),
        ]),
        ("JSON → JSON Lines", [
            Run("orjson", f"{peers} orjson_lines {inputs}/people.json", json_lines),
            Run("ferry", f"{ferry} convert -q {inputs}/people.json --to jsonl", json_lines),
            Run("jq", f"jq -c .[] {inputs}/people.json", json_lines),
        ]),
        ("JSON → JSON", [
            Run("orjson", f"{peers} orjson_json {inputs}/people.json", json_value),
            Run("ferry", f"{ferry} convert -q {inputs}/people.json --to json", json_value),
            Run("jq", f"jq -c . {inputs}/people.json", json_value),
        ]),
        ("JSON Lines → JSON", [
            Run("orjson", f"{peers} lines_json {inputs}/people.jsonl", json_value),
            Run("ferry", f"{ferry} convert -q {inputs}/people.jsonl --to json", json_value),
            Run("jq", f"jq -c -s . {inputs}/people.jsonl", json_value),
        ]),
        ("200 MB of JSON Lines → JSON, one thread and two", [
            Run(f"ferry --jobs {jobs}", f"{ferry} convert -q --jobs {jobs} {large(inputs, 'jsonl')} --to json", digest)
            for jobs in (1, 2)
        ]),
        ("200 MB of XML → JSON Lines, one thread and two", [
            Run(f"ferry --jobs {jobs}", f"{ferry} convert -q --jobs {jobs} {large(inputs, 'xml')} "
                "--select /people/person --to jsonl", digest) for jobs in (1, 2)
        ]),
        ("binary property list → JSON", [
            Run("plistlib and orjson", f"{peers} plist_json {inputs}/people.bplist", json_value),
            Run("ferry", f"{ferry} convert -q {inputs}/people.bplist --to json", json_value),
            Run("plutil of Swift", f"plutil -convert json -o - {inputs}/people.bplist", json_value),
        ]),
        ("binary property list → XML property list", [
            Run("plistlib", f"{peers} plist_xml {inputs}/people.bplist", property_list),
            Run("ferry", f"{ferry} convert -q {inputs}/people.bplist --to plist-xml", property_list),
            Run("plutil of Swift", f"plutil -convert xml1 -o - {inputs}/people.bplist", property_list),
            Run("plistutil", f"plistutil -f xml -i {inputs}/people.bplist", property_list),
        ]),
        ("XML property list → binary", [
            Run("plistlib", f"{peers} plist_binary {inputs}/people.plist", property_list),
            Run("ferry", f"{ferry} convert -q {inputs}/people.plist --to plist-binary", property_list),
            Run("plutil of Swift", f"plutil -convert binary1 -o - {inputs}/people.plist", property_list),
            Run("plistutil", f"plistutil -f bin -i {inputs}/people.plist", property_list),
        ]),
        ("keyed archive → JSON", [
            Run("bpylist2 and json", f"{peers} bpylist2_json {inputs}/people.archive", json_value),
            Run("ferry", f"{ferry} convert -q {inputs}/people.archive --to json", json_value),
            Run("NSKeyedUnArchiver and json", f"{peers} unarchiver_json {inputs}/people.archive", json_value),
        ]),
        ("JSON → keyed archive", [
            # Foundation's time grows with the square of the number of people.
            Run("Foundation, 300 people", f"{tools}/foundation-archive {inputs}/few.json", archive),
            Run("ferry, 300 people", f"{ferry} convert -q {inputs}/few.json --to archive", archive),
            Run("ferry, all people", f"{ferry} convert -q {inputs}/people.json --to archive"),
        ]),
        ("keyed archive → typed JSON", [
            Run("ferry, plain JSON", f"{ferry} convert -q {inputs}/people.archive --to json", json_value),
            Run("ferry --form typed", f"{ferry} convert -q {inputs}/people.archive --form typed --to json", typed(ferry)),
        ]),
    ]
    small = sorted(str(path) for path in pathlib.Path(inputs, "small").iterdir())
    return one + [
        (f"{len(small):,} small XML files → JSON", [
            Run("copies of the files", [f"{tools}/copy-files", "{out}"] + small),
            Run("ferry --out-dir, one job",
                [ferry, "convert", "-q", "--jobs", "1", "--to", "json", "--out-dir", "{out}"] + small, files),
            Run("ferry --out-dir", [ferry, "convert", "-q", "--to", "json", "--out-dir", "{out}"] + small, files),
        ])
    ]


def measure(run, measuring, folder, kept):
    """Runs a command once, with its output in a file."""
    out = folder / "output"
    # The directories stay until the group ends: ext4 spends up to five times as long on the creation of files
    # within five seconds after many were deleted.
    directory = pathlib.Path(tempfile.mkdtemp(dir=folder))
    words = run.command.split(" ") if isinstance(run.command, str) else run.command
    words = [word.replace("{out}", str(directory)) for word in words]
    figures = folder / "figures"
    with open(out, "wb") as file:
        process = subprocess.run([measuring, str(figures)] + words, stdout=file, stderr=subprocess.PIPE)
    if process.returncode != 0:
        sys.exit(f"{words[:6]}: exit status {process.returncode}\n{process.stderr.decode(errors='replace')}")
    time, wall, peak = figures.read_text().split()
    run.times.append(float(time))
    run.walls.append(float(wall))
    run.peak = max(run.peak, int(peak))
    if run.output is None and run.same:
        run.output = directory if "{out}" in run.command else kept
        if run.output is kept:
            shutil.move(out, kept)


def check(title, runs):
    """Ends the run if commands whose outputs should be equal have different ones."""
    expected = None
    for run in (run for run in runs if run.same):
        value = run.same(run.output)
        if expected is None:
            expected = (run, value)
        elif expected[1] != value:
            sys.exit(f"{title}: the outputs of {expected[0].name} and {run.name} are different")


def row(run, base):
    words = run.command if isinstance(run.command, str) else " ".join(run.command[:7]) + " …"
    words = " ".join(os.path.basename(word) if "/" in word[1:] and os.path.exists(word) else word
                     for word in words.split(" "))
    time = statistics.median(run.times)
    equal = "=" if run.same else ""
    return (f"| {run.name} | {time:.3f} | {time / base:.2f} | {statistics.median(run.walls):.3f} "
            f"| {run.peak / 1024:.0f} | {equal} | `{words}` |")


def main(ferry, inputs, tools, rounds):
    print(f"# Ferry beside its peers, {datetime.date.today()}\n")
    print(f"Medians of {rounds} runs in turn, on {os.cpu_count()} cores. Processor time and peak memory of whole "
          "processes. `=`: these outputs were read back and are equal.\n")
    for title, runs in groups(ferry, inputs, tools):
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(int(rounds)):
                for index, run in enumerate(runs):
                    measure(run, f"{tools}/measure", pathlib.Path(folder), pathlib.Path(folder) / f"kept{index}")
            check(title, runs)
        base = statistics.median(runs[0].times) or 0.001
        print(f"## {title}\n\n| program | processor s | × first | wall s | peak MiB | | command |\n"
              "|---|---|---|---|---|---|---|")
        print("\n".join(row(run, base) for run in runs) + "\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:5])
