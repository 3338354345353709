// Commands that `anode harness` records: recorded with its models, replayed without them; and its steps on a terminal.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { git } from '../support/repo.ts'
import { openScreenWorld } from '../support/screen-program.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put('a.txt', '60\n')
  at.put('b.txt', '40\n')
  at.put('.auto/measure.sh', 'echo "METRIC ms=$(( $(cat a.txt) + $(cat b.txt) ))"\n')
  at.put(
    '.auto/config.json',
    JSON.stringify({ name: 'sum', primary_metric: 'ms', direction: 'lower', scope: ['*.txt'] }),
  )
  git(at.dir, 'init', '-q', '-b', 'main')
  git(at.dir, 'config', 'user.name', 'A')
  git(at.dir, 'config', 'user.email', 'a@example.org')
  git(at.dir, 'add', '-A')
  git(at.dir, 'commit', '-q', '-m', 'first')
})
afterEach(() => at.remove())

const script = () => join(dirname(at.dir), 'replies.jsonl')
const call = (name: string, args: object) => ({ calls: [{ name, args }] })
const finding = { file: 'a.txt', line: 1, severity: 'high', title: 'Less', detail: 'Why.\nAnd how.' }

interface Recorded {
  words: readonly string[]
  /** Responses of the model. Default: the command uses no model. */
  replies?: readonly object[]
  before?(): Promise<void>
  shows: RegExp
}

const rows: Readonly<Record<string, Recorded>> = {
  review: {
    words: ['review'],
    replies: [{ task: 'review', text: JSON.stringify({ findings: [finding] }) }],
    before: async () => at.put('a.txt', '50\n'),
    shows: /Less/,
  },
  'review as JSON': {
    words: ['review', '--json'],
    replies: [{ task: 'review', text: JSON.stringify({ findings: [finding] }) }],
    before: async () => at.put('a.txt', '50\n'),
    shows: /"title": ?"Less"/,
  },
  'execute in mode auto': {
    words: ['execute', '--approval', 'auto', 'Add them'],
    replies: [
      call('bash', { command: 'cat a.txt b.txt' }),
      call('bash', { command: 'rm -rf /etc/hosts' }),
      call('create_file', { path: 'sum.txt', content: '100\n', overwrite: true }),
      { text: 'It is 100.' },
    ],
    shows: /It is 100\./,
  },
  'research auto, whose agents work in worktrees': {
    words: ['research', 'auto', '--policy', 'model', '--parallel', '1', '--max-runs', '2'],
    replies: [
      { task: 'experiment 2', ...call('create_file', { path: 'a.txt', content: '50\n', overwrite: true }) },
      { task: 'experiment 2', text: 'Less in a\nHypothesis: it is smaller' },
    ],
    before: async () => {
      for (const words of [['init', '--skip-null-test'], ['run'], ['log', '--status', 'baseline']])
        expect(await at.anode(['research', ...words])).toMatchObject({ code: 0 })
    },
    shows: /Less in a {2}90/,
  },
  'research auto with two candidates made at the same time': {
    words: ['research', 'auto', '--policy', 'model', '--parallel', '2', '--max-runs', '3'],
    replies: ['2', '3'].flatMap((n) => {
      const task = `experiment ${n}`
      const file = { path: n === '2' ? 'a.txt' : 'b.txt', content: '30\n', overwrite: true }
      return [
        { task, ...call('create_file', file) },
        { task, text: `Less in ${file.path}\nHypothesis: it is smaller` },
      ]
    }),
    before: async () => {
      for (const words of [['init', '--skip-null-test'], ['run'], ['log', '--status', 'baseline']])
        expect(await at.anode(['research', ...words])).toMatchObject({ code: 0 })
    },
    shows: /Less in a\.txt {2}70[\s\S]*Less in b\.txt/,
  },
  'tools use without a model': { words: ['tools', 'use', 'read', 'a.txt'], shows: /60/ },
}

