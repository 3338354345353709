// Commands and code of a task that attack git: the checkout of the user stays byte for byte as it was, no
// program of the attack runs outside of the sandbox, and no foreign change is merged.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildWorld, readCheckout, renameTask, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'

/**
 * Attacks as shell commands. `$top` is the checkout of the user, `$common` its git directory, `$own` the git
 * directory of the worktree, and `$evil` a command that leaves a file outside of the sandbox.
 */
const attacks: Readonly<Record<string, string>> = {
  'hooks in each git directory': `for dir in "$common" "$own" .git; do mkdir -p "$dir/hooks"
    for hook in pre-commit post-checkout post-index-change reference-transaction post-rewrite pre-auto-gc; do
      printf '#!/bin/sh\\n%s\\n' "$evil" > "$dir/hooks/$hook"; chmod +x "$dir/hooks/$hook"; done; done`,
  'a directory of hooks in the configuration': `mkdir hooks; printf '#!/bin/sh\\n%s\\n' "$evil" > hooks/post-checkout
    chmod +x hooks/post-checkout; git config core.hooksPath "$PWD/hooks"`,
  'programs in the configuration': `for key in core.fsmonitor core.sshCommand core.editor core.pager diff.external
    alias.status credential.helper gpg.program filter.x.clean filter.x.smudge filter.x.process; do
      git config "$key" "$evil"; printf '[%s]\\n\\t%s = %s\\n' "\${key%%.*}" "\${key##*.}" "$evil" >> "$common/config"
    done; echo '* filter=x diff=x merge=x' > .gitattributes; echo '* filter=x' > src/a/.gitattributes`,
  'a configuration of the worktree': `printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > "$own/config.worktree"
    git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$evil"`,
  'a configuration that another file includes': `printf '[core]\\n\\tfsmonitor = %s\\n' "$evil" > src/a/more
    git config include.path "$PWD/src/a/more"; echo "[include] path = $PWD/src/a/more" >> "$common/config"`,
  'objects of another repository': `git init -q src/a/store; mkdir -p "$common/objects/info"
    echo "$PWD/src/a/store/.git/objects" > "$common/objects/info/alternates"
    for file in "$common"/objects/??/*; do chmod u+w "$file"; echo x > "$file"; done; rm -rf src/a/store`,
  'objects, grafts and replacements': `rm -rf "$common"/objects/*; echo "$(git rev-parse HEAD)" > "$common/info/grafts"
    git replace HEAD HEAD~0; git update-ref refs/replace/$(git rev-parse HEAD) $(git rev-parse HEAD)
    echo "$(git rev-parse HEAD)" > "$common/shallow"`,
  'a file .git that names a repository of the task': `git init -q src/a/mine
    git -C src/a/mine config core.fsmonitor "$evil"; rm -f .git; echo "gitdir: $PWD/src/a/mine/.git" > .git`,
  'a file .git that names the git directory of the user': 'rm -f .git; echo "gitdir: $common" > .git',
  'a directory in place of the file .git': `rm -f .git; GIT_DIR=.git git init -q
    GIT_DIR=.git git config core.fsmonitor "$evil"`,
  'a link in place of the file .git': 'rm -f .git; ln -s "$common" .git',
  'links of the worktree in its git directory': `echo "$top/.git" > "$own/commondir"
    echo "$top/.git" > "$own/gitdir"; echo "ref: refs/heads/main" > "$own/HEAD"; rm -rf "$own"`,
  'references of the user': `tree=$(git rev-parse HEAD^{tree}); new=$(git commit-tree -m x "$tree")
    for ref in refs/heads/main refs/heads/other refs/tags/v1 refs/stash refs/remotes/origin/main; do
      git update-ref "$ref" "$new"; mkdir -p "$common/$(dirname $ref)"; echo "$new" > "$common/$ref"; done
    git branch -D kept; git tag -d v1; git symbolic-ref HEAD refs/heads/main; echo "$new" > "$common/HEAD"
    echo "$new refs/heads/main" > "$common/packed-refs"; git -C "$top" reset -q --hard "$new"`,
  'the branch of the build': `for ref in $(git for-each-ref --format='%(refname)' refs/heads/anode); do
      git update-ref -d "$ref"; echo 0 > "$common/$ref"; rm -f "$common/$ref"; done
    rm -rf "$common/refs/heads/anode" "$common/logs"`,
  'index, files and stash of the user': `rm -f "$top/.git/index"; git -C "$top" stash -q
    git -C "$top" checkout -q -f HEAD; git -C "$top" clean -ffdxq; echo x > "$top/notes.txt"
    for file in "$top"/src/*/index.js; do echo x > "$file"; done`,
  'files and index of another worktree': `for dir in ../*.t-b ../*.queue*; do rm -rf "$dir/src"; mkdir -p "$dir/src/b"
      echo x > "$dir/src/b/index.js"; rm -f "$dir/.git"; done
    for dir in "$common"/worktrees/*; do rm -f "$dir/index"; echo 'ref: refs/heads/main' > "$dir/HEAD"
      echo "$top/.git" > "$dir/gitdir"; done`,
  'the list of worktrees': `git worktree prune --expire=now; git worktree add -q -f ../new HEAD
    for dir in $(git worktree list --porcelain | sed -n 's/^worktree //p'); do git worktree remove -f -f "$dir"
      git worktree move -f "$dir" ../moved; git worktree unlock "$dir"; done`,
  locks: `touch "$own/index.lock" "$own/HEAD.lock" "$common/index.lock" "$common/packed-refs.lock"
    touch "$common/HEAD.lock" "$common/config.lock" "$common/refs/heads/anode.lock"`,
  'a repository below the worktree': `git init -q src/a/inner; git -C src/a/inner config core.fsmonitor "$evil"
    echo x > src/a/inner/file; git -C src/a/inner add file
    git -C src/a/inner -c user.name=x -c user.email=x@x commit -qm x`,
  'a submodule that is the repository of the user': `mkdir -p src/a/inner; echo "gitdir: $common" > src/a/inner/.git
    printf '[submodule "../../x"]\\n\\tpath = src/a/inner\\n\\turl = %s\\n\\tupdate = !%s\\n' "$top" "$evil" > .gitmodules
    cp .gitmodules src/a/; git submodule update --init; git submodule absorbgitdirs`,
  'submodules in the configuration': `git config submodule.recurse true; git config submodule.a.update "!$evil"
    git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),src/a/module"
    printf '[submodule "a"]\\n\\tpath = src/a/module\\n\\turl = ext::%s\\n' "$evil" > .gitmodules`,
  'links in place of directories': `rm -rf src/b src/a/../c test; ln -s "$top/src/b" src/b; ln -s "$common" src/a/link
    ln -s "$top/test" test; ln -s "$top" src/a/top`,
  'an index that hides changes': `git update-index --assume-unchanged test/all.test.js codemod.js
    git update-index --skip-worktree test/all.test.js; echo '' > test/all.test.js
    git sparse-checkout set src; echo '*' > "$own/info/exclude"; echo '*' > "$common/info/exclude"`,
  'pipes in place of files of git': `mkdir -p src/a; mkfifo src/a/.gitattributes src/a/.gitignore
    rm -f .gitignore; mkfifo .gitignore; mkfifo "$own/config.worktree" "$common/info/attributes"`,
  'names that another file system reads as .git': `mkdir -p src/a/.GIT src/a/git~1 '.GIT'
    echo x > src/a/.GIT/config; echo x > src/a/git~1/config; printf x > "src/a/.g\u200cit"`,
  'a program that continues after its end': `(trap '' HUP TERM; while :; do printf x > "$common/hooks/pre-commit"
      echo x > .git; echo x > src/a/index.js; $evil; sleep 0.1; done) > node_modules.log 2>&1 & sleep 0.3`,
}

