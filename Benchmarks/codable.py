"""Measures decoding people: codable.py PROGRAM FOLDER COUNT

Each measurement is a process of its own, and all run in turn. The ratios are to Ferry's decoder of the same file. A measurement ends
unfinished after ten minutes, or with more than two thirds of the machine's memory.
"""

import os
import resource
import subprocess
import sys

ROWS = [
    ("json", "json", ["ferry-json", "records-json", "foundation-json"]),
    ("plist-binary", "plist", ["ferry-plist", "foundation-plist"]),
    ("xml", "xml", ["ferry-xml", "records-xml", "xmlcoder-xml"]),
    ("archive", "archive", ["ferry-archive", "foundation-archive"]),
]
SECONDS = 600
MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 2 // 3


def limited():
    """Limits the memory of the measured process, so that the machine stays usable. macOS has no such limit."""
    if sys.platform != "darwin":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def measured(codable, name, path, count):
    """Returns the milliseconds and the peak memory in MiB; None, and the reason, for a measurement that has not finished."""
    process = subprocess.Popen(
        [codable, "decode", name, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limited
    )
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, f"not finished after {SECONDS // 60} minutes"
    if process.returncode != 0:
        return None, f"not finished: status {process.returncode}, with at most {MEMORY >> 30} GiB"
    found, milliseconds = output.split()
    assert int(found) == count, output
    return int(milliseconds), None


def one(codable, name, path, count):
    """Prints the results of one measurement, for the process that starts this one."""
    milliseconds, problem = measured(codable, name, path, count)
    if problem:
        print(problem)
    else:
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
        print("ok", milliseconds, peak)


def main(codable, work, count):
    print(f"\n{count:,} people         milliseconds        MiB peak    file MB")
    for form, extension, names in ROWS:
        path = f"{work}/people.{extension}"
        subprocess.run([codable, "make", form, str(count), path], check=True)
        size = os.path.getsize(path) / 1e6
        first = None
        for name in names:
            # A process in between: its children's peak is that of the one measurement.
            line = subprocess.run(
                [sys.executable, __file__, codable, name, path, str(count)], check=True, capture_output=True, text=True
            ).stdout.strip()
            if not line.startswith("ok "):
                print(f"{name:18} {line}")
                continue
            time, peak = (float(text) for text in line.split()[1:])
            first = first or (max(time, 1), peak)
            ratios = f"{time / first[0]:5.1f} ×", f"{peak / first[1]:5.1f} ×"
            print(f"{name:18} {time:9,.0f} {ratios[0]}   {peak:8,.1f} {ratios[1]}   {size:7.1f}")
        os.remove(path)


if len(sys.argv) == 5:
    one(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
