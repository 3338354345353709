// Checks and comparisons that cannot run: exit code 2 with the side, the line and the command that helps.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type World, withoutBubblewrap, world } from '../support/anode.ts'
import { plantBenchmark, proofFixtures, proofWorld } from '../support/proof-project.ts'
import { git } from '../support/repo.ts'
import { scratch } from '../support/scratch.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
afterEach(() => at.remove())

const model = ['--model', `script:${join(proofFixtures, 'fix.jsonl')}`]
const scripts = 'A check is a command. Found here: npm test'

const sealsIn = (dir: string) =>
  existsSync(dir) ? readdirSync(dir).filter((name) => name !== 'packages') : []

describe('a check', () => {
  it.each([
    ['execute', 'Fix add', ...model, '--until', 'no-such-program'],
    ['execute', 'Fix add', ...model, '--until', 'npm test', '--until', 'all tests pass'],
    ['prove', 'all tests pass'],
    ['prove', 'exit 126'],
    ['runs', 'start', 'Fix add', ...model, '--until', 'all tests pass'],
    ['runs', 'start', '--worktree', 'Fix add', ...model, '--until', 'no-such-program'],
    ['cron', 'add', '@daily', '--execute', 'Fix add', '--until', 'npm test', '--until', 'all tests pass'],
  ])('that cannot start, or is a sentence: %j', async (...words) => {
    at = proofWorld()
    // the check of npm is skipped, so that the sentence after it is reached
    at.put('add.js', 'module.exports = (a, b) => a + b\n')
    const { code, err } = await at.anode(words)
    expect(code, err).toBe(2)
    expect(err).toContain(words.at(-1))
    expect(err).toContain('cannot start')
    expect(err).toContain(scripts)
    // no model was asked, and nothing was stored
    for (const group of ['threads', 'runs', 'cron']) {
      const list = await at.anode([group, 'list', '--json'])
      expect(JSON.parse(list.out), `${group}: ${list.err}`).toEqual([])
    }
    expect(sealsIn(join(at.data, 'proof'))).toEqual([])
    expect(git(at.dir, 'worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect(git(at.dir, 'for-each-ref', 'refs/heads/anode').trim()).toBe('')
  })
})

it.skipIf(withoutBubblewrap().length === 0)(
  'a required sandbox that is missing ends a check with 2',
  async () => {
    at = proofWorld()
    at.through = withoutBubblewrap()
    for (const words of [
      ['prove', 'npm test'],
      ['execute', 'Fix add', ...model, '--until', 'npm test'],
    ]) {
      const { code, err } = await at.anode([...words, '--sandbox', 'require'])
      expect([code, err]).toEqual([2, expect.stringContaining('bubblewrap (bwrap) is not installed')])
    }
  },
)

const cmd = ['--cmd', 'node work.js']

/** Returns a repository whose last commit adds a file. */
function repository(): World {
  const made = world()
  plantBenchmark(made.dir)
  made.put('late.txt', 'late\n')
  git(made.dir, 'add', '-A')
  git(made.dir, 'commit', '-q', '-m', 'late')
  return made
}

/** The flags, the message with its side, the line of the output, and the advice. */
const rows: Record<string, [words: string[], message: string, line: string, advice: string]> = {
  'a base that does not build': [
    [...cmd, '--build', 'cat late.txt'],
    'base cannot be measured: its build failed (exit 1)',
    'cat: late.txt: No such file or directory',
    'Run the build by hand: git worktree add ../built HEAD~1 && cd ../built && cat late.txt',
  ],
  'a head that does not build': [
    [...cmd, '--build', 'test ! -e late.txt || { echo bad; exit 4; }'],
    'head cannot be measured: its build failed (exit 4)',
    'bad',
    'git worktree add ../built HEAD &&',
  ],
  'a head that crashes': [
    ['--cmd', 'node work.js; test ! -e late.txt || { echo boom; exit 3; }'],
    'head cannot be measured: exit 3',
    'boom',
    'fresh checkout of this side',
  ],
  'a program that is missing': [
    ['--cmd', 'no-such-program work.js'],
    'base cannot be measured: exit 127',
    'no-such-program: command not found',
    '--bench-from head',
  ],
  'a metric that is never printed': [
    ['--cmd', 'echo result 5', '--metric', 'rps:higher'],
    'base cannot be measured: no line METRIC rps=<number>',
    'result 5',
    'echo "METRIC rps=120"',
  ],
  'results that are not written': [
    [...cmd, '--format', 'hyperfine', '--results', 'out.json'],
    'base cannot be measured: the command did not write out.json',
    '',
    '--cmd "node bench.js > out.json" --results out.json',
  ],
  'results that cannot be read': [
    ['--cmd', "echo '{' >out.json", '--format', 'hyperfine', '--results', 'out.json'],
    'base cannot be measured: out.json has no benchmark of the format hyperfine',
    '',
    '--cmd "hyperfine --export-json out.json ./run" --format hyperfine --results out.json',
  ],
  'a path to carry that is missing': [
    [...cmd, '--carry', 'node_modules'],
    'cannot carry "node_modules": it does not exist',
    '',
    'npm ci',
  ],
  'a path to carry outside of the workspace': [
    [...cmd, '--carry', '../other'],
    'cannot carry "../other": it is outside of the workspace',
    '',
    '--carry node_modules',
  ],
}
for (const format of ['go', 'criterion', 'pytest-benchmark', 'vitest', 'hyperfine', 'google-benchmark'])
  rows[`output that is not of the format ${format}`] = [
    ['--cmd', 'echo "{ no report"', '--format', format],
    `base cannot be measured: the output has no benchmark of the format ${format}`,
    '{ no report',
    `--format ${format}`,
  ]

describe('a comparison', () => {
  it.each(Object.entries(rows))('of %s', async (_, [words, message, line, advice]) => {
    at = repository()
    const { code, out, err } = await at.anode(['research', 'compare', 'HEAD~1', 'HEAD', ...words])
    expect([code, out], err).toEqual([2, ''])
    const shown = err.trim().split('\n')
    expect(shown.at(-2)).toContain(`anode: ${message}`)
    expect(shown.at(-1)).toContain(advice)
    expect(shown.slice(0, -2).join('\n')).toContain(line)
  })

  it('of a base that a shallow clone lacks', async () => {
    const source = scratch()
    plantBenchmark(source)
    at = world()
    git(at.dir, 'clone', '-q', '--depth=1', `file://${source}`, '.')
    const { code, err } = await at.anode(['research', 'compare', 'HEAD~1', 'HEAD', ...cmd])
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('BASE "HEAD~1" is missing in this shallow clone'),
    ])
    expect(err).toContain('Fetch it: git fetch --unshallow origin')
  })
})

it('an experiment refuses a path to carry that is missing, and stores nothing', async () => {
  at = repository()
  const words = ['--name', 'sum', '--metric', 'cpu_ms', '--direction', 'lower', '--scope', 'sum.js']
  const init = ['research', 'init', ...words, '--cmd', 'node work.js', '--carry', 'node_modules']
  const { code, err } = await at.anode(init)
  expect([code, err]).toEqual([2, expect.stringContaining('cannot carry "node_modules": it does not exist')])
  expect((await at.anode(['research', 'status'])).err).toContain('research init')
})
