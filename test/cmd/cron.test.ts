// `anode cron` as users run it: jobs that are added, listed, run as agents, studies or
// experiments, and removed.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../internal/store/sqlite.ts'
import { type World, world } from '../support/anode.ts'
import { relayProgram } from '../support/relay.ts'

let w: World
beforeAll(() => {
  w = world()
  w.put('script.jsonl', '{"text":"Nothing has changed."}\n')
  w.put('lock.md', 'The store locks files with O_EXCL.\n')
})
afterAll(() => w.remove())

async function makeDue(name: string): Promise<void> {
  const db = await openDatabase(w.data)
  db.write(() => db.run('UPDATE cron_job SET next = ? WHERE name = ?', Date.now() - 180_000, name))
  db.close()
}

test('runs a due task in a new thread without a user', async () => {
  const added = await w.anode([
    ...['cron', 'add', '0 7 * * 1-5', '--execute', 'What changed since yesterday?'],
    ...['--model', 'script:script.jsonl', '--timezone', 'Europe/Berlin'],
  ])
  expect([added.code, added.err]).toEqual([0, ''])
  expect(added.out).toMatch(/^what-changed-since-yesterday: 0 7 \* \* 1-5 \(Europe\/Berlin\), first at /)
  const crontab = added.out.split('\n').find((line) => line.startsWith('* * * * *'))
  const data = /\s/.test(w.data) ? `'${w.data}'` : w.data
  expect(crontab).toBe(
    `* * * * * ANODE_DATA_DIR=${data} ${process.execPath} ${process.cwd()}/dist/anode.cjs cron run --once ` +
      '>/dev/null 2>&1',
  )
  await makeDue('what-changed-since-yesterday')
  const ran = await w.anode(['cron', 'run', '--once', '--json'])
  expect(ran.err).toMatch(/started late\n.* done\n$/)
  const [run] = JSON.parse(ran.out)
  expect(run).toMatchObject({ state: 'done', late: true, exit: 0, note: 'Nothing has changed.' })
  const { out } = await w.anode(['threads', 'export', run.thread])
  expect(out).toContain('What changed since yesterday?')
  const listed = JSON.parse((await w.anode(['cron', 'list', '--json'])).out)
  expect(listed).toMatchObject([
    { enabled: true, profile: null, last: { thread: run.thread, state: 'done' } },
  ])
})

test('denies and records a call that needs approval, unless a relay answers', async () => {
  const touch = { name: 'bash', args: { command: 'touch made' } }
  w.put('asks.jsonl', `${JSON.stringify({ calls: [touch] })}\n{"text":"the end"}\n`)
  await w.anode([
    'cron',
    'add',
    '@daily',
    '--execute',
    'go',
    '--model',
    'script:asks.jsonl',
    '--name',
    'asks',
  ])
  await w.anode(['cron', 'run', 'asks'])
  const history = async () => JSON.parse((await w.anode(['cron', 'history', 'asks', '--json'])).out)[0]
  const denied = 'denied because no user could approve: bash touch made\nthe end'
  expect(await history()).toMatchObject({ state: 'partial', exit: 4, note: denied })
  const { command } = relayProgram('console.log(\'{"allow":true}\')')
  w.put('../config.json', JSON.stringify({ approvals: { relay: { command } } }))
  await w.anode(['cron', 'run', 'asks'], { env: { ANODE_CONFIG: join(w.dir, '../config.json') } })
  expect(await history()).toMatchObject({ state: 'done', note: 'the end' })
  await w.anode(['cron', 'remove', 'asks', '--yes'])
})

test('runs a study by hand and records its id', async () => {
  const added = await w.anode([
    'cron',
    'add',
    '@weekly',
    '--study',
    'How are files locked?',
    '--name',
    'locks',
    '--json',
  ])
  expect(JSON.parse(added.out)).toMatchObject({ kind: 'study', crontab: expect.stringContaining('--once') })
  const ran = await w.anode(['cron', 'run', 'locks', '--json'], { env: { ANODE_MODEL: '' } })
  const [run] = JSON.parse(ran.out)
  expect(run).toMatchObject({
    state: expect.stringMatching(/done|partial|limit/),
    thread: expect.any(String),
  })
  expect((await w.anode(['study', 'report', run.thread])).out).toContain('O_EXCL')
})

