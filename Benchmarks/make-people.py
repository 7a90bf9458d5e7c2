#!/usr/bin/env python3
"""Writes the same people in every format that is compared, and other inputs: make-people.py COUNT FOLDER

The inputs do not change from run to run. FOLDER gets people.xml, .json, .jsonl, .plist, .bplist and .archive,
few.json (the first 300 people), text.xml (long texts), deep.xml (a tree 200 levels deep) and small/ (COUNT XML
files, at most 10,000).
"""
import json
import pathlib
import plistlib
import random
import sys
from xml.sax.saxutils import escape

FIRST = ["Matt", "Snidely", "Dudley", "Nell", "Ada", "Zoë", "Søren", "Léon", "O’Neil", "Kim & Co"]
LAST = ["Neuburg", "Whiplash", "Doright", "Fenwick", "Lovelace", "Ångström", "Müller", "Smith <Jr>"]
CITIES = ["Berlin", "Paris", "Zürich", "New York", "東京", "São Paulo"]
TEXT = "It was the best of times, it was the worst of times, it was the age of wisdom & foolishness. "


def people(count):
    random.seed(1)
    for number in range(count):
        first = random.choice(FIRST) + str(random.randrange(10**6))
        yield {
            "id": number, "firstName": first, "lastName": random.choice(LAST) + str(random.randrange(10**6)),
            "age": random.randrange(100), "email": f"person{number}@example.com",
            "active": random.random() < 0.5, "city": random.choice(CITIES),
        }


def text(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else escape(str(value))


def element(person):
    fields = "".join(
        f"    <{key}>{text(value)}</{key}>\n" for key, value in person.items() if key != "id")
    return f'  <person id="{person["id"]}">\n{fields}  </person>\n'


def archive(records):
    """Returns an archive of an NSArray of objects of the class Contact, numbered as Foundation numbers them."""
    uid = plistlib.UID
    objects, numbers, list_of = ["$null", {}], {}, []
    contact_class = None
    for record in records:
        list_of.append(uid(len(objects)))
        archived = {}
        objects.append(archived)
        for key, value in record.items():
            if isinstance(value, str):
                if value not in numbers:
                    numbers[value] = len(objects)
                    objects.append(value)
                value = uid(numbers[value])
            archived[key] = value
        if contact_class is None:
            contact_class = len(objects)
            objects.append({"$classname": "Contact", "$classes": ["Contact", "NSObject"]})
        archived["$class"] = uid(contact_class)
    objects[1] = {"NS.objects": list_of, "$class": uid(len(objects))}
    objects.append({"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]})
    return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uid(1)}, "$objects": objects}


def main(count, folder):
    count, folder = int(count), pathlib.Path(folder)
    (folder / "small").mkdir(parents=True, exist_ok=True)
    records = list(people(count))
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records]
    header = '<?xml version="1.0" encoding="UTF-8"?>\n'
    (folder / "people.xml").write_text(
        header + "<people>\n" + "".join(map(element, records)) + "</people>\n")
    (folder / "people.json").write_text("[" + ",".join(lines) + "]\n")
    (folder / "few.json").write_text("[" + ",".join(lines[:300]) + "]\n")
    (folder / "people.jsonl").write_text("\n".join(lines) + "\n")
    for name, value, kind in [
        ("people.plist", records, plistlib.FMT_XML), ("people.bplist", records, plistlib.FMT_BINARY),
        ("people.archive", archive(records), plistlib.FMT_BINARY),
    ]:
        with open(folder / name, "wb") as file:
            plistlib.dump(value, file, fmt=kind, sort_keys=False)
    chapter = "<chapter><p>" + "</p>\n<p>".join([escape((TEXT * 20).strip())] * 20) + "</p></chapter>\n"
    (folder / "text.xml").write_text(header + "<book>\n" + chapter * max(count // 300, 1) + "</book>\n")
    branch = "<b>" * 199 + "x" + "</b>" * 199
    (folder / "deep.xml").write_text(header + "<a>" + branch * max(count // 60, 1) + "</a>\n")
    for number, record in enumerate(records[:10_000]):
        (folder / "small" / f"{number:05}.xml").write_text(f"<people>\n{element(record)}</people>\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
