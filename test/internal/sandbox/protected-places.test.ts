// What sandboxed commands try on protected paths: nothing that a program obeys later is left.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { guardedNames } from '../../../internal/policy/paths/sensitive-names.ts'
import { makeStubs, removeLeftStubs, removeStubs } from '../../../internal/process/left-stubs.ts'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { openSessionSandbox } from '../../../internal/runtime/processes/session-sandbox.ts'
import { planReservedNames } from '../../../internal/sandbox/reserved-names.ts'
import { git } from '../../support/repo.ts'
import { plant, scratch } from '../../support/scratch.ts'

let root = ''
let work = ''
let runner: ProcessRunner
let active = false

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-protected-')))
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home') }
  mkdirSync(env.HOME)
  work = join(env.HOME, 'work')
  const data = join(root, 'data')
  const probe = createRunner({ dataDir: data, env })
  const sandbox = await openSessionSandbox('auto', { data, env, run: probe.run })
  active = sandbox.active
  runner = createRunner({ dataDir: data, env, sandbox: sandbox.enter })
})
afterAll(async () => {
  await runner.close()
  removeWork()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => {
  removeWork()
  plant(work, {
    ...{ 'a.txt': 'a\n', 'store/x': 'x\n', 'conf/tasks.json': '{}\n' },
    ...{ 'libs/app/.vscode/x.json': '{}\n', 'libs/sub/f': 'f\n', 'dir/f': 'f\n' },
  })
  for (const dir of [work, join(work, 'libs/sub')]) {
    git(dir, 'init', '-q', '-b', 'main')
    git(dir, 'add', dir === work ? 'a.txt' : 'f')
    git(dir, 'commit', '-qm', 'first')
  }
  rmSync(join(work, '.git/hooks'), { recursive: true, force: true })
  symlinkSync('conf', join(work, '.idea'))
  symlinkSync('missing/mcp.json', join(work, '.mcp.json'))
})

/**
 * Restores the permissions that some attempts remove, because a normal user needs them to read and
 * delete the directory.
 */
function openWork() {
  if (existsSync(work)) execFileSync('chmod', ['-R', 'u+rwX', work])
}

function removeWork() {
  openWork()
  rmSync(work, { recursive: true, force: true })
}

const request = (over: Partial<SandboxRequest>): SandboxRequest => ({
  ...{ kind: 'workspace', folders: [work], protected: [], network: [], write: [], revealed: [], opened: [] },
  ...{ history: false, ...over },
})
const bash = (line: string, over: Partial<SandboxRequest> = {}) =>
  runner.run({ file: 'bash', args: ['-c', line], cwd: work, timeoutMs: 20_000, sandbox: request(over) })

const evil = '[core]\\n\\tfsmonitor = touch /tmp/pwned; false\\n'
const evilRepository = (dir: string) =>
  `git init -q ${dir} 2>/dev/null; printf '${evil}' >> ${dir}/.git/config; mkdir -p ${dir}/.git/hooks; echo x > ${dir}/.git/hooks/post-checkout; chmod +x ${dir}/.git/hooks/post-checkout`

/** Each attempt, and the paths that must be as they were: a text, a link, or absent. */
const attempts: Record<string, { line: string; after: Record<string, string | undefined> }> = {
  'a link is replaced by a directory': {
    line: 'rm .idea; mkdir .idea; echo x > .idea/evil.xml',
    after: { '.idea': '-> conf', '.idea/evil.xml': undefined },
  },
  'a link is renamed': { line: 'mv .idea old; ln -s libs .idea', after: { '.idea': '-> conf' } },
  'a dangling link is filled': {
    line: 'mkdir -p missing; echo x > missing/mcp.json',
    after: { '.mcp.json': '-> missing/mcp.json', 'missing/mcp.json': undefined },
  },
  'the directory above is exchanged': {
    line: 'mv libs x; cp -r x libs; echo x > libs/app/.vscode/x.json',
    after: { 'libs/app/.vscode/x.json': '{}\n' },
  },
  'the directory above a repository is exchanged': {
    line: `mv libs/sub x; cp -r x libs/sub; printf '${evil}' >> libs/sub/.git/config`,
    after: { 'libs/sub/.git/hooks/post-checkout': undefined },
  },
  'a nested protected directory is made': {
    line: 'mkdir -p dir/.vscode; echo x > dir/.vscode/tasks.json',
    after: { 'dir/.vscode': undefined },
  },
  'a new directory holds protected ones': {
    line: 'mkdir -p new/deep/.claude new/.husky; echo x > new/.husky/pre-commit; echo x > new/.envrc',
    after: { 'new/deep/.claude': undefined, 'new/.husky': undefined, 'new/.envrc': undefined },
  },
  'a new repository starts programs': { line: evilRepository('new'), after: { 'new/.git': undefined } },
  'a new bare repository starts programs': {
    line: `git init -q --bare store/r; printf '${evil}' >> store/r/config`,
    after: { 'store/r/HEAD': undefined },
  },
  'a file .git leads to new settings': {
    line: `${evilRepository('other')}; mv other/.git plain; echo "gitdir: ../plain" > dir/.git`,
    after: { 'dir/.git': undefined, 'plain/HEAD': undefined },
  },
  'a name is made in another letter case': {
    line: 'mkdir .VSCode; echo x > .VSCode/a',
    after: { '.VSCode': undefined },
  },
  'the directory cannot be written afterwards': {
    line: 'mkdir dir/.vscode; echo x > .yarnrc; chmod 555 dir .',
    after: { 'dir/.vscode': undefined, '.yarnrc': undefined },
  },
  'the directory cannot be listed afterwards': {
    line: 'mkdir dir/.vscode; chmod 000 dir',
    after: { 'dir/.vscode': undefined },
  },
  'the repository is exchanged': {
    line: `mv .git old; ${evilRepository('.')}`,
    after: { '.git/hooks/post-checkout': undefined },
  },
  'settings of the repository': {
    line: 'git config core.fsmonitor x; echo x > .git/config.worktree; echo ../x > .git/commondir',
    after: { '.git/config.worktree': undefined, '.git/commondir': undefined },
  },
  'steps of a rebase start programs': {
    line: 'mkdir .git/rebase-merge .git/sequencer; printf "pick 1\\nexec evil\\n\\tx evil\\n" | tee .git/rebase-merge/git-rebase-todo > .git/sequencer/todo',
    after: {},
  },
}

const stateOf = (path: string) => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  return stat.isSymbolicLink()
    ? `-> ${execFileSync('readlink', [path]).toString().trim()}`
    : stat.isFile()
      ? readFileSync(path, 'utf8')
      : 'a directory'
}

