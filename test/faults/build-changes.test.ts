// Kinds of changes that two tasks make at once: each is merged with both sides, or named as a conflict.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, test } from 'vitest'
import { buildWorld, readCheckout, renameTask, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'

const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`)
const text = `${lines.join('\n')}\n`
const pointer = (size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize ${size}\n`

/** Files that the repository has before both tasks. */
const files: Record<string, string> = {
  'files/edited.txt': text,
  'files/old.txt': text,
  'files/program.sh': text,
  'files/crlf.txt': text.replaceAll('\n', '\r\n'),
  'files/Case.txt': text,
  'files/gone.txt': text,
  'files/large.bin': pointer(1),
  'files/deleted.txt': text,
  'files/binary.dat': '\0\u0001one',
  '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
}

/** Changes that do not conflict: what each task runs, and what the branch then answers to git. */
const merged: [title: string, a: string, b: string, words: string[], answer: RegExp][] = [
  [
    'both edit one file',
    "sed -i '1s/$/ A/' files/edited.txt",
    "sed -i '12s/$/ B/' files/edited.txt",
    ['show', 'TIP:files/edited.txt'],
    /^line 0 A\n[\s\S]*line 11 B\n$/,
  ],
  [
    'one renames, one edits',
    'mv files/old.txt files/new.txt',
    "for file in files/old.txt files/new.txt; do test -e $file && sed -i '12s/$/ B/' $file; done",
    ['show', 'TIP:files/new.txt'],
    /line 11 B\n$/,
  ],
  [
    'one makes executable, one edits',
    'chmod +x files/program.sh',
    "sed -i '12s/$/ B/' files/program.sh",
    ['ls-tree', 'TIP', 'files/program.sh'],
    /^100755 blob (?!MAIN)/,
  ],
  [
    'both edit lines that end with CRLF',
    "sed -i '1s/\\r$/ A\\r/' files/crlf.txt",
    "sed -i '12s/\\r$/ B\\r/' files/crlf.txt",
    ['show', 'TIP:files/crlf.txt'],
    /^line 0 A\r\n(?:line \d+\r\n){10}line 11 B\r\n$/,
  ],
  [
    'one renames the case only',
    'mv files/Case.txt files/case.txt',
    'true',
    namesOf('files'),
    /files\/case\.txt\n/,
  ],
  ['one deletes', 'rm files/gone.txt', 'true', namesOf('files'), /^(?![\s\S]*gone\.txt)/],
  [
    'one changes the pointer of a large file',
    'true',
    "sed -i 's/size 1/size 2/' files/large.bin",
    ['show', 'TIP:files/large.bin'],
    /oid sha256:(?:ab){32}\nsize 2\n$/,
  ],
  [
    'one adds a binary file',
    "printf '\\000\\377\\001' > files/new.dat",
    'true',
    ['cat-file', '-s', 'TIP:files/new.dat'],
    /^3\n$/,
  ],
  [
    'one adds a link',
    'ln -s edited.txt files/link',
    'true',
    ['ls-tree', 'TIP', 'files/link'],
    /^120000 blob/,
  ],
  ['a submodule stays', 'true', 'true', ['ls-tree', 'TIP', 'module'], /^160000 commit /],
]

function namesOf(dir: string): string[] {
  return ['ls-tree', '-r', '--name-only', 'TIP', `${dir}/`]
}

/** Creates a repository with the files and a submodule that is not checked out. */
function begin() {
  const w = buildWorld(['a', 'b'], files)
  git(
    w.dir,
    'update-index',
    '--add',
    '--cacheinfo',
    `160000,${git(w.dir, 'rev-parse', 'HEAD').trim()},module`,
  )
  git(w.dir, 'commit', '-qm', 'module')
  mkdirSync(join(w.dir, 'module'), { recursive: true })
  return w
}

const shared = { shared: ['CHANGELOG.md', 'files/**'] }
const both = (a: string, b: string) => [
  renameTask('a', { run: `node codemod.js src/a; ${a}` }),
  renameTask('b', { run: `node codemod.js src/b; ${b}` }),
]

let survived = 0
let tried = 0
afterAll(() => console.log(`kinds of changes: ${survived} of ${tried} merged or named`))

it('merges each kind of change that two tasks make at once', async () => {
  const w = begin()
  try {
    const before = readCheckout(w.dir)
    const commands = (side: 1 | 2) => merged.map((row) => row[side]).join('; ')
    const { code, err, build } = await runBuild(w, both(commands(1), commands(2)), [], shared)
    expect(code, err + JSON.stringify(build)).toBe(0)
    const entries = (await w.anode(['build', 'watch', 'last', '--json'])).out.trimEnd().split('\n')
    const reopened = entries.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'reopened')
    // git does not follow the rename, so that the edit of the old name is a conflict
    for (const { data } of reopened)
      expect(data).toMatchObject({ why: 'conflict', detail: expect.stringMatching(/^files\/old\.txt\n/) })
    for (const [title, , , words, answer] of merged) {
      tried++
      const shown = git(w.dir, ...words.map((word) => word.replace('TIP', build?.branch ?? '')))
      expect(shown, title).toMatch(answer)
      survived++
    }
    expect(readCheckout(w.dir)).toEqual(before)
  } finally {
    w.remove()
  }
})

