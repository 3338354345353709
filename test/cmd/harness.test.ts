// `anode harness`: whole commands that are recorded, replayed without their models, stepped
// through and compared.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { type ServedCall, serveModel } from '../support/model-server.ts'

const hasBwrap = (process.env.PATH ?? '').split(':').some((dir) => existsSync(join(dir, 'bwrap')))

let at: World
beforeEach(() => {
  at = world()
  at.put('doc/lock.md', '# Locks\n\nThe store locks files with O_EXCL.\n')
  at.put('doc/crash.md', '# Crash\n\nAfter a crash the journal is replayed.\n')
  at.put('doc/time.md', '# Time\n\nA lock is held for at most 30 seconds.\n')
})
afterEach(() => at.remove())

const script = () => join(at.dir, '..', 'replies.jsonl')
/** Writes the responses of a model. The file is deleted before a recording is replayed. */
const saying = (...replies: object[]) => {
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  return ['--model', `script:${script()}`]
}
const call = (name: string, args: object) => ({ calls: [{ name, args }] })

async function record(...words: string[]) {
  const done = await at.anode(['harness', 'record', '--', ...words])
  const [, id = ''] = /recorded (rec_\w+): exit/.exec(done.err) ?? []
  rmSync(script(), { force: true })
  return { ...done, id }
}

const replay = (id = 'last', ...more: string[]) => at.anode(['harness', 'replay', id, ...more])

interface Step {
  n: number
  at: number
  kind: string
  where: string
  about: string
}

const steps = async (id: string, ...more: string[]) =>
  (await at.anode(['harness', 'step', id, '--json', ...more])).out
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line) as Step] : []))

const ids = /\b(?:[a-z]+_)?[0-9A-HJKMNP-TV-Z]{26}\b/g
const withoutIdsAndTimes = (text: string) =>
  text
    .replace(ids, '<id>')
    .replace(/"(wall_ms|pid|ms)":\s*\d+(\.\d+)?/g, '"$1":0')
    .replace(/"created":\s*"[^"]*"/g, '"created":""')

const worker = (task: string, path: string, quote: string) => [
  {
    task,
    calls: [
      { name: 'read', args: { path } },
      { name: 'grep', args: { pattern: 'lock' } },
    ],
  },
  { task, ...call('send_message', { to: 'aggregator', body: `${task} has read ${path}` }) },
  { task, claims: [{ text: quote, evidence: `E${task.slice(1)}.1`, quote }] },
]

it('replays a study of three workers to the same report, byte for byte apart from ids and times', async () => {
  const tasks = ['lock', 'crash', 'time'].map((name, i) => ({
    id: `t${i + 1}`,
    objective: `What does ${name}.md say?`,
    terms: [name],
  }))
  at.put('../plan.json', JSON.stringify({ tasks }))
  const model = saying(
    ...worker('t1', 'doc/lock.md', 'The store locks files with O_EXCL.'),
    ...worker('t2', 'doc/crash.md', 'After a crash the journal is replayed.'),
    ...worker('t3', 'doc/time.md', 'A lock is held for at most 30 seconds.'),
    { task: 'report', ...call('receive_messages', {}) },
    { task: 'report', text: '## Answer\n\nLocks [C1.1], crashes [C2.1] and time [C3.1].' },
  )
  const words = [
    'study',
    'How does the store lock, and what of a crash?',
    '--plan',
    join(at.dir, '..', 'plan.json'),
  ]
  const first = await record(...words, '--workers', '3', '--json', '--quiet', ...model)
  expect(first.code).toBe(0)
  const report = JSON.parse(first.out)
  expect(report.tasks).toHaveLength(3)
  expect(report.claims).toHaveLength(3)
  for (let i = 0; i < 3; i++) {
    const again = await replay(first.id)
    expect(again.err).toContain('is the same as')
    expect(again.code).toBe(0)
    expect(withoutIdsAndTimes(again.out)).toBe(withoutIdsAndTimes(first.out))
    expect(JSON.parse(again.out).id).not.toBe(report.id)
  }
  const all = await steps(first.id)
  const kinds = new Set(all.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['decision', 'event', 'reply', 'request', 'result'])
  expect(all.map(({ n }) => n)).toEqual(all.map((_, i) => i + 1))
  expect(all.filter(({ kind }) => kind === 'request').map(({ where }) => where)).toEqual(
    expect.arrayContaining(['t1', 't2', 't3', 'report']),
  )
})

