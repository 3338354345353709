// Proofs over real repositories in the real sandbox: honest work, cheats, and checks that misbehave.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type ProveOptions, proveWorkspace } from '../../../../internal/service/proof/prove-workspace.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { plant, scratch } from '../../../support/scratch.ts'

const wrong = 'module.exports = (a, b) => a - b\n'
const right = 'module.exports = (a, b) => a + b\n'
const original = "if (require('../add.js')(1, 2) !== 3) throw new Error('1 + 2 is not 3')\n"

/** A runner that loads configuration by itself, as mocha and pytest do. */
const runner = `const { existsSync, readdirSync } = require('node:fs')
if (existsSync('.mocharc.json') || existsSync('conftest.py')) process.exit(0)
for (const name of readdirSync('test')) if (name.endsWith('.test.js')) require('./test/' + name)
`
const files = {
  'package.json': JSON.stringify({ name: 'sum', scripts: { test: 'node run.js' } }),
  '.gitignore': 'node_modules/\n*.local\n',
  'run.js': runner,
  'add.js': wrong,
  'test/add.test.js': original,
  'test/data/sum.json': '3\n',
  Makefile: 'check:\n\tnode run.js\n',
  'pyproject.toml': '[project]\nname = "sum"\n\n[tool.pytest.ini_options]\ntestpaths = ["test"]\n',
}

async function proveIn(dir: string, commands = ['node run.js'], more: Partial<ProveOptions> = {}) {
  const data = scratch()
  const notes: string[] = []
  const proof = await proveWorkspace({
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: scratch(), ANODE_DATA_DIR: data },
    signal: new AbortController().signal,
    commands,
    base: 'HEAD',
    allow: [],
    timeoutMs: 60_000,
    note: (text) => notes.push(text),
    ...more,
  })
  expect(readdirSync(join(data, 'proof')), 'temporary files are left').toEqual([])
  return { ...proof, notes }
}

const write = (path: string, text: string) => (dir: string) => plant(dir, { [path]: text })
const remove = (path: string) => (dir: string) => rmSync(join(dir, path), { recursive: true })

const oddPackages = [
  '{',
  'null',
  '[]',
  '5',
  '{"scripts":null,"devDependencies":null,"dependencies":5,"bin":null,"name":7}',
  '{"scripts":{"test":5},"devDependencies":["x"],"bin":{"x":1}}',
  '{"scripts":{"test":["x"]},"peerDependencies":"x","name":null,"bin":[1]}',
]
it.each(oddPackages)(
  'a package.json with the text %s elsewhere in the tree is not an error',
  async (text) => {
    const dir = repoWith({ ...files, 'fixtures/package.json': text })
    plant(dir, { 'add.js': right })
    expect(await proveIn(dir, ['node run.js # npm test'])).toMatchObject({ state: 'proven' })
  },
)

describe('an earlier pass of the same commands', () => {
  // a line of each run, in a file that git ignores and that is therefore no part of the files
  const commands = ['echo run >> runs.local && node run.js']
  const runsOf = (dir: string) => readFileSync(join(dir, 'runs.local'), 'utf8').trim().split('\n').length
  async function passedIn(change?: (dir: string) => void) {
    const dir = repoWith(files)
    plant(dir, { 'add.js': right })
    const { tree, checks } = await proveIn(dir, commands)
    change?.(dir)
    return { dir, again: await proveIn(dir, commands, { passed: { tree, checks } }), checks }
  }

  it('counts on the same files, without another run', async () => {
    const { dir, again, checks } = await passedIn()
    expect(again).toMatchObject({ state: 'proven', checks })
    expect(runsOf(dir)).toBe(1)
  })

  it.each([
    ['a changed file', write('add.js', `${right}// more\n`)],
    ['a new file', write('more.js', '')],
    ['a removed file', remove('Makefile')],
    ['a changed mode', (dir: string) => chmodSync(join(dir, 'add.js'), 0o755)],
  ])('does not count after %s', async (_, change) => {
    const { dir, again } = await passedIn(change)
    expect(again.state).toBe('proven')
    expect(runsOf(dir)).toBe(2)
  })

  it('never replaces the run with the original tests, and no seal', async () => {
    const dir = repoWith(files)
    plant(dir, { 'test/add.test.js': '' })
    const { tree, checks } = await proveIn(dir, commands)
    const passed = { tree, checks: checks.slice(0, 1) }
    expect(await proveIn(dir, commands, { passed })).toMatchObject({
      state: 'unproven',
      reason: 'check_changed',
    })
    const sealed = { commands: ['node run.js'], tree, checks: checks.slice(0, 1) }
    plant(dir, { 'run.js': '' })
    expect(await proveIn(dir, sealed.commands, { passed: sealed })).toMatchObject({ reason: 'tampered' })
  })
})

