#!/usr/bin/env python3
"""Makes the Core Data store of the People Groups model: Examples/people-store.py People.storedata

    Group   name, uuid, timestamp, people (many Person)
    Person  firstName, lastName, timestamp, card (transformable), group (one Group)

The tables, columns and types are those that Core Data makes of the model; the model itself is in Z_MODELCACHE, as an
archive that is compressed, because the tables have its names in capitals only.
"""
import os
import plistlib
import sqlite3
import sys
import zlib

STRING, DATE, TRANSFORMABLE = 700, 900, 1800

ENTITIES = {
    "Group": {
        "name": STRING, "uuid": STRING, "timestamp": DATE, "people": ("Person", "group", 0),
    },
    "Person": {
        "firstName": STRING, "lastName": STRING, "timestamp": DATE, "card": TRANSFORMABLE,
        "group": ("Group", "people", 1),
    },
}


class Archive:
    """A keyed archive, object by object."""

    def __init__(self):
        self.objects = ["$null"]
        self.classes = {}

    def add(self, value):
        self.objects.append(value)
        return plistlib.UID(len(self.objects) - 1)

    def type(self, *names):
        if names[0] not in self.classes:
            self.classes[names[0]] = self.add({"$classname": names[0], "$classes": list(names) + ["NSObject"]})
        return self.classes[names[0]]

    def dictionary(self, entries):
        keys = [self.add(key) for key in entries]
        return {"NS.keys": keys, "NS.objects": list(entries.values()),
                "$class": self.type("NSMutableDictionary", "NSDictionary")}

    def bytes(self, root):
        return plistlib.dumps(
            {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": self.objects},
            fmt=plistlib.FMT_BINARY, sort_keys=False)


def model():
    archive = Archive()
    root = archive.add({})
    entities = {name: archive.add({}) for name in ENTITIES}
    for name, uid in entities.items():
        properties = {}
        for key, kind in ENTITIES[name].items():
            described = {"NSPropertyName": archive.add(key), "NSEntity": uid, "NSIsOptional": True}
            if isinstance(kind, tuple):
                destination, inverse, most = kind
                described |= {
                    "_NSDestinationEntityName": archive.add(destination), "NSMaxCount": most,
                    "NSDestinationEntity": entities[destination],
                    "_NSInverseRelationshipName": archive.add(inverse),
                    "$class": archive.type("NSRelationshipDescription", "NSPropertyDescription")}
            else:
                described |= {
                    "NSAttributeType": kind,
                    "$class": archive.type("NSAttributeDescription", "NSPropertyDescription")}
            properties[key] = archive.add(described)
        archive.objects[uid.data].update({
            "NSEntityName": archive.add(name), "NSClassNameForEntity": archive.add(name),
            "NSProperties": archive.add(archive.dictionary(properties)),
            "$class": archive.type("NSEntityDescription")})
    archive.objects[root.data].update({
        "NSEntities": archive.add(archive.dictionary(entities)),
        "$class": archive.type("NSManagedObjectModel")})
    squeeze = zlib.compressobj(wbits=-15)
    return squeeze.compress(archive.bytes(root)) + squeeze.flush()


def card(**fields):
    """What a transformable attribute holds: an archive."""
    archive = Archive()
    root = archive.add(None)
    archive.objects[root.data] = archive.dictionary({key: archive.add(value) for key, value in fields.items()})
    return archive.bytes(root)


def main(path):
    if os.path.exists(path):
        os.remove(path)
    store = sqlite3.connect(path)
    store.execute("PRAGMA page_size = 1024")
    store.executescript("""
        CREATE TABLE ZGROUP ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP TIMESTAMP,
          ZNAME VARCHAR, ZUUID VARCHAR );
        CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZGROUP INTEGER,
          ZTIMESTAMP TIMESTAMP, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR, ZCARD BLOB );
        CREATE INDEX ZPERSON_ZGROUP_INDEX ON ZPERSON (ZGROUP);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        """)
    store.executemany("INSERT INTO ZGROUP VALUES (?, 1, 1, ?, ?, ?)", [
        (1, 423307800, "Pep Boys", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        (2, 423307860.5, "Empty Group", "0D3C7E58-1E1B-4B39-8C5A-52D4F9B2E9AA"),
    ])
    store.executemany("INSERT INTO ZPERSON VALUES (?, 2, 1, ?, ?, ?, ?, ?)", [
        (1, 1, 423307801, "Manny", "Rosenfeld", card(city="Philadelphia", since=1921)),
        (2, 1, 423307802.25, "Moe", "Strauss", None),
        (4, None, 423307803, "Jack", "Jackson", None),
    ])
    store.executemany("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", [(1, "Group", 2), (2, "Person", 4)])
    store.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (
        "6A1C2F60-6E0B-4E43-9E0F-6F2C8A3C7D11",
        plistlib.dumps({"NSStoreType": "SQLite", "NSStoreModelVersionIdentifiers": ["1"]},
                       fmt=plistlib.FMT_BINARY)))
    store.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (model(),))
    store.commit()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "People.storedata")
