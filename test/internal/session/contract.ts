// The contract for every client of a session, wherever the session runs. Each kind of connection runs it.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { createUlid } from '../../../internal/base/ids.ts'
import { appendEntry, parseLedger } from '../../../internal/research/ledger/ledger.ts'
import { sessionHomeOf } from '../../../internal/research/workspace/session-home.ts'
import type { SessionClient, TopicEvent } from '../../../internal/session/client.ts'
import type { PermissionAnswer } from '../../../internal/session/commands.ts'
import type { SessionTopic } from '../../../internal/session/topics.ts'
import { openJournal } from '../../../internal/store/journal/sqlite.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import type { ThreadEntry } from '../../../internal/store/store.ts'
import { makeStudyEntry } from '../../../internal/study/log/entries.ts'
import { type SessionWorld, sessionWorld, type WatchedClient, watchClient } from '../../support/session.ts'
import { head, task } from '../../support/study.ts'
import { lines } from '../research/report/sample.ts'

type Looking = Pick<SessionClient, 'readTopic' | 'readBlob'>

/** Joins this session with another client, next to its first client. */
export type JoinSession<T> = (at: SessionWorld, own: WatchedClient) => Promise<T>

const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] }
const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const stored = (events: readonly TopicEvent[]) => events.filter((event) => 'pos' in event && event.pos)
const never = () => new AbortController().signal

/** Declares the contract for commands and events. */
export function sessionContract(join: JoinSession<SessionClient>): void {
  it('sends, asks and answers, and every client gets the same events once', async () => {
    const at = await sessionWorld([write, { text: 'It is made.' }])
    const own = await at.open()
    const watch = async () => watchClient(await join(at, own))
    const [one, two] = [await watch(), await watch()]
    expect(one.client.thread).toBe(own.client.thread)
    expect(await one.say('Make a file')).toMatchObject({ ok: true })
    const { waits } = await two.until(({ waits }) => waits.length > 0, 'a question')
    const call = waits[0]?.call ?? ''
    const answer: PermissionAnswer = { allow: true, scope: 'once', rules: [] }
    const id = createUlid()
    const replies = await Promise.all([
      two.send({ type: 'answer_permission', call, answer }, id),
      // a repeated command runs once, also from another client
      (await watch()).send({ type: 'answer_permission', call, answer }, id),
      one.send({ type: 'answer_permission', call, answer: { allow: false } }),
    ])
    expect(replies.map((reply) => (reply.ok ? 'ok' : reply.code))).toEqual(['ok', 'ok', 'already_answered'])
    await Promise.all([one.idle(), two.idle(), own.idle()])
    expect(stored(one.events)).toEqual(stored(own.events))
    expect(stored(two.events)).toEqual(stored(own.events))
    const late = await watch()
    await late.idle()
    expect(stored(late.events)).toEqual(stored(own.events))
    expect(await late.client.readHistory(3, 500)).toEqual(stored(own.events).slice(0, 2))
    const mentions = await late.client.findMentions('a.ts', 5, never())
    expect(mentions).toMatchObject([{ path: 'src/a.ts' }])
    await expect(late.client.findMentions('a.ts', 5, AbortSignal.abort())).rejects.toThrow()
    expect(await late.send({ type: 'session_rules' })).toMatchObject({ ok: true, rules: [] })
    expect(await late.send({ type: 'format_disk' } as never)).toMatchObject({ ok: false, code: 'bad_args' })
  })

  it('gives a slow reader every stored event once, over any number of attempts', async () => {
    const at = await sessionWorld([])
    const thread = await fillThread(at, 3_000)
    const own = await at.open({ kind: 'resume', thread })
    const client = await join(at, own)
    const positions: number[] = []
    for (let attempt = 0; positions.length < 3_000; attempt++) {
      expect(attempt).toBeLessThan(20)
      try {
        for await (const event of client.readEvents(positions.at(-1) ?? 0, never())) {
          if (event.type === 'session.snapshot') break
          if ('pos' in event && event.pos !== undefined) positions.push(event.pos)
          if (positions.length % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 30))
        }
      } catch (error) {
        if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
      }
    }
    expect(positions).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1))
    await client.detach()
  })
}

const note = (text: string): ThreadEntry => ({ type: 'message', payload: { role: 'assistant', text } })

/**
 * Creates a thread with `count` messages and returns its id. With `parent` it is a subagent of that thread.
 */
async function fillThread({ data, cwd }: SessionWorld, count: number, parent?: string): Promise<string> {
  const store = await openStore(data)
  const workspace = realpathSync(cwd)
  const init = { workspace, title: 'Many', profile: 'craft', model: 'builtin/extract' }
  const { id } = store.threads.create({ ...init, ...(parent !== undefined && { parent }) })
  for (let at = 0; at < count; at += 500)
    store.threads.append(
      id,
      'run_1',
      Array.from({ length: Math.min(500, count - at) }, (_, n) => note(`message ${at + n}`)),
    )
  store.close()
  return id
}

const failureOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
  )

/** Reads all events until the topic ends. */
async function readAll(client: Looking, topic: SessionTopic, after = 0): Promise<TopicEvent[]> {
  const events: TopicEvent[] = []
  for await (const event of client.readTopic(topic, after, never())) events.push(event)
  return events
}

/** Declares the contract for topics and full texts, also for clients that cannot send commands. */
export function lookingContract(join_: JoinSession<Looking>): void {
  it('reads a full result in parts, also of a subagent, and no other text', async () => {
    const title = 'Count'
    const at = await sessionWorld([
      bash('seq 1 20000'),
      { calls: [{ name: 'task', args: { title, goal: 'count' } }] },
      { task: title, ...bash('seq 20000 40000') },
      { task: title, text: 'Counted.' },
      { calls: [{ name: 'create_file', args: { path: 'src/a.ts', content: 'new\n', overwrite: true } }] },
      { text: 'many' },
    ])
    const own = await at.open(undefined, { mode: 'unrestricted' })
    await own.say('count')
    await own.idle()
    const client = await join_(at, own)
    const results = (events: readonly TopicEvent[]) =>
      events.flatMap((event) => (event.type === 'tool.result' ? [event.payload] : []))
    const whole = results(own.events).find(({ tool }) => tool === 'bash')?.whole ?? ''
    const text = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`).join('')
    expect(await client.readBlob(whole, 0, 8)).toBe('1\n2\n3\n4\n')
    expect(await client.readBlob(whole, 8, 4)).toBe('5\n6\n')
    let read = ''
    for (let part = 'begun'; part !== ''; read += part)
      part = await client.readBlob(whole, read.length, 30_000)
    expect(read.startsWith(text)).toBe(true)
    expect((await client.readBlob(whole, 0, 1e12)).length).toBe(read.length)
    for (const offset of [read.length, 1e9, Number.MAX_SAFE_INTEGER])
      expect(await client.readBlob(whole, offset, 10)).toBe('')
    const [child] = own.events.flatMap((event) =>
      event.type === 'child.started' ? [event.payload.thread] : [],
    )
    const topic = { kind: 'child', thread: child ?? '' } as const
    const [its] = results(await readAll(client, topic)).flatMap(({ whole }) => whole ?? [])
    expect(await client.readBlob(its ?? '', 0, 6)).toBe('20000\n')

    const store = await openStore(at.data)
    const foreign = store.blobs.put(Buffer.from('of nobody'))
    const elsewhere = await fillThread(at, 1)
    store.threads.append(elsewhere, 'run_2', [
      { type: 'tool.result', payload: { call: 'c', tool: 'bash', ok: true, text: 'of', whole: foreign } },
    ])
    // The earlier content of a file is stored for undo and is not readable.
    const before = own.events.flatMap((event) => (event.type === 'file.written' ? [event.payload.whole] : []))
    expect(before).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    store.close()
    const others = [...before, foreign, '0'.repeat(64), '../../etc/passwd', '%2e%2e', 'a/../b', 'x']
    for (const hash of others)
      expect([hash, await failureOf(client.readBlob(hash ?? '', 0, 10))]).toEqual([hash, 'not_found'])
  })

  it('follows a subagent from any of its events to its end, and rejects other threads', async () => {
    const title = 'Wait'
    const at = await sessionWorld([
      { calls: [{ name: 'task', args: { title, goal: 'wait' } }] },
      { task: title, ...bash('while [ ! -e go ]; do sleep 0.05; done') },
      { task: title, text: 'Waited.' },
      { text: 'over' },
    ])
    const own = await at.open(undefined, { mode: 'unrestricted' })
    await own.say('begin')
    const { children } = await own.until((view) => view.children.length === 1, 'a child')
    const client = await join_(at, own)
    const topic = { kind: 'child', thread: children[0]?.thread ?? '' } as const
    const seen: TopicEvent[] = []
    const all = (async () => {
      for await (const event of client.readTopic(topic, 0, never())) seen.push(event)
    })()
    await expect.poll(() => seen.some(({ type }) => type === 'tool.call'), { timeout: 15_000 }).toBe(true)
    expect(seen.some(({ type }) => type === 'tool.result')).toBe(false)
    await own.send({ type: 'run_shell', line: 'touch go', tell: false })
    await all
    expect(seen.at(-1)?.type).toBe('run.ended')
    const positions = seen.map((event) => ('pos' in event ? event.pos : 0))
    expect(positions).toEqual(positions.map((_, index) => index + 1))
    await own.idle()
    // it can also be read after its end
    expect(await readAll(client, topic)).toEqual(seen)
    expect(await readAll(client, topic, 2)).toEqual(seen.slice(2))
    expect(await readAll(client, topic, Number.MAX_SAFE_INTEGER)).toEqual([])
    const copy = await own.send({ type: 'fork' })
    const others = [
      own.client.thread,
      copy.ok ? copy.thread : '',
      await fillThread(at, 1),
      // only its own record names the parent
      await fillThread(at, 1, own.client.thread),
      'sess_nobody',
      '../../etc/passwd',
    ]
    for (const thread of others)
      expect([thread, await failureOf(readAll(client, { kind: 'child', thread: thread ?? '' }))]).toEqual([
        thread,
        'not_found',
      ])
  })

  it('loses nothing of a long subagent for a slow reader', async () => {
    const at = await sessionWorld([{ text: 'here' }])
    const own = await at.open()
    await own.say('begin')
    await own.idle()
    const store = await openStore(at.data)
    const thread = await fillThread(at, 3_000, own.client.thread)
    store.threads.append(own.client.thread, 'run_2', [
      { type: 'child.started', payload: { thread, title: 'Many' } },
      { type: 'run.ended', payload: { end: 'done' } },
    ])
    store.close()
    const client = await join_(at, own)
    const positions: number[] = []
    for await (const event of client.readTopic({ kind: 'child', thread }, 0, never())) {
      if ('pos' in event && event.pos !== undefined) positions.push(event.pos)
      if (positions.length % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(positions).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1))
  })

  boardContract(join_)
}

function boardContract(join_: JoinSession<Looking>): void {
  it('follows a study from its first line to its end, and no earlier study', async () => {
    const { at, client } = await joinQuiet(join_)
    const journal = await openJournal(at.data)
    const project = realpathSync(at.cwd)
    const begin = async (id: string, question: string) =>
      journal.create(id, makeStudyEntry('study', head({ id, question, project, created: Date.now() })), {})
    await begin('01AAAAAAAAAAAAAAAAAAAAAAAA', 'Which was first?')
    const since = Date.now() + 1
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(since)
    const study = follow(client, { kind: 'study', since })
    const first = study.next()
    await begin('01BBBBBBBBBBBBBBBBBBBBBBBB', 'Which is second?')
    expect((await first).value).toMatchObject({
      type: 'study.board',
      payload: { question: 'Which is second?', isOver: false, tasks: [] },
    })
    const tasks = [task(1, 'locks'), task(2, 'crashes')]
    const plan = makeStudyEntry('plan', { of: 'rules', tasks, dropped: [], notices: [] })
    await journal.append('01BBBBBBBBBBBBBBBBBBBBBBBB', [plan])
    await study.until(({ type, payload }) => type === 'study.board' && payload.tasks.length === 2)
    await journal.append('01BBBBBBBBBBBBBBBBBBBBBBBB', [makeStudyEntry('status', { status: 'cancelled' })])
    await study.until(({ type, payload }) => type === 'study.board' && payload.isOver)
    expect(await study.next()).toEqual({ value: undefined, done: true })
    const named = follow(client, { kind: 'study', study: '01AAAAAAAAAAAAAAAAAAAAAAAA' })
    await named.until(
      ({ type, payload }) => type === 'study.board' && payload.question === 'Which was first?',
    )
    named.stop()
    expect((await named.next()).done).toBe(true)
    await journal.close()
  })

  it('follows the experiment session of the workspace as its ledger grows', async () => {
    const { at, client } = await joinQuiet(join_)
    const experiment = follow(client, { kind: 'experiment' })
    const first = experiment.next()
    const dir = join(sessionHomeOf(at.data, realpathSync(at.cwd)), 'try')
    mkdirSync(dir, { recursive: true })
    let ledger = parseLedger(new Uint8Array(), '')
    for (const line of lines.slice(0, -1)) ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
    expect((await first).value).toMatchObject({ type: 'experiment.board' })
    await appendEntry(join(dir, 'ledger.jsonl'), ledger, lines.at(-1) as { type: string })
    await experiment.until(({ type, payload }) => type === 'experiment.board' && payload.best === 6)
    experiment.stop()
    expect((await experiment.next()).done).toBe(true)
  })
}

/** Opens a session with one message, so that other processes know it. */
async function joinQuiet(join_: JoinSession<Looking>) {
  const at = await sessionWorld([{ text: 'here' }])
  const own = await at.open()
  await own.say('begin')
  await own.idle()
  return { at, client: await join_(at, own) }
}

/** Returns the boards of a topic, and a promise for each next board that matches. */
function follow(client: Looking, topic: SessionTopic) {
  const stop = new AbortController()
  const boards = client.readTopic(topic, 0, stop.signal)[Symbol.asyncIterator]()
  const until = async (fits: (event: TopicEvent) => boolean): Promise<TopicEvent> => {
    for (;;) {
      const { value, done } = await boards.next()
      if (done) throw new Error('it has ended')
      if (fits(value)) return value
    }
  }
  return { until, next: () => boards.next(), stop: () => stop.abort() }
}