const ways = { 'a call': {}, 'a call that may commit': { history: true }, 'a job': { lasts: true } }
const rows = Object.keys(attempts).flatMap((name) => Object.keys(ways).map((way) => [name, way] as const))

test.each(rows)('%s by %s changes nothing', async (name, way) => {
  if (!active) return
  const { line, after } = attempts[name] as (typeof attempts)[string]
  const before = readFileSync(join(work, '.git/config'), 'utf8')
  const inner = readFileSync(join(work, 'libs/sub/.git/config'), 'utf8')
  await bash(line, ways[way as keyof typeof ways])
  openWork()
  for (const [path, state] of Object.entries(after))
    expect([path, stateOf(join(work, path))]).toEqual([path, state])
  expect(readFileSync(join(work, '.git/config'), 'utf8')).toBe(before)
  expect(readFileSync(join(work, 'libs/sub/.git/config'), 'utf8')).toBe(inner)
  for (const todo of ['rebase-merge/git-rebase-todo', 'sequencer/todo'])
    expect(stateOf(join(work, '.git', todo)) ?? '').not.toContain('evil')
  for (const path of ['.vscode', '.husky', '.claude']) expect(existsSync(join(work, path))).toBe(false)
})

test('every reserved name is refused while a job runs, and nothing is left of it', async () => {
  if (!active) return
  const names = planReservedNames(work, { isOpened: () => false, lasts: true, isStub: () => false }).map(
    (path) => path.slice(work.length + 1),
  )
  expect(names.length).toBeGreaterThan(50)
  const line = names
    .map((name) => `mkdir -p '${name}' 2>/dev/null; echo x 2>/dev/null > '${name}/f'`)
    .join('\n')
  await bash(line, { lasts: true })
  expect(names.filter((name) => existsSync(join(work, name)))).toEqual([])
  // names that are not reserved get another name afterwards
  await bash(guardedNames.map((name) => `mkdir -p "$(dirname '${name}')"; echo x > '${name}'`).join('\n'))
  expect(guardedNames.filter((name) => name !== '.git' && stateOf(join(work, name)) === 'x\n')).toEqual([])
})

