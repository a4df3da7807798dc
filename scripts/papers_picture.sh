#!/usr/bin/env bash
# A picture of the papers' report as a browser shows it: scripts/papers_picture.sh [PAGE [PICTURE]].
# Needs Debian's package chromium. Look at the picture: every figure is there, nothing overlaps, labels are readable.
set -euo pipefail
cd "$(dirname "$0")/.."
page=$(realpath "${1:-docs/papers/index.html}") picture=$(realpath -m "${2:-build/papers.png}")
command -v chromium >/dev/null || { echo "papers_picture: chromium is missing (on Debian: apt-get install chromium)"; exit 1; }
mkdir -p "$(dirname "$picture")"
# The window is as high as the page, so that one picture holds all of it.
measured=$(mktemp --suffix=.html)
trap 'rm -f "$measured"' EXIT
sed 's|</body>|<script>document.title = document.documentElement.scrollHeight</script></body>|' "$page" >"$measured"
height=$(chromium --headless --no-sandbox --disable-gpu --window-size=1280,900 --dump-dom "file://$measured" 2>/dev/null |
    sed -n 's|.*<title>\([0-9]*\)</title>.*|\1|p' | tail -1)
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,"${height:-20000}" \
    --screenshot="$picture" "file://$page" 2>/dev/null
echo "$picture: 1280 x ${height:-20000}"