/** Runs whose results contain ids, times, process ids and durations that differ in each run. */
const runs: Readonly<Record<string, { toolset?: string; replies: object[]; more?: string[] }>> = {
  'a subagent': {
    replies: [
      call('task', { goal: 'Read lock.md', read_only: true }),
      call('read', { path: 'doc/lock.md' }),
      { text: 'It uses O_EXCL.' },
      { text: 'done' },
    ],
  },
  mail: {
    replies: [
      call('send_message', { to: 'me', body: 'look' }),
      call('receive_messages', {}),
      { text: 'done' },
    ],
  },
  'a command that prints times and ids': {
    replies: [
      // outside a sandbox each run has another process id
      call('bash', {
        command: `date; date +%s%3N; mktemp -d; mktemp; ${hasBwrap ? 'echo $$; ' : ''}sleep 0.1`,
      }),
      { text: 'done' },
    ],
    more: ['--approval', 'unrestricted'],
  },
  'Bash of researchharness': {
    toolset: 'researchharness',
    replies: [call('Bash', { command: 'sleep 0.05; echo hi' }), { text: 'done' }],
    more: ['--approval', 'unrestricted'],
  },
  'a terminal': {
    toolset: 'researchharness',
    replies: [
      call('TerminalStart', {}),
      call('TerminalWrite', { session_id: 'term_1', input: 'echo hello' }),
      { text: 'done' },
    ],
    more: ['--approval', 'unrestricted'],
  },
  'a denied call': { replies: [call('bash', { command: 'touch made' }), { text: 'denied' }] },
}

describe.each(Object.entries(runs))('%s', (_, { toolset, replies, more = [] }) => {
  it('replays', async () => {
    const words = ['execute', 'Do it', ...more, ...(toolset ? ['--toolset', toolset] : [])]
    const first = await record(...words, ...saying(...replies))
    expect(first.err).toMatch(/recorded rec_/)
    const again = await replay(first.id)
    expect(again.err).toContain('is the same as')
    expect(again).toMatchObject({ code: 0, out: first.out })
    const compared = await at.anode(['harness', 'inspect', first.id])
    expect(compared.out).toContain(`replay     rec_`)
  })
})

/** Commands whose agents use different models. `slow` delays the responses of a model, in milliseconds. */
const others: Readonly<Record<string, { calls: ServedCall[]; slow?: Readonly<Record<string, number>> }>> = {
  'an oracle on another model': {
    calls: [{ name: 'oracle', args: { question: 'Which lock?', model: 'lab/second' } }],
  },
  'two oracles with equal requests on different models': {
    calls: ['second', 'third'].map((name) => ({
      name: 'oracle',
      args: { question: 'Which lock?', model: `lab/${name}` },
    })),
    slow: { second: 300 },
  },
  'two oracles with equal requests on one model': {
    calls: [1, 2].map(() => ({ name: 'oracle', args: { question: 'Which lock?', model: 'lab/numbered' } })),
    slow: { numbered: 300 },
  },
  'an oracle on a model that does not exist': {
    calls: [{ name: 'oracle', args: { question: 'Which lock?', model: 'nope/x' } }],
  },
  'a subagent whose profile has a model': {
    calls: [{ name: 'task', args: { goal: 'Which lock?', profile: 'reader', read_only: true } }],
  },
}

describe.each(Object.entries(others))('%s', (_, { calls, slow = {} }) => {
  it('replays', async () => {
    let numbered = 0
    const server = await serveModel(({ body }) => {
      const name = String(body.model)
      if (name === 'numbered') {
        numbered++
        // the response to the first request arrives last
        return { text: `${name} ${numbered}`, delayMs: numbered === 1 ? (slow[name] ?? 0) : 0 }
      }
      if (name !== 'first') return { text: `${name} says O_EXCL.`, delayMs: slow[name] ?? 0 }
      const results = body.messages.filter(({ role }: { role: string }) => role === 'tool')
      return results.length === 0
        ? { calls: calls.map((one, i) => ({ ...one, id: `c${i}` })) }
        : { text: `Heard: ${results.map(({ content }: { content: string }) => content).join(' / ')}` }
    })
    onTestFinished(() => server.close())
    const config = { providers: { lab: { baseUrl: server.url, window: 100_000 } } }
    at.put('../.config/anode/config.json', JSON.stringify(config))
    at.put('../.config/anode/profiles/reader.md', '---\nmodel: lab/second\ntools: [read]\n---\nRead.\n')
    const first = await record('execute', 'Ask them', '--model', 'lab/first')
    expect(first.out).toMatch(/Heard: /)
    const asked = server.requests.length
    await server.close()
    const again = await replay(first.id)
    expect(again.err).toContain('is the same as')
    expect(again).toMatchObject({ code: 0, out: first.out })
    expect(server.requests.length).toBe(asked)
  })
})

it('compares agents that started together in any order of their start', async () => {
  const goals = ['Read lock.md', 'Read nothing', 'Say done']
  const first = await record(
    'execute',
    'Find it',
    ...saying(
      { calls: goals.map((goal, i) => ({ id: `c${i}`, name: 'task', args: { goal, read_only: true } })) },
      ...goals.map((goal) => ({ text: `For ${goal}.` })),
      { text: 'done' },
    ),
  )
  const other = JSON.parse((await replay(first.id, '--json')).out).replay
  const file = join(at.data, 'harness', other, 'command.json')
  const stored = JSON.parse(readFileSync(file, 'utf8'))
  const [root, ...children] = stored.threads
  expect(children).toHaveLength(3)
  const orders = [0, 1, 2].flatMap((i) => [0, 1, 2].flatMap((j) => (i === j ? [] : [[i, j, 3 - i - j]])))
  for (const order of orders) {
    writeFileSync(file, JSON.stringify({ ...stored, threads: [root, ...order.map((i) => children[i])] }))
    const compared = await at.anode(['harness', 'inspect', first.id, other])
    expect(compared.out).toContain('is the same as')
    expect(compared.code).toBe(0)
  }
  // a missing thread is still a difference
  writeFileSync(file, JSON.stringify({ ...stored, threads: [root, children[2], children[0]] }))
  expect(await at.anode(['harness', 'inspect', first.id, other])).toMatchObject({ code: 1 })
})