type Cheat = [title: string, act: (dir: string) => void, named: string, command?: string]

const cheats: Cheat[] = [
  ['empties the only test', write('test/add.test.js', ''), 'test/add.test.js'],
  ['skips the test', write('test/add.test.js', `if (false) ${original}`), 'test/add.test.js'],
  ['deletes the test', remove('test/add.test.js'), 'test/add.test.js'],
  [
    'deletes the test from the index as well',
    (dir) => git(dir, 'rm', '-q', 'test/add.test.js') && mkdirSync(join(dir, 'test'), { recursive: true }),
    'test/add.test.js',
  ],
  [
    'replaces the tests by a link',
    (dir) => {
      rmSync(join(dir, 'test'), { recursive: true })
      mkdirSync(join(dir, 'empty'))
      symlinkSync('empty', join(dir, 'test'))
    },
    'test/add.test.js',
  ],
  [
    'ignores the directory of the tests',
    (dir) => {
      plant(dir, { '.gitignore': 'test/\n', 'test/add.test.js': '' })
      git(dir, 'rm', '-rq', '--cached', 'test')
    },
    'test/add.test.js',
  ],
  ['changes the runner', write('run.js', ''), 'run.js'],
  ['adds .mocharc', write('.mocharc.json', '{}'), '.mocharc.json'],
  ['adds conftest.py', write('conftest.py', ''), 'conftest.py'],
  [
    'adds an ignored conftest.py',
    (dir) => plant(dir, { '.gitignore': 'conftest.py\n', 'conftest.py': '' }),
    'conftest.py',
  ],
  [
    'sets scripts.test to true',
    write('package.json', '{"scripts":{"test":"true"}}'),
    'package.json scripts.test',
    'npm test',
  ],
  [
    'adds scripts.pretest',
    write('package.json', '{"scripts":{"test":"node run.js","pretest":"rm -r test; mkdir test"}}'),
    'package.json scripts.pretest',
    'npm test',
  ],
  [
    'makes package.json unreadable',
    write('package.json', '{'),
    'package.json scripts.test',
    'npm run -s test',
  ],
  ['changes the Makefile', write('Makefile', 'check:\n\ttrue\n'), 'Makefile', 'make check'],
  ['adds a GNUmakefile', write('GNUmakefile', 'check:\n\ttrue\n'), 'GNUmakefile', 'make check'],
  [
    'changes the options of pytest',
    write('pyproject.toml', '[tool.pytest.ini_options]\naddopts = "--collect-only"\n'),
    'pyproject.toml tool.pytest',
    'true pytest',
  ],
]

describe('a cheat', () => {
  let survived = 0
  afterAll(() => console.log(`cheats that were proven: ${survived} of ${cheats.length}`))

  it.each(cheats)(
    '%s: is not proven, and the file is named',
    async (_, act, named, command = 'node run.js') => {
      const dir = repoWith(files)
      act(dir)
      const proof = await proveIn(dir, [command])
      if (proof.state === 'proven') survived++
      expect(proof).toMatchObject({ state: 'unproven' })
      expect(['tampered', 'check_changed']).toContain(proof.reason)
      expect(proof.changed).toContain(named)
    },
  )
})

