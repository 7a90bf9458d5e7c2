#!/usr/bin/env bash
# Builds and starts the server, and sends people to it: at once, slowly, and damaged. The first build takes several minutes.
set -euo pipefail
cd "$(dirname "$0")"
../../Scripts/setup.sh
command -v curl >/dev/null || { echo "curl is missing (apt install curl)"; exit 1; }

swift build 2>&1 | tail -1
server="$(swift build --show-bin-path)/server"
work="$(mktemp -d)"
"$server" 2>"$work/log" &
process=$!
trap 'kill $process 2>/dev/null || true; rm -rf "$work"' EXIT
url=http://127.0.0.1:8080/people

echo '$ curl -T ../folks.xml '$url
curl -sS --retry 20 --retry-connrefused --retry-delay 1 -T ../folks.xml $url | tee "$work/lines"
[ "$(wc -l <"$work/lines")" -eq 3 ]

echo '$ a request that pauses after its first person'
{
  printf '<people><person><firstName>Ada</firstName></person>'
  # The rest is sent when the first line has come back.
  for _ in {1..300}; do
    [ -s "$work/first" ] && break
    sleep 0.1
  done
  printf '<person><firstName>Grace</firstName></person></people>'
} | timeout 60 curl -sSN -T . $url | while read -r line; do echo "$line" | tee -a "$work/first"; done
[ "$(wc -l <"$work/first")" -eq 2 ]

echo '$ a damaged request'
printf '<people><person><firstName>Ada</firstName></person><person>' | curl -sS -T - $url | tee "$work/damaged"
grep -q '"error"' "$work/damaged"
echo
echo "The server answered each person when it had arrived."