it('replaces ids of the recording in a response with ids of the run', async () => {
  const first = await record(
    'execute',
    'Find it',
    ...saying(
      call('task', { goal: 'Read lock.md', read_only: true }),
      { text: 'It uses O_EXCL.' },
      { text: 'done' },
    ),
  )
  const [, thread = ''] =
    /thread (sess_\w+)/.exec((await steps(first.id, '--kind', 'result'))[0]?.about ?? '') ?? []
  expect(thread).not.toBe('')
  // a response that was recorded with the id of that thread
  const file = join(at.data, 'harness', first.id, 'replies.jsonl')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const last = JSON.parse(lines.at(-1) as string)
  expect(last.ids).toContain(thread)
  last.events = [{ type: 'text', text: `The thread is ${thread}.` }, ...last.events.slice(1)]
  writeFileSync(file, `${[...lines.slice(0, -1), JSON.stringify(last)].join('\n')}\n`)
  const { out } = await replay(first.id)
  expect(out).toMatch(/^The thread is sess_\w+\.\n$/)
  expect(out).not.toContain(thread)
})

it('reports the first difference of a run, and exits with code 1', async () => {
  const first = await record(
    'execute',
    'Read it',
    ...saying(call('read', { path: 'doc/lock.md' }), { text: 'done' }),
  )
  at.put('doc/lock.md', '# Locks\n\nThe store uses flock.\n')
  const again = await replay(first.id)
  expect(again.code).toBe(1)
  expect(again.err).toContain('differs from')
  expect(again.err).toContain('flock')
  const json = await replay(first.id, '--json')
  const { replay: other, differences } = JSON.parse(json.out)
  expect(differences.map(({ where }: { where: string }) => where)).toContain('thread 1')
  const compared = await at.anode(['harness', 'inspect', first.id, other])
  expect(compared).toMatchObject({ code: 1, out: expect.stringContaining('differs from') })
})

it('steps through calls, decisions and results', async () => {
  const first = await record(
    'execute',
    'Do it',
    ...saying(call('bash', { command: 'touch made' }), { text: 'It was denied.' }),
  )
  const all = await steps(first.id)
  expect(all.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['request', 'reply', 'decision', 'result']),
  )
  expect((await steps(first.id, '--kind', 'decision')).every(({ kind }) => kind === 'decision')).toBe(true)
  expect((await steps(first.id, '--from', '3'))[0]?.n).toBe(3)
  const text = await at.anode(['harness', 'step', first.id])
  expect(text.out.trim().split('\n')).toHaveLength(all.length)
  expect((await steps(first.id, '--from', String(all.length))).map(({ n }) => n)).toEqual([all.length])
  for (const from of ['-1', '0', '1.5', '1e3', String(all.length + 1), '1e99']) {
    const refused = await at.anode(['harness', 'step', first.id, '--from', from])
    expect(refused, from).toMatchObject({ code: 2, out: '' })
    expect(refused.err, from).toMatch(
      new RegExp(`--from must be a whole number from 1 to ${all.length}, got .*\nnearest: --from \\d+\n`),
    )
  }
})

it.each([
  [['harness', 'record'], 'no command to record'],
  [['harness', 'record', '--', 'runs', 'start', 'x'], 'cannot record "anode runs"'],
  [['harness', 'record', '--', 'execute', '--nope'], 'unknown flag --nope'],
  [['harness', 'replay'], 'no recordings yet'],
  [['harness', 'step', 'nope'], 'unknown recording "nope"'],
  [['harness', 'inspect', 'nope'], 'unknown recording "nope"'],
  [['harness', 'delete', 'last'], 'no recordings yet'],
])('rejects %j and prints the next step', async (words, why) => {
  const { code, err } = await at.anode(words)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(why) })
  expect(err.trim().split('\n').length).toBeGreaterThan(1)
  expect((await at.anode(['harness', 'list'])).err).toContain('No recordings yet')
})

it('stores a recording privately, lists it, and deletes it with its replays', async () => {
  const first = await record('execute', 'Say it', ...saying({ text: 'done' }))
  await replay()
  const listed = JSON.parse((await at.anode(['harness', 'list', '--json'])).out)
  expect(listed.map(({ of }: { of?: string }) => of)).toEqual([first.id, undefined])
  expect((await at.anode(['harness', 'delete', first.id, '--yes'])).code).toBe(0)
  expect(JSON.parse((await at.anode(['harness', 'list', '--json'])).out)).toEqual([])
})