/** Returns every file of the git directory that a build must not change, and the objects by content. */
function readGit(dir: string) {
  const objects = new Map<string, string>()
  for (const entry of readdirSync(join(dir, '.git/objects'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      objects.set(path, createHash('sha256').update(readFileSync(path)).digest('hex'))
    }
  const refs = git(dir, 'for-each-ref', '--format=%(refname) %(objectname)').trimEnd().split('\n')
  return {
    checkout: readCheckout(dir),
    objects,
    refs: refs.filter((ref) => !ref.startsWith('refs/heads/anode/build/')),
  }
}

/** Expects the state of before, with nothing new but objects of the usual kind. */
function expectSame(dir: string, before: ReturnType<typeof readGit>): void {
  const after = readGit(dir)
  expect(after.checkout).toEqual(before.checkout)
  expect(after.refs).toEqual(before.refs)
  for (const [path, hash] of before.objects) expect(after.objects.get(path), path).toBe(hash)
  const added = [...after.objects.keys()].filter((path) => !before.objects.has(path))
  for (const path of added) expect(path).toMatch(/objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[^/]+)$/)
  expect(existsSync(join(dir, '.git/worktrees'))).toBe(false)
  git(dir, 'fsck', '--strict', '--no-dangling')
}

/** Where an attack runs: as the command of a task, or in a module that the checks load. */
const ways = ['command', 'module'] as const

function begin(attack: string, way: (typeof ways)[number]) {
  const w = buildWorld(['a', 'b'], { 'notes.txt': 'kept\n' })
  const canary = join(w.dir, '..', 'canary')
  git(w.dir, 'branch', 'kept')
  git(w.dir, 'tag', 'v1')
  w.put('CHANGELOG.md', '# Changes\n\nstashed\n')
  git(w.dir, 'stash', '-q')
  w.put('notes.txt', 'staged\n')
  git(w.dir, 'add', 'notes.txt')
  w.put('notes.txt', 'not staged\n')
  w.put('new.txt', 'not tracked\n')
  const top = realpathSync(w.dir)
  const setup = `top=${top}; common=${top}/.git; own=$(git rev-parse --absolute-git-dir); evil="touch ${canary}"`
  const script = `{ ${setup}; ${attack}\n} > /dev/null 2>&1 < /dev/null; true`
  const encoded = Buffer.from(script).toString('base64')
  const run = `echo ${encoded} | base64 -d | timeout 20 bash`
  // a pipe would let the module wait for a program that continues, which no check would survive
  const load = `try { require('child_process').execSync(${JSON.stringify(run)}, {stdio:'ignore'}) } catch {}`
  const command = `node codemod.js src/a && ${way === 'command' ? run : `echo "${load.replaceAll('"', '\\"')}" >> src/a/index.js`}`
  return { w, canary, tasks: [renameTask('a', { run: command }), renameTask('b')] }
}

/** Outcomes of the attacking task, if it is not merged. */
const reasons = ['scope', 'checks', 'tampered', 'conflict', 'no_change', 'work', 'worktree']

const rows = Object.entries(attacks).flatMap(([title, attack]) => ways.map((way) => ({ title, attack, way })))
const tried = sampleRows(rows, 7)
let survived = 0
afterAll(() => console.log(`attacks of a task on git: ${survived} of ${tried.length} survived`))

test.each(tried)('survives $title, in a $way of a task', { timeout: 120_000 }, async ({ attack, way }) => {
  const { w, canary, tasks } = begin(attack, way)
  try {
    const before = readGit(w.dir)
    const { code, err, build } = await runBuild(w, tasks, ['--attempts', '1'])
    const shown = `${code} ${err} ${JSON.stringify(build)}`
    expectSame(w.dir, before)
    expect(existsSync(canary), shown).toBe(false)
    const [a, b] = build?.tasks ?? []
    expect(b?.state, shown).toBe('merged')
    if (a?.state !== 'merged') expect(reasons, shown).toContain(a?.why)
    expect([code, build?.end, build?.proof], shown).toEqual(
      a?.state === 'merged' ? [0, 'done', 'proven'] : [3, 'partial', 'proven'],
    )
    const changed = git(w.dir, 'diff', '--name-only', '-z', 'main', build?.branch ?? '').split('\0')
    for (const path of changed.slice(0, -1)) expect(path, shown).toMatch(/^(?:src\/[ab]\/|CHANGELOG\.md$)/)
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
    survived++
  } finally {
    w.remove()
  }
})
