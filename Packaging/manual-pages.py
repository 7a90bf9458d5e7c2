#!/usr/bin/env python3
"""Writes a manual page for ferry and one for each command, also for those inside another one, made from the description that the
tool gives of itself.

    ferry --experimental-dump-help | Packaging/manual-pages.py FOLDER
"""
import json
import pathlib
import sys


def escaped(text):
    """Text for troff: backslashes, hyphens as they are typed, other characters than ASCII by number, and no requests."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if ord(c) < 0x7F else f"\\[u{ord(c):04X}]" for c in text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def paragraphs(text):
    """The paragraphs of a discussion. Lines that begin with two spaces keep their layout."""
    for block in text.strip("\n").split("\n\n"):
        if any(line.startswith("  ") for line in block.split("\n")):
            yield ".PP\n.nf\n" + escaped(block) + "\n.fi"
        else:
            yield ".PP\n" + escaped(block)


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def item(argument):
    """An option or argument with its help."""
    if argument["kind"] == "positional":
        head = f"\\fI{escaped(argument['valueName'])}\\fR"
    else:
        names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
        head = ", ".join(f"\\fB{escaped(spelled(name))}\\fR" for name in names)
        if argument["kind"] == "option":
            head += f" \\fI{escaped(argument['valueName'])}\\fR"
    text = escaped(argument.get("abstract", ""))
    if argument.get("allValues"):
        text += "\nOne of: " + escaped(", ".join(argument["allValues"])) + "."
    # Some defaults are explained in the help.
    if argument.get("defaultValue") and "(default" not in argument.get("abstract", ""):
        text += "\nDefault: " + escaped(argument["defaultValue"]) + "."
    return f".TP\n{head}\n{text}"


def subcommands(command):
    return [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]


def page(command, name, version, others):
    title = name.replace(" ", "-")
    lines = [f'.TH {title.upper()} 1 "" "ferry {version}" "Ferry"', ".SH NAME"]
    lines.append(f"{escaped(title)} \\- {escaped(command.get('abstract', '').rstrip('.'))}")
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    positional = [a for a in arguments if a["kind"] == "positional"]
    options = [a for a in command.get("arguments", []) if a["kind"] != "positional"]
    lines += [".SH SYNOPSIS", f"\\fB{escaped(name)}\\fR"]
    if command.get("subcommands"):
        lines.append("\\fIcommand\\fR [\\fIoption\\fR ...] [\\fIargument\\fR ...]")
    elif options:
        lines.append("[\\fIoption\\fR ...]")
    for argument in positional:
        word = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument.get("isRepeating") else "")
        lines.append(f"[{word}]" if argument.get("isOptional") else word)
    if command.get("discussion"):
        lines.append(".SH DESCRIPTION")
        lines += paragraphs(command["discussion"])
    if command.get("subcommands"):
        lines.append(".SH COMMANDS")
        for sub in subcommands(command):
            lines.append(f".TP\n\\fB{escaped(sub['commandName'])}\\fR\n{escaped(sub.get('abstract', ''))}")
    if positional:
        lines.append(".SH ARGUMENTS")
        lines += [item(argument) for argument in positional]
    groups = {}
    for option in options:
        groups.setdefault(option.get("sectionTitle") or "Options", []).append(option)
    for group in sorted(groups, key=lambda group: group != "Options"):
        lines.append(f'.SH "{escaped(group.upper())}"')
        lines += [item(option) for option in groups[group]]
    lines.append('.SH "SEE ALSO"')
    lines.append(", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others))
    return title, "\n".join(lines) + "\n"


def pages(command, name, version, parents):
    """The pages of a command and of all commands inside it, each with its title."""
    title = name.replace(" ", "-")
    inside = [f"{title}-{sub['commandName']}" for sub in subcommands(command)]
    yield page(command, name, version, parents + inside)
    for sub in subcommands(command):
        yield from pages(sub, f"{name} {sub['commandName']}", version, parents + [title])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    ferry = json.load(sys.stdin)["command"]
    version = sys.argv[2] if len(sys.argv) > 2 else ""
    for title, text in pages(ferry, "ferry", version, []):
        (folder / f"{title}.1").write_text(text)


main()
