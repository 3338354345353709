#!/usr/bin/env bash
# Prints facts about dependencies, CI and containers for a supply chain review. usage: supply-facts.sh [DIR]
# Reads files only: installs nothing, runs nothing of the repository, needs no network.
set -uo pipefail
cd "${1:-.}" || exit 2

files() { find . \( -name node_modules -o -name .git -o -name vendor -o -name target \) -prune -o -type f "$@" -print 2>/dev/null | sort | head -n 200; }
scan() { # TITLE PATTERN FILE-LIST-COMMAND…
  echo "## $1"; local pattern=$2; shift 2
  "$@" | tr '\n' '\0' | xargs -0 grep -nHE -- "$pattern" /dev/null 2>/dev/null | cut -c1-200 | head -n 40
}

echo "## manifests and lock files"
files \( -name package.json -o -name package-lock.json -o -name yarn.lock -o -name pnpm-lock.yaml -o -name go.mod -o -name go.sum -o -name Cargo.toml -o -name Cargo.lock -o -name pyproject.toml -o -name 'requirements*.txt' -o -name poetry.lock -o -name uv.lock -o -name Pipfile.lock -o -name Gemfile -o -name Gemfile.lock -o -name composer.lock -o -name pom.xml -o -name 'build.gradle*' \)
manifests() { files \( -name package.json -o -name pyproject.toml -o -name 'requirements*.txt' -o -name Cargo.toml -o -name Gemfile -o -name go.mod \); }
scan "dependencies from elsewhere than a registry" '"[^"]+": *"(git|https?|file|link|github):|git\+|git *= *"|^-e |^replace |@ *https?://' manifests
scan "scripts that run at install" '"(pre|post)?install" *:|"prepare" *:' files -name package.json
locks() { files \( -name package-lock.json -o -name pnpm-lock.yaml \); }
scan "locked packages with install scripts or without the usual registry" '"hasInstallScript": *true|requiresBuild: *true|"resolved": *"(git|http:)' locks

ci() { files \( -path './.github/workflows/*' -o -name '.gitlab-ci*.yml' -o -path './.circleci/*' -o -name Jenkinsfile -o -name 'azure-pipelines*.yml' -o -path './.github/actions/*' \); }
echo "## workflow files"; ci
echo "## actions and images not pinned to a hash"
ci | tr '\n' '\0' | xargs -0 grep -nHE -- '^ *-? *(uses|image):' /dev/null 2>/dev/null | grep -vE '@[0-9a-f]{40}|@sha256:|uses: *\./' | cut -c1-200 | head -n 40
scan "triggers and runners with power over secrets" 'pull_request_target|workflow_run|self-hosted|issue_comment' ci
scan "foreign text inside expressions" '\$\{\{ *github\.(event\.(issue|pull_request|comment|review|head_commit|commits)|head_ref)' ci
scan "token permissions" '^ *(permissions|contents|packages|id-token|pull-requests|actions) *:' ci
scan "installs in CI that ignore the lock file" 'npm (install|i)( |$)|pip install (-r|[a-z])|yarn install *$|cargo install|go install .*@latest' ci

scripts() { files \( -name '*.sh' -o -name 'Dockerfile*' -o -name '*.dockerfile' -o -name Makefile -o -path './.github/workflows/*' \); }
scan "downloads that are executed or unchecked" '(curl|wget)[^|]*\| *(sudo +)?(ba|z|da)?sh|(curl|wget).*http://' scripts
containers() { files \( -name 'Dockerfile*' -o -name '*.dockerfile' -o -name 'docker-compose*.y*ml' -o -name 'compose*.y*ml' \); }
scan "base images and users" '^ *(FROM|USER|image:|privileged:|network_mode:|.*docker\.sock)' containers
# a last search without a hit is no failure
exit 0
