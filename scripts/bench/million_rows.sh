#!/usr/bin/env bash
# One million rows of 16 columns through `mindrel audit`: peak memory, cores used, and how reading compares with deciding.
# Needs awk and GNU time. Usage: scripts/bench/million_rows.sh [rows]
set -euo pipefail
cd "$(dirname "$0")/../.."
rows=${1:-1000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Twelve numbers, two whole numbers, a boolean and a category; the label leans on the first four.
awk -v rows="$rows" 'BEGIN {
    srand(1); header = "n1"; for (i = 2; i <= 12; i++) header = header ",n" i
    print header ",age,children,owner,region,label"
    for (r = 0; r < rows; r++) {
        hidden = rand() + rand() - 1; line = ""; score = 0
        for (i = 1; i <= 12; i++) {
            value = 0.6 * hidden * (i % 3 - 1) + 0.8 * (rand() - 0.5); line = line sprintf("%.4f,", value)
            if (i <= 4) score += value * (i - 2.5)
        }
        split("north south east west", regions, " ")
        print line int(18 + 60 * rand()) "," int(4 * rand()) "," (rand() < 0.5 ? "no" : "yes") "," \
            regions[int(1 + 4 * rand())] "," (score + rand() - 0.5 > 0 ? "good" : "bad")
    }
}' > "$folder/people.csv"
head -20001 "$folder/people.csv" > "$folder/training.csv"

cargo build --release --quiet
mindrel=${CARGO_TARGET_DIR:-target}/release/mindrel
public=n9,n10,n11,n12,region
"$mindrel" schema "$folder/people.csv" --label label --public "$public" -o "$folder/people.toml"
"$mindrel" fit "$folder/training.csv" --schema "$folder/people.toml" -o "$folder/people.plan" > /dev/null
echo "rows: $rows, bytes: $(wc -c < "$folder/people.csv")"
/usr/bin/time -f 'peak memory: %M kB; CPU used: %P; wall: %e s' \
    "$mindrel" audit "$folder/people.plan" "$folder/people.csv" --delta 0 --baseline none --json "$folder/audit.json"
grep -E '"(seconds|seconds_reading)"' "$folder/audit.json" | sed 's/^ */  /'
