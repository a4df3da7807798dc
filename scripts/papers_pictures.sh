#!/usr/bin/env bash
# Pictures of the papers' report as a browser shows it: scripts/papers_pictures.sh [PAGE [FOLDER]].
# Needs Debian's package chromium. Look at the pictures: every figure is there, nothing overlaps, labels are readable.
set -euo pipefail
cd "$(dirname "$0")/.."
page=$(realpath "${1:-docs/papers/index.html}") folder=$(realpath -m "${2:-build/papers_pictures}")
command -v chromium >/dev/null || { echo "papers_pictures: chromium is missing (on Debian: apt-get install chromium)"; exit 1; }
width=1280 part=1900
browser=(chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=$width,$part)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder"

# The page tells its height, and whether anything in it is wider than the window or has no size.
cat >"$work/probe.js" <<'PROBE'
const bad = [];
document.querySelectorAll("svg").forEach((svg) => {
  const box = svg.getBoundingClientRect();
  if (box.width < 300 || box.height < 100) bad.push("small: " + svg.getAttribute("aria-label"));
  const texts = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  texts.forEach((a, i) => {
    if (a.right > box.right + 1 || a.left < box.left - 1) bad.push("cut: " + svg.getAttribute("aria-label"));
    texts.slice(i + 1).forEach((b) => {
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) bad.push("overlap: " + svg.getAttribute("aria-label"));
    });
  });
});
if (document.documentElement.scrollWidth > window.innerWidth) bad.push("wider than the window");
document.title = document.documentElement.scrollHeight + "|" + document.querySelectorAll("svg").length + "|" + [...new Set(bad)].join("; ");
PROBE
{ sed '/<\/body>/d; /<\/html>/d' "$page"; echo "<script>"; cat "$work/probe.js"; echo "</script></body></html>"; } >"$work/probe.html"
title=$("${browser[@]}" --dump-dom "file://$work/probe.html" 2>/dev/null | sed -n 's|.*<title>\(.*\)</title>.*|\1|p' | tail -1)
IFS='|' read -r height figures bad <<<"$title"
for ((top = 0, number = 1; top < height; top += part, number++)); do
    printf '<body style="margin:0;overflow:hidden"><iframe src="file://%s" style="border:0;position:absolute;top:-%dpx;width:%dpx;height:%dpx">' \
        "$page" "$top" "$width" "$height" >"$work/part.html"
    "${browser[@]}" --screenshot="$folder/$(printf '%02d' "$number").png" "file://$work/part.html" 2>/dev/null
done
echo "$folder: $((number - 1)) pictures, a page of $width x $height with $figures figures"
[ -z "$bad" ] || { echo "papers_pictures: $bad"; exit 1; }
