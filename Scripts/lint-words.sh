#!/usr/bin/env bash
# Fails, with file and line, where words break the rules of CONTRIBUTING.md ("Words"):
#
#   - a doc comment that opens with What, Where, Who, Whether, How, Which, When, The same, That of or Those;
#   - a word that has a better one (the table below): in comments, in the names of tests, and in the documentation.
#     Code in `backticks`, and examples that are indented by four spaces or fenced, may use any word;
#   - "is no …" for "is not a …", also in string literals of Sources: messages are made there;
#   - curly quotes in the code of Sources, that is, in string literals: messages have straight ones.
#
#     Scripts/lint-words.sh              # all files in Swift and Markdown, and the comments of the scripts
#     Scripts/lint-words.sh FILE …       # these files
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd -P)"
# The names become those from the root. Each turn takes a name from the beginning of the list, and puts it at the end.
for file; do
  file="$(realpath "$file")"
  set -- "$@" "${file#"$root/"}"
  shift
done
cd "$root"

# Beginnings of words, or phrases, as regular expressions, and what replaces them.
export LINT_WORDS='
afterwards            afterward
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
towards               toward
by meaning            decoded
came of which         repeat the noun
comes in between      a conflicting write
is told (of|that|to|what)   receives, is reported
(is|are|was|were|be) none[^a-z]           it is not a …, there is no …
(is|are|was|were|be) no [a-z]             it is not a …, there is no …
leads nowhere         say what is missing: "there is no …", "does not exist"
leads to no place     say what is missing: "there is no …", "does not exist"
met again             repeated, or: every later occurrence
met object            back reference
one of it[^s]         repeat the noun
stands bare           is an object without a class
stands for            represents
stands in place       is stored inline
what is there[^a-z]   repeat the noun
where there is none   if … is missing
'

if [ $# -eq 0 ]; then
  while IFS= read -r file; do set -- "$@" "$file"; done < <(
    {
      find Sources Tests Examples Benchmarks Packaging Documentation '(' -name '*.swift' -o -name '*.md' ')' -not -path '*/.build/*'
      find Scripts Tests Examples Benchmarks Packaging .ci '(' -name '*.sh' -o -name '*.py' -o -name run ')' -not -path '*/.build/*' \
        -not -name lint-words.sh
      find . -maxdepth 1 '(' -name '*.swift' -o -name '*.md' ')' | sed 's,^[.]/,,'
    } | sort
  )
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

  FNR == 1 {
    isInDoc = isFenced = 0
    isSource = FILENAME ~ /^Sources\//
  }

  # Documentation: everything but examples.
  FILENAME ~ /\.md$/ {
    if (/^ *```/) isFenced = !isFenced
    if (!isFenced && !/^    /) checkWords($0, "the documentation")
    next
  }

  # A comment of a script.
  FILENAME ~ /(\.sh|\.py|run)$/ {
    if (/^ *# /) checkWords($0, "a comment")
    next
  }

  # A comment. Only the first line of a doc comment opens it.
  /^ *\/\// {
    isDoc = /^ *\/\/\//
    text = $0
    sub(/^ *\/\/\/? ?/, "", text)
    if (isDoc && !isInDoc && text ~ /^(What|Where|Who|Whether|How|Which|When|The same|That of|Those)([^A-Za-z]|$)/)
      fail("a doc comment begins with the verb or the noun, not with \"" substr(text, 1, index(text " ", " ") - 1) "\"")
    isInDoc = isDoc
    if (text ~ /^    /) next
    checkWords(text, "a comment")
    next
  }

  # Code, with its string literals, names of tests in backticks, and a comment at the end of the line.
  {
    isInDoc = 0
    if (isSource && /“|”/) fail("quotation marks in messages are straight")
    if (isSource && /"/ && isNo(tolower($0))) fail("\"is no\" in a message: it is not a …, there is no …")
    if (match($0, /(func|struct|class|enum) `[^`]*`/)) checkWords(unquoted(substr($0, RSTART, RLENGTH)), "a name")
    if (match($0, / \/\/ [^"]*$/)) checkWords(substr($0, RSTART + 4), "a comment")
  }

  function unquoted(name) {
    gsub(/`/, " ", name)
    return name
  }

  function checkWords(text, kind,    i) {
    gsub(/`[^`]*`/, " ", text)
    # Rules that state which words to avoid quote them.
    if (FILENAME == "CONTRIBUTING.md") gsub(/"[^"]*"/, " ", text)
    text = withoutExistence(" " tolower(text) " ")
    for (i = 1; i <= count; i++)
      if (text ~ "[^a-z]" phrase[i])
        fail("\"" phrase[i] "\" in " kind ": " better[i])
  }

  # Leaves out "there is no …" and comparisons, where "no" is right.
  function withoutExistence(text) {
    gsub(/there ((may|must|can|would|will|should) )?((is|are|was|were|be) )?(also )?no(ne)?[^a-z]/, "there ", text)
    gsub(/[^a-z]no (longer|more|less|larger|deeper|later|better|smaller|shorter|other)[^a-z]/, " ", text)
    return text
  }

  function isNo(text) {
    return withoutExistence(text) ~ /[^a-z](is|are|was|were|be) no(ne[^a-z]| [a-z"\\])/
  }

  END { if (failures) { print failures " to reword"; exit 1 } }
' "$@"