it.each(Object.entries(rows))('%s replays', { timeout: 120_000 }, async (_, row) => {
  const { words, replies, before, shows } = row
  await before?.()
  mkdirSync(join(at.data, 'research'), { recursive: true })
  const kept = join(dirname(at.dir), 'kept')
  cpSync(at.dir, join(kept, 'dir'), { recursive: true })
  cpSync(join(at.data, 'research'), join(kept, 'research'), { recursive: true, force: true })
  if (replies) writeFileSync(script(), replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const model = replies ? ['--model', `script:${script()}`] : []
  const first = await at.anode(['harness', 'record', '--', ...words, ...model])
  const [, id = ''] = /recorded (rec_\w+): exit/.exec(first.err) ?? []
  expect(id, first.err).not.toBe('')
  expect(first.out + first.err).toMatch(shows)
  // as it was before, without the model
  rmSync(script(), { force: true })
  for (const [from, to] of [
    ['dir', at.dir],
    ['research', join(at.data, 'research')],
  ] as const) {
    rmSync(to, { recursive: true, force: true })
    cpSync(join(kept, from), to, { recursive: true })
  }
  const again = await at.anode(['harness', 'replay', id])
  expect(again.err).toContain('is the same as')
  expect(again.code).toBe(0)
  const [, other = ''] = /(rec_\w+) is the same as/.exec(again.err) ?? []
  const compared = await at.anode(['harness', 'inspect', id, ...(other === '' ? [] : [other])])
  expect(compared.code, compared.out).toBe(0)
})

it('steps on a terminal: a line feed is the next step, f shows it whole, a number jumps, q ends', async () => {
  const here = openScreenWorld([call('bash', { command: 'echo one' }), { text: 'It is done.' }])
  const recorded = await here.anode([
    ...['harness', 'record', '--', 'execute', '--approval', 'unrestricted', 'Do it', ...here.model],
  ])
  expect(recorded.code).toBe(0)
  const all = (await here.anode(['harness', 'step', 'last', '--json'])).out.trim().split('\n')
  const steps = all.map((line) => JSON.parse(line) as { n: number; kind: string })
  expect(steps.length).toBeGreaterThan(4)
  const shown = (n: number) => new RegExp(`^ +${n} \\+\\d+\\.\\d{3} ${steps[n - 1]?.kind}`, 'm')
  const open = () => here.start(['harness', 'step', 'last'], { rows: 60 })
  const screen = open()
  await screen.until(shown(1))
  await screen.until(/Enter: next step, number: that step, f: the whole step, q: end/)
  expect(screen.screen()).not.toMatch(shown(2))
  screen.type('\r')
  await screen.until(shown(2))
  screen.type('f\r')
  await screen.until(/^\{$/m)
  screen.type('4\r')
  await screen.until(shown(4))
  expect(screen.screen()).not.toMatch(shown(3))
  for (const word of ['-1', '0', '1.5', '1e3', String(steps.length + 1), '99999999999999999999']) {
    screen.type(`${word}\r`)
    await screen.until(new RegExp(`^no step ${word}; type a whole number from 1 to ${steps.length}$`, 'm'))
  }
  expect(screen.screen()).not.toMatch(shown(5))
  screen.type('2\r')
  await screen.until(() => (screen.screen().match(new RegExp(shown(2), 'gm')) ?? []).length > 1)
  screen.type('q\r')
  expect(await screen.exit).toBe(0)
  // the last step ends the replay, and so does the end of the input
  const last = open()
  await last.until(shown(1))
  last.type(`${steps.length}\r`)
  await last.until(shown(steps.length))
  expect(await last.exit).toBe(0)
  const left = open()
  await left.until(/q: end/)
  left.type('\x04')
  expect(await left.exit).toBe(0)
  const stopped = open()
  await stopped.until(/q: end/)
  stopped.type('\x03')
  expect(await stopped.exit).toBe(130)
})
