// An untrusted repository starts no program through git and blocks no command.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { type Canary, canaryIn, plantLazyFetch, plantPrograms } from '../support/hostile-git.ts'
import { git } from '../support/repo.ts'
import { sampleRows, shareRows } from '../support/sample.ts'

vi.setConfig({ testTimeout: 180_000 })

let at: World
let canary: Canary
beforeEach(() => {
  at = world()
  canary = canaryIn(join(at.dir, '..', 'canary'))
  at.put('a.txt', 'one\n')
  at.put('sub/b.txt', 'bee\n')
  at.put('sub/.gitignore', 'ignored\n')
  at.put('.auto/measure.sh', 'echo "METRIC ms=1"\n')
  at.put(
    '.auto/config.json',
    JSON.stringify({ name: 'x', primary_metric: 'ms', direction: 'lower', scope: ['*.txt'] }),
  )
  at.put('../replies.jsonl', [calls('grep', { pattern: 'one' }), JSON.stringify({ text: 'done' })].join('\n'))
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'config', 'user.name', 'A')
  git(at.dir, 'config', 'user.email', 'a@example.org')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
  at.put('a.txt', 'two\n')
  at.put('new.txt', 'new\n')
})
afterEach(() => at.remove())

const calls = (name: string, args: object) => JSON.stringify({ calls: [{ name, args }] })

/** All actions of Anode in a workspace that may start git or read the files of git. */
const everything: readonly (readonly string[])[] = [
  ['review', '--model', 'builtin/extract'],
  ['review', '--base', 'main', '--model', 'builtin/extract'],
  ['study', 'What does the file say of one and two?', '--workers', '1', '--quiet'],
  ['research', 'init', '--skip-null-test'],
  ['research', 'run'],
  ['research', 'verify'],
  ['execute', 'look', '--model', 'script:../replies.jsonl'],
  ['tools', 'use', 'grep', '--json', '{"pattern":"one"}'],
  ['tools', 'use', 'glob', '--json', '{"pattern":"**/*.txt"}'],
  ['tools', 'use', 'finder', '--json', '{"query":"bee"}'],
  ['doctor'],
  ['config', 'doctor'],
  ['trust', '--status'],
]

let turn = 0
/**
 * Returns all commands in the long form. The short form returns every sixth, and the next
 * test returns others.
 */
const commands = () => shareRows(everything, turn++, 6)

/** Runs the commands in sequence. Returns those that took longer than `ms` or were reported as a bug. */
async function runAll(ms: number, all: typeof everything = commands()): Promise<string[]> {
  const bad: string[] = []
  for (const words of all) {
    const began = Date.now()
    const { code, err } = await at.anode(words)
    const took = Date.now() - began
    if (took > ms) bad.push(`${words.join(' ')}: ${took} ms`)
    if (code === 70 || code === null || /this is a bug/.test(err)) bad.push(`${words.join(' ')}: ${err}`)
  }
  return bad
}

describe('a repository that names programs', () => {
  test('in every setting of git that names a program, in hooks and in attributes', async () => {
    plantPrograms(at.dir, canary)
    expect(await runAll(30_000, everything)).toEqual([])
    expect(canary.fired()).toBe('')
    for (const line of ['git diff', 'git add a.txt', 'git branch other'])
      spawnSync('bash', ['-c', line], { cwd: at.dir })
    // the trap works for a git without protection
    expect(canary.fired()).toContain('fsmonitor')
    expect(canary.fired()).toContain('filter.')
    expect(canary.fired()).toContain('hook ')
  })

  test('with one filter in unusual notation and another in an included file', async () => {
    writeFileSync(
      join(at.dir, '.git', 'more'),
      `[FILTER "in.cl = u\\"ded"]\n\tclean = ${canary.program} included\n\trequired\n`,
    )
    writeFileSync(
      join(at.dir, '.git', 'config.worktree'),
      `[filter "tree"]\n\tprocess = ${canary.program} tree\n`,
    )
    git(at.dir, 'config', 'extensions.worktreeConfig', 'true')
    git(at.dir, 'config', 'includeIf.gitdir:/**.path', 'more')
    at.put('.gitattributes', 'a.txt filter=tree\nnew.txt filter="in.cl = u\\"ded"\nsub/* filter=tree\n')
    expect(await runAll(30_000)).toEqual([])
    expect(canary.fired()).toBe('')
    spawnSync('git', ['add', '-A'], { cwd: at.dir })
    expect(canary.fired()).toContain('tree')
  })

  test('in a submodule', async () => {
    const other = join(at.dir, '..', 'other')
    mkdirSync(other)
    git(other, 'init', '-q', '-b', 'main')
    writeFileSync(join(other, 'c.txt'), 'see\n')
    git(other, 'add', '-A')
    git(other, 'commit', '-q', '-m', 'first')
    git(at.dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module')
    git(at.dir, 'commit', '-q', '-m', 'with a module')
    const module = join(at.dir, 'module')
    for (const key of ['core.fsmonitor', 'filter.deep.clean', 'diff.external'])
      git(module, 'config', key, `${canary.program} ${key}`)
    writeFileSync(join(module, '.gitattributes'), '* filter=deep\n')
    writeFileSync(join(module, 'c.txt'), 'SEE\n')
    expect(await runAll(30_000)).toEqual([])
    expect(canary.fired()).toBe('')
    spawnSync('git', ['status'], { cwd: at.dir })
    expect(canary.fired()).not.toBe('')
  })

  test.each(['a.txt', 'sub/.gitignore'])('as the remote of a partial clone for %s', async (file) => {
    if (file !== 'a.txt') rmSync(join(at.dir, file))
    plantLazyFetch(at.dir, canary, file)
    expect(await runAll(30_000)).toEqual([])
    expect(canary.fired()).toBe('')
    spawnSync('git', ['cat-file', 'blob', `:${file}`], { cwd: at.dir })
    expect(canary.fired()).toContain('uploadpack')
  })
})

/** Files that git or a search opens, replaced by a file without an end. */
const pipes: readonly string[] = [
  '.gitignore',
  '.gitattributes',
  'sub/.gitignore',
  '.git/index',
  '.git/info/exclude',
]

/** Returns one command of each kind. Each takes seconds if it searches for something. */
const some = () =>
  commands().filter(([verb, second]) => verb !== 'config' && second !== 'run' && second !== 'verify')

describe('a file without an end', () => {
  test.each(sampleRows(pipes, 4))(
    '%s as a pipe ends every command soon, with a plain message',
    async (path) => {
      rmSync(join(at.dir, path), { force: true })
      mkdirSync(dirname(join(at.dir, path)), { recursive: true })
      execFileSync('mkfifo', [join(at.dir, path)])
      expect(await runAll(15_000, some())).toEqual([])
    },
  )

  test('a list of patterns of a gigabyte', async () => {
    execFileSync('truncate', ['-s', '1G', join(at.dir, 'sub', '.gitignore')])
    expect(await runAll(15_000, some())).toEqual([])
  })

  test('a configuration that includes a pipe', async () => {
    execFileSync('mkfifo', [join(at.dir, '.git', 'pipe')])
    git(at.dir, 'config', 'include.path', 'pipe')
    expect(await runAll(15_000, some())).toEqual([])
  })
})