/** Changes that conflict, with the path that the journal names. */
const conflicts: [title: string, a: string, b: string, path: string][] = [
  ['one deletes, one edits', 'rm -f files/deleted.txt', 'echo B >> files/deleted.txt', 'files/deleted.txt'],
  [
    'both write a binary file',
    "printf '\\000two' > files/binary.dat",
    "printf '\\000three' > files/binary.dat",
    'files/binary.dat',
  ],
  ['both create a file', 'echo A >> files/both.txt', 'echo B >> files/both.txt', 'files/both.txt'],
  [
    'both change the pointer of a large file',
    "sed -i 's/size .*/size 2/' files/large.bin",
    "sed -i 's/size .*/size 3/' files/large.bin",
    'files/large.bin',
  ],
]

test.each(sampleRows(conflicts, 4))('names the path of a conflict if %s', async (_, a, b, path) => {
  const w = begin()
  tried++
  try {
    const { code, err, build } = await runBuild(w, both(a, b), [], shared)
    expect(code, err + JSON.stringify(build)).toBe(0)
    expect(build?.tasks.map(({ attempt }) => attempt).sort()).toEqual([1, 2])
    const entries = (await w.anode(['build', 'watch', 'last', '--json'])).out.trimEnd().split('\n')
    const reopened = entries.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'reopened')
    expect(reopened).toMatchObject([{ data: { why: 'conflict', detail: expect.stringContaining(path) } }])
    survived++
  } finally {
    w.remove()
  }
})

it('lets a command write neither git, nor hooks, nor another worktree', async () => {
  const w = begin()
  tried++
  try {
    const before = readCheckout(w.dir)
    const attack = [
      'common=$(git rev-parse --git-common-dir)',
      'echo x > "$common/hooks/pre-commit"',
      'rm -f .git && mkdir .git && echo x > .git/HEAD',
      'git config user.name Other',
      'git update-ref refs/heads/main HEAD^',
      'for file in ../*.t-b/src/b/index.js; do echo x > "$file"; done',
      'true',
    ]
    const { code, err, build } = await runBuild(w, both(attack.join('; '), 'sleep 1'), [], shared)
    expect(code, err + JSON.stringify(build)).toBe(0)
    expect(build?.tasks.map(({ files }) => files)).toEqual([['src/a/index.js'], ['src/b/index.js']])
    expect(readCheckout(w.dir)).toEqual(before)
    survived++
  } finally {
    w.remove()
  }
})

it.each(['queue', 't-a'])(
  'runs a check that fails in %s once more, and marks the task as flaky',
  async (place) => {
    const w = begin()
    tried++
    try {
      const seen = 'mkdir -p node_modules && test -e node_modules/seen || { touch node_modules/seen; false; }'
      const check = `case "$PWD" in *.${place}) ${seen};; esac`
      const task = renameTask('a', { until: [check] })
      const { code, err, build } = await runBuild(w, [task], [])
      expect(code, err + JSON.stringify(build)).toBe(0)
      expect(build?.tasks[0]).toMatchObject({ state: 'merged', attempt: 1, flaky: true })
      const report = await w.anode(['build', 'report', 'last'])
      expect(report.out).toContain('its check was flaky')
      survived++
    } finally {
      w.remove()
    }
  },
)