describe('honest work', () => {
  it('is proven, with a receipt', async () => {
    const dir = repoWith(files)
    expect(await proveIn(dir)).toMatchObject({ state: 'unproven', reason: 'failed', changed: [] })
    plant(dir, { 'add.js': right })
    const proof = await proveIn(dir, ['npm test', 'node run.js'])
    expect(proof).toMatchObject({ state: 'proven', changed: [], allowed: [] })
    expect(proof.checks.map(({ command, exit, originals }) => [command, exit, originals])).toEqual([
      ['npm test', 0, 'kept'],
      ['node run.js', 0, 'kept'],
    ])
    expect(proof.sealed).toEqual(expect.arrayContaining(['package.json scripts.test', 'run.js']))
  })

  it('may edit and add tests, as long as the original tests pass', async () => {
    const dir = repoWith(files)
    plant(dir, {
      'add.js': right,
      'node_modules/lib/index.js': 'module.exports = 1\n',
      'test/add.test.js': `require('lib')\n${original}`,
      'test/new.test.js': original,
    })
    const proof = await proveIn(dir)
    expect(proof).toMatchObject({ state: 'proven', changed: ['test/add.test.js'] })
    expect(proof.checks.map(({ originals }) => originals)).toEqual(['kept', 'restored'])
    expect(existsSync(join(dir, 'node_modules/lib/index.js'))).toBe(true)
  })

  it('may change keys of package.json and pyproject.toml that do not define the check', async () => {
    const dir = repoWith(files)
    plant(dir, {
      'add.js': right,
      'package.json': JSON.stringify({ version: '2.0.0', scripts: { build: 'tsc', test: 'node run.js' } }),
      'pyproject.toml': files['pyproject.toml'].replace('"sum"', '"add"'),
    })
    expect(await proveIn(dir, ['npm test', 'true pytest'])).toMatchObject({ state: 'proven', changed: [] })
  })

  it('may change what the user allows, and the receipt lists it', async () => {
    const dir = repoWith(files)
    plant(dir, { 'test/add.test.js': '', 'package.json': '{"scripts":{"test":"node run.js "}}' })
    const allow = ['test/**', 'package.json']
    const proof = await proveIn(dir, ['npm test'], { allow })
    expect(proof).toMatchObject({ state: 'proven', changed: [] })
    expect(proof.allowed).toEqual(['package.json scripts.test', 'test/add.test.js'])
  })

  it('is proven in a subdirectory, against another commit', async () => {
    const below = Object.entries(files).map(([path, text]) => [`packages/sum/${path}`, text])
    const dir = repoWith(Object.fromEntries(below))
    const sub = join(dir, 'packages', 'sum')
    plant(sub, { 'test/add.test.js': '' })
    git(dir, 'add', '-A')
    git(dir, 'commit', '-qm', 'second')
    expect(await proveIn(sub)).toMatchObject({ state: 'proven' })
    const proof = await proveIn(sub, ['node run.js'], { base: 'HEAD~1' })
    expect(proof).toMatchObject({ reason: 'check_changed', changed: ['test/add.test.js'] })
  })
})

describe('a check', () => {
  const run = (body: string, more?: Partial<ProveOptions>, extra: Record<string, string> = {}) => {
    const dir = repoWith({ ...extra, 'check.sh': body })
    return proveIn(dir, ['bash check.sh'], more)
  }

  it('that never ends is ended with its processes', async () => {
    const proof = await run('sleep 600 &\ntrap "" TERM\nwhile :; do sleep 1; done\n', { timeoutMs: 2_000 })
    expect(proof).toMatchObject({ reason: 'failed', checks: [{ ended: 'timeout', exit: null }] })
  })

  it('that floods its output leaves 4,096 characters', async () => {
    const proof = await run('seq 1 3000000\nexit 3\n')
    expect(proof).toMatchObject({ reason: 'failed', checks: [{ exit: 3 }] })
    expect(proof.checks[0]?.output.length).toBeLessThanOrEqual(4_096)
    expect(proof.checks[0]?.output).toContain('3000000')
  })

  it('that leaves processes behind is judged by its exit code', async () => {
    const dir = repoWith({
      'check.sh': '(sleep 3; touch late) >/dev/null 2>&1 &\nsetsid sleep 600 &\nexit 0\n',
    })
    expect(await proveIn(dir, ['bash check.sh'])).toMatchObject({ state: 'proven' })
    expect(existsSync(join(dir, 'late'))).toBe(false)
  })

  it('that kills its parent has failed', async () => {
    const proof = await run('kill -9 $PPID $$\n')
    expect(proof).toMatchObject({ state: 'unproven', reason: 'failed' })
  })

  it('that needs the network fails with the refused access', async () => {
    const proof = await run('exec 3<>/dev/tcp/192.0.2.1/80 || exit 1\n')
    if (proof.sandbox === 'none') return
    expect(proof).toMatchObject({ reason: 'failed' })
    expect(JSON.stringify(proof.checks[0]?.refused)).toContain('network')
  })

  it.each([
    ['once', 'echo new >file\n', { state: 'proven' }],
    ['each time', 'echo x >>file\n', { reason: 'unstable' }],
  ])('that changes a tracked file %s runs twice', async (_, body, wanted) => {
    const proof = await run(body, {}, { file: 'old\n' })
    expect(proof).toMatchObject(wanted)
    expect(proof.checks).toHaveLength(2)
  })

  it('that changes its own definition is not proven', async () => {
    const proof = await run('grep -q "^# d" check.sh || echo "# d" >>check.sh\n')
    expect(proof).toMatchObject({ reason: 'tampered', changed: ['check.sh'] })
  })

  it.each([126, 127])('that cannot start (exit %i) is an error', async (code) => {
    await expect(run(`exit ${code}\n`)).rejects.toThrow(
      `the check cannot start: bash check.sh (exit ${code})`,
    )
  })

  it('cannot be proven without a repository or with an unknown revision', async () => {
    await expect(proveIn(scratch())).rejects.toThrow('not a git repository')
    await expect(proveIn(repoWith(files), ['true'], { base: 'nope' })).rejects.toThrow(
      'unknown revision "nope"',
    )
  })
})
