#!/usr/bin/env python3
"""Conversions by Python libraries, as their users write them: peers.py CONVERSION FILE > OUTPUT"""
import json
import plistlib
import sys


def plain(value):
    """Makes what a keyed archive's library returns into JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key != "$class"}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def orjson_lines(file):
    import orjson
    for record in orjson.loads(file.read()):
        sys.stdout.buffer.write(orjson.dumps(record) + b"\n")


def orjson_json(file):
    import orjson
    sys.stdout.buffer.write(orjson.dumps(orjson.loads(file.read())))


def lines_json(file):
    import orjson
    sys.stdout.buffer.write(orjson.dumps([orjson.loads(line) for line in file]))


def plist_json(file):
    import orjson
    sys.stdout.buffer.write(orjson.dumps(plistlib.load(file)))


def plist_binary(file):
    plistlib.dump(plistlib.load(file), sys.stdout.buffer, fmt=plistlib.FMT_BINARY, sort_keys=False)


def plist_xml(file):
    plistlib.dump(plistlib.load(file), sys.stdout.buffer, sort_keys=False)


def xmltodict_json(file):
    import xmltodict
    json.dump(xmltodict.parse(file), sys.stdout)


def lxml_lines(file):
    import orjson
    from lxml import etree
    for _, person in etree.iterparse(file, tag="person"):
        record = {"@" + key: value for key, value in person.items()}
        record.update((child.tag, child.text or "") for child in person)
        sys.stdout.buffer.write(orjson.dumps(record) + b"\n")
        person.clear()
        while person.getprevious() is not None:
            del person.getparent()[0]


def bpylist2_json(file):
    from bpylist2 import archiver

    class Contact:
        @staticmethod
        def decode_archive(archive):
            keys = ("id", "firstName", "lastName", "age", "email", "active", "city")
            return {key: archive.decode(key) for key in keys}

    archiver.update_class_map({"Contact": Contact})
    json.dump(plain(archiver.unarchive(file.read())), sys.stdout)


def unarchiver_json(file):
    import NSKeyedUnArchiver
    json.dump(plain(NSKeyedUnArchiver.unserializeNSKeyedArchiver(file.read())), sys.stdout)


if __name__ == "__main__":
    with open(sys.argv[2], "rb") as file:
        globals()[sys.argv[1]](file)
