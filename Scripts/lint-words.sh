#!/usr/bin/env bash
# Fails, with file and line, where the words of the sources break the rules of CONTRIBUTING.md ("Words"):
#
#   - a doc comment that opens with What, Where, Who, Whether, How, Which, When or The same;
#   - a word in a comment that has a better one (the table below). Code in `backticks`, and examples that are
#     indented by four spaces, may use any word;
#   - curly quotes in code, that is, in string literals: messages have straight ones.
#
#     Scripts/lint-words.sh              # all of Sources
#     Scripts/lint-words.sh FILE …       # these files, by their paths from the root of the repository
set -euo pipefail
cd "$(dirname "$0")/.."

# Beginnings of words, or phrases, and what replaces them.
export LINT_WORDS='
behaviour             behavior
catalogue             catalog
centre                center
colour                color
favour                favor
generalis             generaliz…
grey                  gray
honour                honor
initialis             initializ…
neighbour             neighbor
normalis              normaliz…
organisa              organiza…
organise              organize
recognis              recogniz…
serialis              serializ…
leads nowhere         say what is missing: "there is no …", "does not exist"
leads to no place     say what is missing: "there is no …", "does not exist"
where there is none   if … is missing
comes in between      a conflicting write
met object            back reference
met again             repeated, or: every later occurrence
by meaning            decoded
stands bare           is an object without a class
stands in place       is stored inline
'

if [ $# -eq 0 ]; then
  while IFS= read -r file; do set -- "$@" "$file"; done < <(find Sources -name '*.swift' | sort)
fi

awk '
  BEGIN {
    lines = split(ENVIRON["LINT_WORDS"], line, "\n")
    for (i = 1; i <= lines; i++) {
      gap = match(line[i], /   */)
      if (line[i] == "" || !gap) continue
      phrase[++count] = substr(line[i], 1, gap - 1)
      better[count] = substr(line[i], gap + RLENGTH)
    }
  }

  function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message
    failures++
  }

  FNR == 1 { isInDoc = 0 }

  # A comment. Only the first line of a doc comment opens it.
  /^ *\/\// {
    isDoc = /^ *\/\/\//
    text = $0
    sub(/^ *\/\/\/? ?/, "", text)
    if (isDoc && !isInDoc && text ~ /^(What|Where|Who|Whether|How|Which|When|The same)([^A-Za-z]|$)/)
      fail("a doc comment begins with the verb or the noun, not with \"" substr(text, 1, index(text " ", " ") - 1) "\"")
    isInDoc = isDoc
    if (text ~ /^    /) next
    checkWords(text)
    next
  }

  # Code, with its string literals, and a comment at the end of the line.
  {
    isInDoc = 0
    if (/“|”/) fail("quotation marks in messages are straight")
    if (match($0, / \/\/ [^"]*$/)) checkWords(substr($0, RSTART + 4))
  }

  function checkWords(text,    i) {
    gsub(/`[^`]*`/, " ", text)
    text = " " tolower(text) " "
    for (i = 1; i <= count; i++)
      if (text ~ "[^a-z]" phrase[i])
        fail("\"" phrase[i] "\" in a comment: " better[i])
  }

  END { if (failures) { print failures " to reword"; exit 1 } }
' "$@"