test('a list of files says which names only the sandbox has', async () => {
  if (!active) return
  const shown = async (line: string) =>
    (await bash(line)).sandbox?.hidden?.filter((one) => /reserve/.test(one))
  for (const line of ['ls -A', 'ls -la', 'find . -maxdepth 1', 'printf "%s " * .*'])
    expect([line, await shown(line)]).toEqual([
      line,
      [expect.stringMatching(/^\d\d empty folders such as \S+ reserve/)],
    ])
  for (const line of ['cat a.txt', 'cat .envrc', 'git status --short'])
    expect((await shown(line)) ?? []).toEqual([])
})

test('cleans up nothing while a job runs, and everything afterwards', async () => {
  if (!active) return
  const job = bash('mkdir dir/.vscode; touch began; while [ ! -e go ]; do sleep 0.05; done', { lasts: true })
  while (!existsSync(join(work, 'began'))) await new Promise((later) => setTimeout(later, 5))
  await bash('mkfifo pipe')
  expect([existsSync(join(work, 'dir/.vscode')), existsSync(join(work, 'pipe'))]).toEqual([true, true])
  expect(existsSync(join(work, '.claude'))).toBe(true)
  writeFileSync(join(work, 'go'), '')
  await job
  expect([existsSync(join(work, 'dir/.vscode')), existsSync(join(work, 'pipe'))]).toEqual([false, false])
  expect(existsSync(join(work, '.claude'))).toBe(false)
})

test('a tracked secret is shown as the index has it, and is neither emptied nor published', async () => {
  if (!active) return
  const names = ['.env', '.npmrc', '.netrc', 'k/x.pem', 'credentials/c.ts']
  plant(work, Object.fromEntries(names.map((name) => [name, 'placeholder\n'])))
  git(work, 'add', '-f', ...names)
  git(work, 'commit', '-qm', 'placeholders')
  plant(work, Object.fromEntries([...names, '.env.local', 'k/y.pem'].map((name) => [name, 'real-value\n'])))
  const line = `cat ${names.join(' ')} .env.local; git diff; git add -A; git -c user.name=A -c user.email=a@b.c commit -qam x; git stash list; git status --short; git log -p`
  const done = await bash(`grep -r real-value .; ${line}`, { history: true })
  expect(done.stdout.text + done.stderr.text).not.toContain('real-value')
  expect(done.stdout.text).toContain('placeholder')
  for (const name of names) {
    expect(git(work, 'show', `HEAD:${name}`)).toBe('placeholder\n')
    expect(readFileSync(join(work, name), 'utf8')).toBe('real-value\n')
  }
  expect(git(work, 'ls-files', '.env.local', 'k/y.pem')).toBe('')
  expect(done.sandbox?.hidden?.join()).toContain(`${join(work, '.env')} is shown as git's index has it`)
  expect((await bash('true')).sandbox?.hidden).toBeUndefined()
})

test('stubs of a dead run are removed only while they are empty and its own', () => {
  const dir = scratch()
  const runs = ['one', 'two'].map((name) => join(dir, 'run', name))
  for (const run of runs) mkdirSync(run, { recursive: true })
  const [one = '', two = ''] = runs
  const path = (name: string) => join(dir, name)
  mkdirSync(path('mine'))
  expect(makeStubs(one, 1, ['a', 'b', 'c', 'mine'].map(path))).toEqual(['a', 'b', 'c'].map(path))
  expect(makeStubs(two, 1, [path('a')])).toEqual([path('a')])
  writeFileSync(join(path('b'), 'file'), '')
  rmSync(path('c'), { recursive: true })
  removeLeftStubs(one)
  expect(['a', 'b', 'mine'].map((name) => existsSync(path(name)))).toEqual([true, true, true])
  removeStubs(two, 1)
  expect(existsSync(path('a'))).toBe(false)
})
