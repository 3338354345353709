#!/usr/bin/env bash
# The job of the action: reads its inputs from the environment, writes the report, exits as Anode exits.
set -uo pipefail
export PATH="$RUNNER_TEMP/anode/bin:$PATH"
out="$RUNNER_TEMP/anode-report"
mkdir -p "$out"
flags=()
[ -n "${MODEL:-}" ] && flags+=(--model "$MODEL")

review() {
  local base="${BASE:-}"
  if [ -z "$base" ]; then
    echo "::error::a review needs the input base outside of a pull request"
    return 2
  fi
  # actions/checkout fetches one commit; the review needs the common ancestor
  if ! git rev-parse -q --verify "$base^{commit}" >/dev/null; then
    git fetch --quiet --unshallow origin 2>/dev/null || git fetch --quiet origin
    git rev-parse -q --verify "$base^{commit}" >/dev/null || base="origin/$base"
  fi
  [ "${FAIL_ON:-never}" != never ] && flags+=(--fail-on "$FAIL_ON")
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
  study) study ;;
  *)
    echo "::error::unknown task \"${TASK:-}\"; tasks: review, study"
    exit 2
    ;;
esac
