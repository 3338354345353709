#!/usr/bin/env bash
# The session as a new user meets it, in tmux: scenes, each with what must be seen. Needs tmux and a build.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-$root/..}/anode-trial-XXXXXX")
tmux=(env -u TMUX tmux -f /dev/null -S "$work/socket")
failed=0
trap '"${tmux[@]}" kill-server 2>/dev/null; rm -rf "$work"' EXIT

mkdir -p "$work/shop/src/cart" "$work/home"
printf "import { sum } from './sum.ts'\nexport function total(items: Item[]): Money {\n  return Math.round(sum(items) * 100) / 100\n}\n" > "$work/shop/src/cart/total.ts"
printf '# Shop\n\nPrices are decided in src/cart.\n' > "$work/shop/README.md"
git -C "$work/shop" init -q
cat > "$work/run.sh" <<RUN
export HOME='$work/home' ANODE_DATA_DIR='$work/home/data' EDITOR='sed -i s/half/HALF/'
unset ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY
cd '$work/shop'
node '$root/dist/anode.cjs' "\$@"; echo "left with \$?"; sleep 100
RUN
model="script:$root/test/fixtures/cart.jsonl"

# open COLUMNS ROWS WORDS…
open() {
  local columns=$1 rows=$2; shift 2
  # a server that is ending would take the new session with it
  "${tmux[@]}" kill-server 2>/dev/null
  for _ in $(seq 50); do "${tmux[@]}" has-session 2>/dev/null || break; sleep 0.1; done
  rm -f "$work/socket"
  local words=''; [ $# -gt 0 ] && words=$(printf '%q ' "$@")
  "${tmux[@]}" new-session -d -x "$columns" -y "$rows" "bash '$work/run.sh' $words"
}
keys() { for key in "$@"; do "${tmux[@]}" send-keys "$key"; sleep 0.3; done; }
type_text() { "${tmux[@]}" send-keys -l "$1"; sleep 0.3; }
shown() { "${tmux[@]}" capture-pane -p -S -200; }
# see WHAT PATTERN
see() {
  for _ in $(seq 100); do
    if shown | tr '\n' ' ' | grep -qE "$2"; then echo "ok    $1"; return; fi
    sleep 0.2
  done
  echo "FAIL  $1: never seen: $2"; shown | grep -v '^$' | tail -30; failed=1
}
# once WHAT PATTERN: seen exactly one time
once() {
  local count; count=$(shown | grep -cE "$2")
  if [ "$count" = 1 ]; then echo "ok    $1"; else echo "FAIL  $1: seen $count times: $2"; shown | tail -40; failed=1; fi
}

open 80 24; see "1 starts without a key, and says how to set up a model" 'builtin/extract.*\? help'
type_text 'How are prices decided?'; keys Enter
see "2 answers with quotes and their place" 'README\.md:[0-9]'
type_text '/nonsense'; keys Enter; see "3 sends no command that is not there" 'unknown command /nonsense'
keys C-u; type_text '?'; see "4 shows keys and commands" 'Commands.*Keys'

open 80 24 --model "$model" 'Round half up in the cart total, then commit'
see "5 asks with the whole line and why" 'npm test -- cart && git commit.*(Esc later|Tab to answer)'
type_text 'h'; keys BSpace Tab; sleep 0.5; keys d; type_text 'do not commit'; keys Enter
see "6 tells the model the words of a denial" 'nothing committed.*done'
type_text '/undo'; keys Enter; see "7 shows what undoing would do" 'Undo changes of 1 file.*y restore'
keys y; see "  and does it" '1 file restored'
keys Escape Escape; see "8 goes back to a message" 'Back to before.*> now'
keys Escape C-o; see "9 shows the whole conversation as a page" 'Enter opens +Tab next.*e all +y copies +Esc back'
keys e; see "  where results open" '\[exit|roundHalfUp|nothing committed'
type_text '/roundHalf'; keys Enter; see "  and words are found" 'roundHalfUp.*n N next'
keys q; see "  and goes back" '> (\? help|$)|\? help'
sleep 0.3; type_text 'half a thought'; keys C-g; see "10 opens the editor" 'HALF a thought'
for size in '60 24' '40 12' '100 30' '80 24'; do "${tmux[@]}" resize-window -x ${size% *} -y ${size#* }; sleep 0.8; done
once "11 prints nothing twice when the size changes" 'HALF a thought'
keys C-c C-d C-d; see "12 leaves with the way back" 'anode --resume .*left with 0'
open 40 12 --continue --model "$model"; see "13 works in 40 columns, and goes on" 'nothing committed.*Round half'

open 80 24 --screen plain --model "$model" 'Round half up in the cart total, then commit'
see "14 asks in lines where nothing can be drawn" 'Allow bash\?.*answer with a number'
sleep 1; type_text '4'; keys Enter; see "  and takes a number" 'done .*\$'
exit $failed
