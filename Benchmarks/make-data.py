#!/usr/bin/env python3
"""Writes people as XML or JSON Lines, the same at every run, up to a size in megabytes.

    make-data.py xml 200 people.xml
    make-data.py jsonl 200 people.jsonl
"""
import random
import sys

FIRST = ["Matt", "Snidely", "Dudley", "Nell", "Ada", "Zoë", "Søren", "Léon", "O’Neil", "Kim & Co"]
LAST = ["Neuburg", "Whiplash", "Doright", "Fenwick", "Lovelace", "Ångström", "Müller", "Smith <Jr>"]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def main(kind, megabytes, path):
    random.seed(1)
    limit = int(megabytes) * 1_000_000
    written = 0
    with open(path, "w", encoding="utf-8") as out:
        if kind == "xml":
            written += out.write('<?xml version="1.0" encoding="UTF-8"?>\n<people>\n')
        while written < limit:
            first = random.choice(FIRST) + str(random.randrange(10**6))
            last = random.choice(LAST) + str(random.randrange(10**6))
            if kind == "xml":
                written += out.write(
                    f"  <person>\n    <firstName>{escaped(first)}</firstName>\n"
                    f"    <lastName>{escaped(last)}</lastName>\n  </person>\n")
            else:
                written += out.write(f'{{"firstName":"{first}","lastName":"{last}"}}\n')
        if kind == "xml":
            out.write("</people>\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
