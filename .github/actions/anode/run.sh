#!/usr/bin/env bash
# The job of the action: reads its inputs from the environment, writes the report, exits as Anode exits.
set -uo pipefail
export PATH="$RUNNER_TEMP/anode/bin:$PATH"
out="$RUNNER_TEMP/anode-report"
mkdir -p "$out"
flags=()
[ -n "${MODEL:-}" ] && flags+=(--model "$MODEL")

# Sets `base` to a commit or branch that this clone has. The argument is the job for the message.
find_base() {
  base="${BASE:-}"
  if [ -z "$base" ]; then
    echo "::error::a $1 needs the input base outside of a pull request"
    return 2
  fi
  # actions/checkout fetches one commit; the common ancestor is needed
  if ! git rev-parse -q --verify "$base^{commit}" >/dev/null; then
    git fetch --quiet --unshallow origin 2>/dev/null || git fetch --quiet origin
    git rev-parse -q --verify "$base^{commit}" >/dev/null || base="origin/$base"
  fi
}

review() {
  local base fail="${FAIL_ON:-high}"
  find_base review || return
  [ "$fail" != never ] && flags+=(--fail-on "$fail")
  anode review --base "$base" --output sarif "${flags[@]+"${flags[@]}"}" >"$out/findings.sarif"
  local code=$?
  if [ -s "$out/findings.sarif" ]; then
    echo "report=$out/findings.sarif" >>"$GITHUB_OUTPUT"
    node "$GITHUB_ACTION_PATH/comment.mjs" "$out/findings.sarif" >"$out/comment.md"
    cat "$out/comment.md" >>"$GITHUB_STEP_SUMMARY"
    if [ "${COMMENT:-}" = true ] && [ -n "${NUMBER:-}" ]; then
      gh pr comment "$NUMBER" --body-file "$out/comment.md" --edit-last --create-if-none
    fi
  fi
  return $code
}

compare() {
  local base line
  if [ -z "${COMMAND:-}" ]; then
    echo "::error::a comparison needs the input command"
    return 2
  fi
  find_base comparison || return
  # without the common ancestor, new commits of the base would count as changes of this one
  git merge-base "$base" HEAD >/dev/null 2>&1 || git fetch --quiet --unshallow origin 2>/dev/null
  base="$(git merge-base "$base" HEAD 2>/dev/null || echo "$base")"
  local words=(--cmd "$COMMAND" --fail-on "${FAIL_ON:-loss}" --markdown "$out/comparison.md" --svg "$out/comparison.svg")
  [ -n "${BUILD:-}" ] && words+=(--build "$BUILD")
  while IFS= read -r line; do [ -n "$line" ] && words+=("$line"); done <<<"${FLAGS:-}"
  anode research compare "$base" HEAD "${words[@]}"
  local code=$?
  if [ -s "$out/comparison.md" ]; then
    echo "report=$out/comparison.md" >>"$GITHUB_OUTPUT"
    cat "$out/comparison.md" >>"$GITHUB_STEP_SUMMARY"
    if [ "${COMMENT:-}" = true ] && [ -n "${NUMBER:-}" ]; then comment "$out/comparison.md"; fi
  fi
  return $code
}

# Updates the comment that begins with the first line of the file, or adds one.
comment() {
  local marker id issue="repos/$GITHUB_REPOSITORY/issues"
  marker="$(head -n 1 "$1")"
  id="$(MARKER="$marker" gh api --paginate "$issue/$NUMBER/comments" \
    --jq '.[] | select(.body | startswith(env.MARKER)) | .id' | head -n 1)"
  if [ -n "$id" ]; then
    gh api --silent -X PATCH "$issue/comments/$id" -F "body=@$1"
  else
    gh api --silent "$issue/$NUMBER/comments" -F "body=@$1"
  fi
}

study() {
  if [ -z "${QUESTION:-}" ]; then
    echo "::error::a study needs the input question"
    return 2
  fi
  anode study -o "$out/report.html" "${flags[@]+"${flags[@]}"}" -- "$QUESTION" >>"$GITHUB_STEP_SUMMARY"
  local code=$?
  [ -s "$out/report.html" ] && echo "report=$out/report.html" >>"$GITHUB_OUTPUT"
  return $code
}

case "${TASK:-}" in
  review) review ;;
  compare) compare ;;
  study) study ;;
  *)
    echo "::error::unknown task \"${TASK:-}\"; tasks: review, compare, study"
    exit 2
    ;;
esac