test('fails with the reason in a workspace without experiments', async () => {
  await w.anode(['cron', 'add', '@daily', '--research', 'random', '--name', 'nights'])
  const { code, out } = await w.anode(['cron', 'run', 'nights'])
  expect([code, out.split('\n', 1)[0]]).toEqual([1, 'failed'])
  expect(out).toMatch(/anode: /)
})

test('switches jobs on and off, shows their history, and removes them', async () => {
  expect((await w.anode(['cron', 'disable', 'nights'])).out).toBe('nights is off\n')
  expect((await w.anode(['cron', 'list'])).out).toMatch(/nights .* off /)
  expect((await w.anode(['cron', 'enable', 'nights'])).out).toMatch(/^nights is on, next at /)
  expect((await w.anode(['cron', 'history', 'nights'])).out).toMatch(/failed/)
  expect((await w.anode(['cron', 'remove', 'nights', '--yes'])).out).toBe('nights removed\n')
  const gone = await w.anode(['cron', 'history', 'nights'])
  expect([gone.code, gone.err.split('\n')]).toEqual([
    2,
    ['anode: unknown job nights', 'Known: locks, what-changed-since-yesterday.', ''],
  ])
})

test('records a missing directory as failed, and runs the other jobs', async () => {
  const other = world()
  const env = { ANODE_DATA_DIR: w.data }
  await other.anode(['cron', 'add', '@daily', '--execute', 'x', '--name', 'lost'], { env })
  rmSync(other.dir, { recursive: true })
  await makeDue('lost')
  const { out, code } = await w.anode(['cron', 'run', '--once', '--json'])
  expect([code, JSON.parse(out)[0]]).toMatchObject([1, { state: 'failed', note: `${other.dir} is gone` }])
  other.remove()
})

test.each([
  [['add', '61 * * * *', '--execute', 'x'], /minute: 61[\s\S]*Five fields/],
  [
    ['add', '@daily', '--execute', 'x', '--timezone', 'Europe/Atlantis'],
    /unknown time zone Europe\/Atlantis/,
  ],
  [['add', '@daily', '--execute', 'x', '--profile', 'missing'], /unknown profile "missing"[\s\S]*Known: /],
  [['add', '@daily'], /nothing to run/],
  [['add', '@daily', '--execute', 'x', '--study', 'y'], /runs one thing/],
  [['next', '@reboot'], /@reboot is not known/],
  [['next', '@daily', '--from', 'soon'], /--from soon/],
])('cron %j is rejected', async (words, why) => {
  const { code, err } = await w.anode(['cron', ...words])
  expect([code, err]).toEqual([2, expect.stringMatching(why)])
})

test('keeps a schedule when the clocks change', async () => {
  const { out } = await w.anode([
    ...[
      'cron',
      'next',
      '15 2 * * *',
      '--timezone',
      'Europe/Berlin',
      '--from',
      '2026-10-24T12:00Z',
      '--count',
      '2',
    ],
  ])
  expect(out).toBe('2026-10-25T00:15Z\n2026-10-26T01:15Z\n')
})

test('a command of an agent schedules nothing', async () => {
  w.put(
    'agent.jsonl',
    `${JSON.stringify({ calls: [{ name: 'bash', args: { command: `${process.execPath} ${process.cwd()}/dist/anode.cjs cron add @daily --execute x` } }] })}\n{"text":"done"}\n`,
  )
  const { out } = await w.anode([
    '-x',
    'go',
    '--model',
    'script:agent.jsonl',
    '--approval',
    'unrestricted',
    '--stream-json',
    '--sandbox',
    'off',
  ])
  expect(out).toContain('only a user may decide this')
  expect(JSON.parse((await w.anode(['cron', 'list', '--json'])).out)).toHaveLength(2)
})
