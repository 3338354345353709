// Agents of other programs as workers of a build, over the Agent Client Protocol.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, test } from 'vitest'
import type { World } from '../support/anode.ts'
import { buildWorld, readCheckout, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { full } from '../support/sample.ts'
import { root } from '../support/sources.ts'

const open: World[] = []
afterEach(() => {
  for (const w of open.splice(0)) w.remove()
})

const program = join(root, 'test/support/rude-agent.mjs')

/** Creates a workspace and a configuration in which each manner of the test's program is a worker. */
function begin(manners: readonly string[]): World {
  const w = buildWorld(['a', 'b'])
  open.push(w)
  const target = join(w.dir, '../outside.txt')
  const command = (manner: string) => [process.execPath, program, manner, target]
  const workers = Object.fromEntries(
    manners.map((name) => [name, { command: command(name), silence: name === 'hang' ? 8 : 60 }]),
  )
  w.put('../.config/anode/config.json', JSON.stringify({ workers }))
  return w
}
const task = { id: 'a', do: 'Rename oldName in src/a.', scope: ['src/a/**'] }
/** A limit that one program exceeds with the cost that it reports. */
const cheap = ['--budget-usd', '0.2', '--worker-minutes', '5']
const by = (...names: string[]) => names.flatMap((name) => ['--worker', `acp:${name}`])

it.each(['good', 'asks', 'slow'])(
  'merges the work of the program %s, judged by its diff and the checks',
  async (name) => {
    const w = begin([name])
    const before = readCheckout(w.dir)
    const { code, err, build } = await runBuild(w, [task], by(name))
    expect(code, err + JSON.stringify(build)).toBe(0)
    expect(build).toMatchObject({ end: 'done', proof: 'proven' })
    const usd = name === 'asks' ? 0.25 : null
    expect(build?.tasks[0]).toMatchObject({
      worker: `acp:${name}`,
      attempt: 1,
      files: ['src/a/index.js'],
      usd,
    })
    expect(readCheckout(w.dir)).toEqual(before)
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
  },
)

/** Programs that misbehave, with the reason and the detail of the task. */
const rude: [manner: string, why: string, detail: RegExp][] = [
  ['liar', 'no_change', /without a change/],
  ['die', 'work', /acp:die ended \(exit 3\)/],
  ['hang', 'work', /acp:hang sent nothing for 8 s/],
  ['garbage', 'work', /acp:garbage printed a line that is not a message: Loading the model/],
  ['login', 'work', /acp:login needs a login: start the program once/],
]
let survived = 0
test.each(rude)('ends an attempt of the program %s with its reason', async (name, why, detail) => {
  const w = begin([name])
  const { code, build, err } = await runBuild(w, [task], [...by(name), '--attempts', '1'])
  expect(code, err).toBe(1)
  expect(build?.tasks[0]).toMatchObject({ state: 'failed', why })
  expect(build?.tasks[0]?.detail).toMatch(detail)
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
  survived++
  if (name === rude.at(-1)?.[0])
    console.log(`programs that misbehave: ${survived} of ${rude.length} survived`)
})

it('gives the task of a program that fails to the next worker', async () => {
  const w = begin(['die', 'good'])
  const { code, build, err } = await runBuild(w, [task], by('die', 'good'))
  expect(code, err).toBe(0)
  expect(build?.tasks[0]).toMatchObject({ worker: 'acp:good', attempt: 2, state: 'merged' })
})

// a minute is the smallest limit
it.runIf(full)('ends an attempt of a program at --worker-minutes', { timeout: 180_000 }, async () => {
  const w = begin(['talks'])
  const words = [...by('talks'), '--attempts', '1', '--worker-minutes', '1', '--budget-usd', '1']
  const { code, build, err } = await runBuild(w, [task], words)
  expect(code, err).toBe(1)
  expect(build?.tasks[0]).toMatchObject({ state: 'failed', why: 'work', usd: null })
  expect(build?.tasks[0]?.detail).toContain('acp:talks reached --worker-minutes 1')
})

it('starts no other program after one has used up the budget, and merges the work that is paid', async () => {
  const w = begin(['asks'])
  const tasks = ['a', 'b', 'c'].map((id) => ({ ...task, id }))
  const { code, build, err } = await runBuild(w, tasks, [...by('asks'), ...cheap])
  expect(code, err).toBe(3)
  expect(build).toMatchObject({ end: 'partial', usd: 0.25, proof: 'proven' })
  expect(build?.tasks.map(({ state, why }) => [state, why])).toEqual([
    ['merged', null],
    ['failed', 'limit'],
    ['failed', 'limit'],
  ])
})

it('counts the cost that a program has reported before it died', async () => {
  const w = begin(['spends'])
  const { code, build, err } = await runBuild(w, [task], [...by('spends'), ...cheap])
  expect(code, err).toBe(3)
  expect(build?.tasks).toMatchObject([{ state: 'failed', why: 'limit', attempt: 2, usd: 0.25 }])
})

it('stores the calls that a program reports, which decide nothing', async () => {
  const w = begin(['reports'])
  const { code, err } = await runBuild(w, [task], by('reports'))
  // the failed call that it reports does not count, because the diff and the check do
  expect(code, err).toBe(0)
  const shown = JSON.parse((await w.anode(['build', 'show', 'last', 'a', '--json'])).out)
  expect(shown.reported).toEqual([
    { title: 'Read index.js', kind: 'read', status: 'completed' },
    { title: 'Rename', kind: 'edit', status: 'failed' },
  ])
  const { out } = await w.anode(['build', 'show', 'last', 'a'])
  expect(out).toContain('reported  read  Read index.js  completed\nreported  edit  Rename  failed\n')
})

it('lets a program write nothing outside of its worktree', async () => {
  const w = begin(['outside'])
  const { build } = await runBuild(w, [task], [...by('outside'), '--attempts', '1'])
  expect(build?.tasks[0]?.why).toBe('no_change')
  const shown = JSON.parse((await w.anode(['build', 'show', 'last', 'a', '--json'])).out)
  expect(shown.output).toMatch(/protocol: .+; itself: E(?:ROFS|ACCES|PERM)/)
  expect(shown.output).not.toContain('written')
  expect(existsSync(join(w.dir, '../outside.txt'))).toBe(false)
})

it('serves files of the worktree only, in every form of a path', async () => {
  const w = begin(['links'])
  await runBuild(w, [task], [...by('links'), '--attempts', '1'])
  const shown = JSON.parse((await w.anode(['build', 'show', 'last', 'a', '--json'])).out)
  const ends = shown.output.split('; ')
  expect(ends.pop()).toBe('usual: two')
  expect(ends).toHaveLength(7)
  for (const end of ends) expect(end).toMatch(/: refused, refused$/)
  expect(existsSync(join(w.dir, '../outside.txt'))).toBe(false)
})

it('runs the terminals of a program in its worktree and sandbox', async () => {
  const w = begin(['terminals'])
  const { code, err, build } = await runBuild(w, [task], by('terminals'))
  expect(code, err + JSON.stringify(build)).toBe(0)
  const shown = JSON.parse((await w.anode(['build', 'show', 'last', 'a', '--json'])).out)
  const ends = Object.fromEntries(shown.output.split('; ').map((end: string) => end.split(': ')))
  // exit code, output, whether it is cut, and whether a released terminal answers
  expect(ends).toMatchObject({
    sed: '0  false false',
    exit: '3 hi false false',
    long: '0 0000000007 true false',
    directory: 'refused',
  })
  // the sandbox reports both as its own exit code
  expect(ends.missing).toMatch(/^(?:refused|1 )/)
  expect(ends.killed).toMatch(/^(?:SIGTERM|143)$/)
  expect(shown.output).toMatch(/outside: 0 [^;]*kept false false; directory/)
  expect(existsSync(join(w.dir, '../outside.txt'))).toBe(false)
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
})

/** Paths in the directory of a program: read-only if they exist, and set aside if the program creates them. */
const decisive = [
  'settings.json',
  'hooks/run.sh',
  'CLAUDE.md',
  'deep/er/mcp.json',
  'config.toml',
  'skills/a/SKILL.md',
]
const usual = ['sessions/1.jsonl', 'cache/x', 'auth.json']

it.each([true, false])(
  'keeps a program from what its later sessions follow, if it exists: %s',
  async (exists) => {
    const w = begin(['settles'])
    const own = join(w.dir, '../.mine')
    const settles = {
      command: [process.execPath, program, 'settles', join(w.dir, '../x')],
      write: ['~/.mine'],
    }
    w.put('../.config/anode/config.json', JSON.stringify({ workers: { settles } }))
    w.put('../.mine/paths.json', JSON.stringify([...decisive, ...usual]))
    w.put('../.mine/deep/file', 'x')
    for (const path of exists ? decisive : []) w.put(`../.mine/${path}`, 'mine')
    const { code, err, build } = await runBuild(w, [task], by('settles'))
    expect(code, err + JSON.stringify(build)).toBe(0)
    for (const path of usual) expect(readFileSync(join(own, path), 'utf8')).toBe('changed')
    for (const path of decisive)
      if (exists) expect(readFileSync(join(own, path), 'utf8'), path).toBe('mine')
      else expect(existsSync(join(own, path)), path).toBe(false)
    if (!exists) expect(err).toContain('settings.json.refused')
    else expect(existsSync(join(own, 'deep-2'))).toBe(false)
  },
)

it('takes only refreshed tokens from a listed file, and keeps settings in other formats read-only', async () => {
  const w = begin([])
  const command = [process.execPath, program, 'configures', join(w.dir, '../x')]
  const write = ['~/.mine.json', '~/.mine.toml', '~/.mine.db', '~/.missing.json']
  w.put('../.config/anode/config.json', JSON.stringify({ workers: { configures: { command, write } } }))
  const account = { accessToken: 'old', refresh_token: 'old', expiresAt: 1, idToken: 'old', name: 'Ada' }
  const settings = { hooks: {}, projects: { '/': { hasTrustDialogAccepted: false } }, account, theme: 'dark' }
  const text = (value: object) => `${JSON.stringify(value, null, 4)}\n`
  w.put('../.mine.json', text(settings))
  for (const name of ['.mine.toml', '.mine.db']) w.put(`../${name}`, 'mine')
  const { code, err, build } = await runBuild(w, [task], by('configures'))
  expect(code, err + JSON.stringify(build)).toBe(0)
  const read = (name: string) => readFileSync(join(w.dir, '..', name), 'utf8')
  const fresh = { ...account, accessToken: 'fresh.1', expiresAt: 2 }
  expect(read('.mine.json')).toBe(text({ ...settings, account: fresh }))
  expect([read('.mine.toml'), read('.mine.db')]).toEqual(['mine', 'changed'])
  expect(existsSync(join(w.dir, '../.missing.json'))).toBe(false)
  const shown = JSON.parse((await w.anode(['build', 'show', 'last', 'a', '--json'])).out)
  expect(shown.output).toMatch(/sees its own changes; \.mine\.toml E\w+; \.mine\.db written/)
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
})

it('works with Anode itself as a program', async () => {
  const w = begin([])
  const args = { path: 'src/a/index.js', old_str: 'oldName', new_str: 'newName', replace_all: true }
  const replies = [{ calls: [{ name: 'edit_file', args }] }, { text: 'Renamed.' }]
  w.put('../script.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const words = [...by('anode'), '--model', 'script:../script.jsonl']
  const { code, err, build } = await runBuild(w, [task], words)
  expect(code, err + JSON.stringify(build)).toBe(0)
  expect(git(w.dir, 'show', `${build?.branch}:src/a/index.js`)).toContain('newName')
})

const missing = { missing: { command: ['no-such-program'] } }
test.each([
  ['an unknown name', by('none'), /unknown worker "acp:none"/],
  ['a word that is not a worker', ['--worker', 'me'], /unknown worker "me"/],
  ['a program that is not installed', by('missing'), /acp:missing needs no-such-program/],
  ['a limit in money without a time', [...by('good'), '--budget-usd', '1'], /--worker-minutes/],
])('starts nothing with %s', async (_, words, reason) => {
  const w = begin(['good'])
  const good = { command: [process.execPath, program, 'good'] }
  w.put('../.config/anode/config.json', JSON.stringify({ workers: { ...missing, good } }))
  const { code, err } = await runBuild(w, [task], words)
  expect([code, err]).toEqual([2, expect.stringMatching(reason)])
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
})
