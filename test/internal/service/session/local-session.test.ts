// The contract of a session over the real parts: store, tools, policy, processes, and a model
// with scripted responses.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listKnownModels } from '../../../../internal/service/models/model-overview.ts'
import { openLocalService } from '../../../../internal/service/session/local-service.ts'
import type {
  PermissionAnswer,
  QuestionAnswer,
  SessionCommand,
} from '../../../../internal/session/commands.ts'
import type { CallBlock, SessionView } from '../../../../internal/session/view/session-view.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import type { ThreadEntry } from '../../../../internal/store/store.ts'
import { serveModel } from '../../../support/model-server.ts'
import { sessionWorld, watchClient } from '../../../support/session.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const write = (path: string, content: string) => ({
  calls: [{ name: 'create_file', args: { path, content } }],
})
const callsOf = (view: SessionView) =>
  view.blocks.filter((block): block is CallBlock => block.kind === 'call')
const answersOf = (view: SessionView) =>
  view.blocks.flatMap((one) => (one.kind === 'answer' ? [one.text] : []))
const usersOf = (view: SessionView) =>
  view.blocks.flatMap((one) => (one.kind === 'user' && one.origin === undefined ? [one.text] : []))

describe('a session', () => {
  it('writes nothing before the first message, and answers it', async () => {
    const { open, service } = await sessionWorld([{ text: 'hello' }])
    const session = await open()
    await session.until(({ model }) => model.id !== '', 'the snapshot')
    expect(await service.listThreads({ limit: 10 })).toEqual([])
    expect(await session.say('hi there')).toMatchObject({ ok: true })
    const view = await session.idle()
    expect(usersOf(view)).toEqual(['hi there'])
    expect(answersOf(view)).toEqual(['hello'])
    expect(view.title).toBe('hi there')
    expect(await service.listThreads({ limit: 10 })).toMatchObject([
      { title: 'hi there', thread: view.thread },
    ])
  })

  it('continues one conversation from run to run', async () => {
    const { open, cwd } = await sessionWorld([
      { calls: [{ name: 'read', args: { path: 'src/a.ts' } }] },
      { text: 'read' },
      { calls: [{ name: 'edit_file', args: { path: 'src/a.ts', old_str: 'a = 1', new_str: 'a = 2' } }] },
      { text: 'edited' },
    ])
    const session = await open(undefined, { mode: 'edits' })
    await session.say('read it')
    await session.idle()
    await session.say('edit it')
    const view = await session.until((now) => answersOf(now).length === 2)
    expect(callsOf(view).map(({ tool, result }) => [tool, result?.ok])).toEqual([
      ['read', true],
      // a file that was read in the previous run counts as read
      ['edit_file', true],
    ])
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe('export const a = 2\n')
  })
})

describe('permissions', () => {
  const asked = ({ waits }: SessionView) => waits.length === 1

  it('wait for a user, and the first answer counts', async () => {
    const { open, service, cwd } = await sessionWorld([write('b.txt', 'b\n'), { text: 'done' }])
    const one = await open()
    const two = watchClient(service.attach(one.client.thread) as typeof one.client)
    await one.say('write b')
    const { waits } = await one.until((view) => view.waits[0]?.preview !== undefined)
    const call = waits[0]?.call ?? ''
    expect(waits[0]).toMatchObject({ tool: 'create_file', preview: { files: [{ path: 'b.txt', added: 1 }] } })
    await two.until(asked)
    const allow: SessionCommand = {
      type: 'answer_permission',
      call,
      answer: { allow: true, scope: 'once', rules: [] },
    }
    const replies = await Promise.all([one.send(allow), two.send(allow)])
    expect(replies).toMatchObject([{ ok: true }, { ok: false, code: 'already_answered' }])
    await two.idle()
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b\n')
    expect(await one.send({ ...allow, call: 'call_99' })).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('are denied with a reason that the model gets', async () => {
    const { open } = await sessionWorld([write('b.txt', 'b'), { text: 'as you like' }])
    const session = await open()
    await session.say('write b')
    const { waits } = await session.until(asked)
    const answer = { allow: false, words: 'use c.txt' } as const
    await session.send({ type: 'answer_permission', call: waits[0]?.call ?? '', answer })
    const view = await session.idle()
    expect(callsOf(view)[0]?.result).toMatchObject({ ok: false, text: expect.stringContaining('use c.txt') })
    expect(answersOf(view)).toEqual(['as you like'])
  })

  it('end the run with a denial that stops', async () => {
    const { open } = await sessionWorld([write('b.txt', 'b'), { text: 'never' }])
    const session = await open()
    await session.say('write b')
    const { waits } = await session.until(asked)
    await session.send({
      type: 'answer_permission',
      call: waits[0]?.call ?? '',
      answer: { allow: false, stop: true },
    })
    expect((await session.idle()).blocks.at(-1)).toMatchObject({ end: 'cancelled' })
  })

  it('apply to the session by the offered rule, and by no other', async () => {
    const line = 'touch made.txt'
    const { open, reopen } = await sessionWorld([bash(line), bash(line), { text: 'twice' }, bash(line)])
    const session = await open()
    await session.say('twice')
    const { waits } = await session.until(asked)
    const call = waits[0]?.call ?? ''
    const answer = (rules: number[]) =>
      session.send({ type: 'answer_permission', call, answer: { allow: true, scope: 'session', rules } })
    expect(await answer([1])).toMatchObject({ ok: false, code: 'bad_args' })
    expect(await answer([0])).toMatchObject({ ok: true })
    const view = await session.idle()
    const results = callsOf(view).map(({ result }) => result)
    expect(results, JSON.stringify(results)).toMatchObject([{ ok: true }, { ok: true }])
    await session.client.detach()
    const again = await open({ kind: 'resume', thread: view.thread }, { service: await reopen() })
    expect(await again.send({ type: 'session_rules' })).toMatchObject({ ok: true, rules: [] })
    expect(await again.say('once more')).toMatchObject({ ok: true })
    await again.until(asked, 'the question that is asked again')
  })

  it('apply to the session until they are revoked by their number, which does not change', async () => {
    const [one, two] = ['touch one.txt', 'touch two.txt']
    const { open } = await sessionWorld([bash(one), bash(two), { text: 'made' }, bash(one), bash(two)])
    const session = await open()
    const allow = async ({ waits }: SessionView) => {
      const answer: PermissionAnswer = { allow: true, scope: 'session', rules: [0] }
      await session.send({ type: 'answer_permission', call: waits[0]?.call ?? '', answer })
    }
    const list = (forget?: string) => session.send({ type: 'session_rules', ...(forget && { forget }) })
    await session.say('make both')
    const first = await session.until(asked)
    await allow(first)
    await allow(await session.until(({ waits }) => waits.some(({ call }) => call !== first.waits[0]?.call)))
    await session.idle()
    const [rule, other] = [one, two].map((line, i) => ({
      ...{ id: `s${i + 1}`, action: 'allow', tool: 'bash' },
      when: expect.stringContaining(line),
    }))
    expect(await list()).toMatchObject({ ok: true, rules: [rule, other] })
    expect(await list('s1')).toMatchObject({ ok: true, rules: [other] })
    expect(await list('s1')).toMatchObject({ ok: false, code: 'not_found' })
    await session.say('again')
    const { waits } = await session.until(asked, 'the question that is asked again')
    expect(JSON.stringify(waits[0]?.args)).toContain(one)
    await allow(await session.until(asked))
    await session.idle()
    expect(await list()).toMatchObject({ rules: [other, { ...rule, id: 's3' }] })
  })

  it('apply to the workspace beyond the session', async () => {
    const line = 'touch made.txt'
    const { open } = await sessionWorld([bash(line), { text: 'a' }, bash(line), { text: 'b' }])
    const first = await open()
    await first.say('one')
    const { waits } = await first.until(asked)
    const answer: PermissionAnswer = { allow: true, scope: 'workspace', rules: [0] }
    await first.send({ type: 'answer_permission', call: waits[0]?.call ?? '', answer })
    await first.idle()
    const second = await open()
    await second.say('two')
    expect(callsOf(await second.idle())[0]?.result?.ok).toBe(true)
  })
})

describe('a compound command', () => {
  const line = 'touch a.txt && touch b.txt'

  it('is denied because of one part, and the model gets that part', async () => {
    const { open, cwd } = await sessionWorld([bash(line), { text: 'as you like' }])
    const session = await open()
    await session.say('touch both')
    const { waits } = await session.until(({ waits }) => waits.length === 1)
    const call = waits[0]?.call ?? ''
    expect(waits[0]?.parts).toMatchObject([
      { name: 'touch a.txt', action: 'ask' },
      { name: 'touch b.txt', action: 'ask' },
    ])
    const deny = (parts: number[]) =>
      session.send({ type: 'answer_permission', call, answer: { allow: false, parts, words: 'not b' } })
    expect(await deny([2])).toMatchObject({ ok: false, code: 'bad_args' })
    expect(await deny([1])).toMatchObject({ ok: true })
    const text = callsOf(await session.idle())[0]?.result?.text
    expect(text).toContain('because of: touch b.txt; the other parts may run without it, and says: not b')
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
  })

  it('stores only the chosen rule', async () => {
    const run = (command: string) => ({ calls: [{ name: 'shell', args: { command: [{ command }] } }] })
    const script = [run('touch a.txt && mkdir b'), run('touch c.txt'), run('mkdir d'), { text: 'done' }]
    const { open, cwd } = await sessionWorld(script)
    const session = await open(undefined, { toolset: { name: 'hooman' } })
    await session.say('make them')
    const { waits } = await session.until(({ waits }) => waits.length === 1)
    expect(waits[0]?.always).toMatchObject([{ rule: { command: 'touch' } }, { rule: { command: 'mkdir' } }])
    const call = waits[0]?.call ?? ''
    const keep = (rules: number[]) =>
      session.send({ type: 'answer_permission', call, answer: { allow: true, scope: 'workspace', rules } })
    for (const rules of [[], [2], [0, 2]])
      expect(await keep(rules)).toMatchObject({ ok: false, code: 'bad_args' })
    expect(await keep([0])).toMatchObject({ ok: true })
    const later = await session.until(({ waits }) => waits.length === 1 && waits[0]?.call !== call)
    expect(later.waits[0]?.args).toMatchObject({ commands: [{ command: 'mkdir d' }] })
    expect(existsSync(join(cwd, 'c.txt'))).toBe(true)
    await session.send({ type: 'interrupt' })
    await session.idle()
  })
})

describe('questions', () => {
  it('are answered once, by the first client', async () => {
    const ask = { question: 'Which?', options: [{ id: 'a', label: 'A' }], required: true }
    const { open } = await sessionWorld([{ calls: [{ name: 'ask_user', args: ask }] }, { text: 'thanks' }])
    const session = await open()
    await session.say('ask me')
    const { questions } = await session.until((view) => view.questions.length === 1)
    const call = questions[0]?.call ?? ''
    expect(questions[0]?.questionnaire.questions[0]?.question).toBe('Which?')
    const answer: QuestionAnswer = { status: 'answered', answers: [{ id: 'q1', option: 'a' }] }
    const command: SessionCommand = { type: 'answer_question', call, answer }
    expect(await session.send(command)).toMatchObject({ ok: true })
    expect(await session.send(command)).toMatchObject({ ok: false, code: 'already_answered' })
    const view = await session.idle()
    expect(callsOf(view)[0]?.result?.text).toContain('A')
    expect(view.questions).toEqual([])
  })
})

describe('during a run', () => {
  const waiting = (name: string) => bash(`while [ ! -e ${name} ]; do sleep 0.02; done`)

  it('takes steering before the next step, and starts a new run for a queued message', async () => {
    const { open, cwd } = await sessionWorld([waiting('go'), { text: 'first' }, { text: 'second' }])
    const session = await open(undefined, { mode: 'unrestricted' })
    await session.say('begin')
    await session.until(({ calls }) => calls.length === 1)
    await session.send({ type: 'queue', content: 'then this' })
    await session.send({ type: 'steer', content: 'and mind that' })
    await session.send({ type: 'queue', content: 'never mind' })
    const { queue } = await session.until((view) => view.queue.length === 3)
    expect(queue.map(({ kind, text }) => [kind, text])).toEqual([
      ['queue', 'then this'],
      ['steer', 'and mind that'],
      ['queue', 'never mind'],
    ])
    const back = { type: 'unqueue', message: queue[2]?.id ?? '' } as const
    expect(await session.send(back)).toMatchObject({ ok: true })
    expect(await session.send(back)).toMatchObject({ ok: false, code: 'not_found' })
    writeFileSync(join(cwd, 'go'), '')
    const view = await session.until((now) => answersOf(now).length === 2 && now.run === undefined)
    expect(view.blocks.map(({ kind }) => kind)).toEqual([
      ...['user', 'call', 'user', 'answer', 'end'],
      ...['user', 'answer', 'end'],
    ])
    expect(usersOf(view)).toEqual(['begin', 'and mind that', 'then this'])
    expect(view.queue).toEqual([])
  })

  it('an interruption ends call and run, keeps the queue, and the session continues', async () => {
    const { open } = await sessionWorld([bash('sleep 60'), { text: 'again' }, { text: 'queued' }])
    const session = await open(undefined, { mode: 'unrestricted' })
    await session.say('begin')
    await session.until(({ calls }) => calls.length === 1)
    await session.send({ type: 'queue', content: 'later' })
    const started = Date.now()
    await session.send({ type: 'interrupt' })
    const ended = await session.idle()
    expect(Date.now() - started).toBeLessThan(20_000)
    expect(ended.blocks.at(-1)).toMatchObject({ kind: 'end', end: 'cancelled', reason: 'interrupted' })
    expect(callsOf(ended)[0]).toMatchObject({ state: 'ended', result: { ok: false, code: 'cancelled' } })
    expect(ended.queue).toMatchObject([{ text: 'later' }])
    await session.say('go on')
    const view = await session.until((now) => answersOf(now).length === 2 && now.run === undefined)
    // a queued message follows once a run has ended normally
    expect(usersOf(view)).toEqual(['begin', 'go on', 'later'])
  })

  it('keeps the text of a stopped response, and tells the model where it ended', async () => {
    let letGo: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const server = await serveModel([
      { text: `Once upon${' and on'.repeat(200)}`, piece: 9, hold: { at: 1500, until } },
      { text: 'then' },
    ])
    onTestFinished(() => server.close())
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'test' }
    const { open } = await sessionWorld([], {}, env)
    const session = await open(undefined, { model: 'openai/scripted' })
    await session.say('tell me')
    await session.until(({ openReply }) => openReply?.text.startsWith('Once upon') === true)
    await session.send({ type: 'interrupt' })
    const view = await session.idle()
    letGo()
    const stopped = view.blocks.at(-2)
    expect(stopped).toMatchObject({ kind: 'answer', interrupted: true })
    const text = stopped?.kind === 'answer' ? stopped.text : ''
    expect(text).toMatch(/^Once upon/)
    await session.say('and then?')
    await session.until((now) => answersOf(now).length === 2)
    expect(server.requests[1]?.body.messages.at(-2).content).toBe(`${text}\n\n[stopped here by the user]`)
  })

  it('runs a repeated command once', async () => {
    const { open } = await sessionWorld([{ text: 'one' }, { text: 'two' }])
    const session = await open()
    const say = { type: 'say', content: 'only once' } as const
    const replies = await Promise.all([session.send(say, 'ID'), session.send(say, 'ID')])
    expect(replies[0]).toEqual(replies[1])
    await session.idle()
    expect(usersOf(session.view())).toEqual(['only once'])
  })
})

describe('settings', () => {
  it('apply from the next run on and are sent to all clients', async () => {
    const { open } = await sessionWorld([write('b.txt', 'b'), { text: 'done' }])
    const session = await open()
    expect(await session.send({ type: 'set_profile', name: 'no-such' })).toMatchObject({
      ok: false,
      code: 'refused',
    })
    await session.send({ type: 'set_mode', mode: 'edits' })
    await session.send({ type: 'rename', title: 'A better title' })
    await session.say('write b')
    const view = await session.idle()
    expect(callsOf(view)[0]?.result?.ok).toBe(true)
    expect(view).toMatchObject({ mode: 'edits', title: 'A better title' })
  })
})

describe('a shell command of the user', () => {
  it('runs without approval, and the model gets it only on request', async () => {
    const { open } = await sessionWorld([{ text: 'seen' }, { text: 'once more' }])
    const session = await open()
    await session.send({ type: 'run_shell', line: 'echo secret > f; cat f', tell: false })
    await session.until((view) => callsOf(view)[0]?.state === 'ended')
    await session.send({ type: 'run_shell', line: 'echo open', tell: true })
    await session.until((view) => view.blocks.some((block) => block.kind === 'user'))
    await session.say('what did I run?')
    const view = await session.idle()
    expect(callsOf(view)).toMatchObject([
      { tool: 'bash', byPerson: true, result: { ok: true } },
      { byPerson: true },
    ])
    const told = view.blocks.flatMap((one) => (one.kind === 'user' ? [one.text] : []))
    expect(told).toMatchObject([expect.stringContaining('open'), 'what did I run?'])
    expect(told.join()).not.toContain('secret')
  })
})

describe('mentioned files', () => {
  it('are read under the rules and sent with the message', async () => {
    const { open } = await sessionWorld([{ text: 'read' }], {
      'docs/b.md': 'one\ntwo\nthree\n',
      '.env': 'A=1',
    })
    const session = await open()
    const found = await session.client.findMentions('b', 5, new AbortController().signal)
    expect(found).toContainEqual({ path: 'docs/b.md', kind: 'file' })
    const all = await session.client.findMentions('', 50, new AbortController().signal)
    expect(all.map(({ path }) => path).sort()).toEqual(['docs/', 'docs/b.md', 'src/', 'src/a.ts'])
    const files = [{ path: 'docs/b.md', startLine: 2, endLine: 2 }]
    await session.send({ type: 'say', content: 'look at @docs/b.md:2', files })
    const view = await session.idle()
    expect(callsOf(view)).toMatchObject([{ tool: 'read', byPerson: true, result: { ok: true } }])
    const note = view.blocks.find((one) => one.kind === 'user' && one.origin === 'note')
    expect(note).toMatchObject({ text: expect.stringMatching(/docs\/b\.md.*two/s) })
    expect(JSON.stringify(note)).not.toContain('three')
  })
})

describe('a resumed thread', () => {
  it('is the same in another process, with its queue', async () => {
    const { open, reopen } = await sessionWorld([{ text: 'one' }, { text: 'two' }])
    const session = await open()
    await session.say('first')
    const before = await session.idle()
    await session.client.detach()
    const again = await open({ kind: 'resume', thread: before.thread }, { service: await reopen() })
    const view = await again.until(({ pos }) => pos >= before.pos)
    expect(view.blocks).toEqual(before.blocks)
    expect(view).toMatchObject({ title: 'first', run: undefined, spending: before.spending })
    await again.say('second')
    await again.until((now) => answersOf(now).length === 2)
    const middle = before.blocks.find(({ kind }) => kind === 'answer')?.pos ?? 0
    const fork = await open({ kind: 'fork', thread: before.thread, at: middle })
    const copy = await fork.until((now) => answersOf(now).length > 0)
    expect(copy.thread).not.toBe(before.thread)
    expect(answersOf(copy)).toEqual(['one'])
    await expect(open({ kind: 'resume', thread: 'sess_none' })).rejects.toThrow('no thread named')
  })

  it('reads each stored event once and in order, from any time on', async () => {
    const { open, service } = await sessionWorld([
      ...Array.from({ length: 8 }, () => ({ calls: [{ name: 'read', args: { path: 'src/a.ts' } }] })),
      { text: 'done' },
    ])
    const session = await open()
    await session.say('read a lot')
    const late = watchClient(service.attach(session.client.thread) as typeof session.client)
    await session.idle()
    const later = watchClient(service.attach(session.client.thread) as typeof session.client, 5)
    await late.idle()
    await later.idle()
    const positions = (events: typeof late.events) => events.flatMap((one) => ('pos' in one ? [one.pos] : []))
    const all = positions(session.events)
    expect(all).toEqual(all.map((_, at) => at + 1))
    expect(positions(late.events)).toEqual(all)
    expect(positions(later.events)).toEqual(all.slice(5))
    expect(late.events.filter(({ type }) => type === 'session.snapshot')).toHaveLength(1)
    const history = await session.client.readHistory(6, 3)
    expect(history.map((event) => 'pos' in event && event.pos)).toEqual([3, 4, 5])
  })
})

describe('a client that does not read', () => {
  it('is notified that it lagged, and reads on from its position', async () => {
    const line = 'for i in 1 2 3; do echo $i; done'
    const { open, service } = await sessionWorld([])
    const session = await open()
    const run = async () => {
      const before = callsOf(session.view()).length
      await session.send({ type: 'run_shell', line, tell: false })
      await session.until((view) => callsOf(view).length > before && view.calls.length === 0)
    }
    await run()
    const slow = service.attach(session.client.thread) as typeof session.client
    const stop = new AbortController()
    const events = slow.readEvents(0, stop.signal)[Symbol.asyncIterator]()
    const first = await events.next()
    const position = Object(first.value).pos as number
    expect(position).toBe(1)
    for (let i = 0; i < 1_100; i++) await session.send({ type: 'rename', title: `title ${i}` })
    const failure = await drain(events).catch((error: unknown) => error)
    expect(failure).toMatchObject({ failure: { code: 'lagged' } })
    const again: number[] = []
    for await (const event of slow.readEvents(position, stop.signal)) {
      if (event.type === 'session.snapshot') break
      again.push(Object(event).pos)
    }
    expect(again).toEqual(Array.from({ length: session.view().pos - position }, (_, i) => position + 1 + i))
    await slow.detach()
  })
})

async function drain(events: AsyncIterator<unknown>): Promise<void> {
  while (!(await events.next()).done);
}

describe('a thread of 10,000 events', () => {
  it('resumes in the time for reading it, with known usage', async () => {
    const { open, reopen, data } = await sessionWorld([{ text: 'hello again' }])
    const store = await openStore(data)
    const thread = store.threads.create({
      workspace: '/',
      title: 'long',
      profile: 'craft',
      model: 'builtin/extract',
    })
    const turn = (n: number): ThreadEntry[] => [
      { type: 'message', payload: { role: 'user', text: `question ${n}` } },
      { type: 'usage', payload: { input: 10, output: 1, usd: 0.001 } },
      { type: 'message', payload: { role: 'assistant', text: `answer ${n}` } },
      { type: 'limit', payload: { limit: 'turns', message: `notice ${n}` } },
    ]
    for (let n = 0; n < 2_500; n += 250)
      store.threads.append(thread.id, 'run_1', Array.from({ length: 250 }, (_, at) => turn(n + at)).flat())
    store.close()
    const started = process.cpuUsage()
    const session = await open(
      { kind: 'resume', thread: thread.id },
      { service: await reopen(), from: 9_500 },
    )
    const view = await session.until(({ spending }) => spending.input > 9_999)
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000)
    expect(view).toMatchObject({ spending: { input: 25_000, output: 2_500 }, pos: 10_000 })
    expect(session.client.openedAt).toBe(10_000)
    // earlier events are read when the user scrolls back
    expect(session.events.length).toBeLessThan(600)
    const [oldest] = await session.client.readHistory(9_501, 500)
    expect(oldest).toMatchObject({ pos: 9_001 })
    await session.say('are you there?')
    await session.until((now) => answersOf(now).at(-1) === 'hello again')
  })
})

describe('earlier messages', () => {
  it('are those of all threads of the workspace, oldest first, each text at its last use', async () => {
    const { open, service } = await sessionWorld([{ text: 'a' }, { text: 'b' }])
    const first = await open()
    for (const text of ['one', 'two']) {
      await first.say(text)
      await first.until((view) => usersOf(view).includes(text) && view.run === undefined)
    }
    const second = await open()
    await second.say('one')
    await second.idle()
    expect(await service.listPastMessages?.(10)).toEqual(['two', 'one'])
    expect(await service.listPastMessages?.(1)).toEqual(['one'])
  })
})

describe('the choices', () => {
  it('are listed with the reason if a choice is not available', async () => {
    const { service, open } = await sessionWorld([])
    const { models, profiles } = await service.readChoices()
    expect(models.find(({ name }) => name.startsWith('openai/'))).toMatchObject({
      about: expect.stringMatching(/^[\d.]+[kM] {2}\$[\d.]+\/\$[\d.]+ {2}no OPENAI_API_KEY$/),
      needsKey: true,
    })
    // the part before the first slash is the provider, also if the names of its models contain slashes
    const known = new Set(listKnownModels())
    for (const { name, needsKey } of models) if (needsKey) expect(known).toContain(name)
    expect(models.filter(({ name }) => /^(together|deepinfra)\/zai-org/.test(name))).toHaveLength(2)
    expect(models.at(-1)).toEqual({ name: 'builtin/extract', about: expect.stringContaining('quotes') })
    expect(profiles.length).toBeGreaterThan(3)
    const session = await open()
    expect(await session.send({ type: 'compact' })).toMatchObject({
      ok: true,
      message: expect.stringContaining('nothing was said'),
    })
    const broken = { type: 'say', content: 7 } as unknown as SessionCommand
    expect(await session.send(broken)).toMatchObject({ ok: false, code: 'bad_args' })
  })
})

describe('going back', () => {
  it('shows the effect of an undo, does exactly that, and rejects it once a file has changed', async () => {
    const { open, cwd } = await sessionWorld([write('b.txt', 'b\n'), { text: 'done' }])
    const session = await open(undefined, { mode: 'edits' })
    await session.say('write b')
    await session.idle()
    const shown = await session.send({ type: 'undo' })
    if (!shown.ok || !shown.undo) expect.fail(JSON.stringify(shown))
    expect(shown.undo).toMatchObject({ files: [{ path: 'b.txt', what: 'removed' }], left: [] })
    writeFileSync(join(cwd, 'b.txt'), 'mine\n')
    expect(await session.send({ type: 'undo', preview: shown.undo.id })).toMatchObject({ code: 'changed' })
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('mine\n')
    writeFileSync(join(cwd, 'b.txt'), 'b\n')
    expect(await session.send({ type: 'undo', preview: shown.undo.id })).toMatchObject({ ok: true })
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
    expect(await session.send({ type: 'undo' })).toMatchObject({ undo: { files: [], left: [] } })
  })

  it('an undo and a redo include the changes of a subagent', async () => {
    const edit = { path: 'c.txt', edits: [{ old: 'c', new: 'd' }] }
    const { open, cwd } = await sessionWorld([
      { calls: [{ name: 'task', args: { goal: 'write c', profile: 'craft' } }] },
      write('c.txt', 'c\n'),
      { calls: [{ name: 'edit_file', args: edit }] },
      { text: 'written' },
      { text: 'done' },
    ])
    const session = await open(undefined, { mode: 'unrestricted' })
    await session.say('write c with a subagent')
    await session.idle()
    const content = () => (existsSync(join(cwd, 'c.txt')) ? readFileSync(join(cwd, 'c.txt'), 'utf8') : null)
    const revert = async (more: { redo?: true }) => {
      const planned = await session.send({ type: 'undo', ...more })
      if (!planned.ok || !planned.undo) expect.fail(JSON.stringify(planned))
      expect(planned.undo.left).toEqual([])
      return session.send({ type: 'undo', ...more, preview: planned.undo.id })
    }
    expect(content()).toBe('d\n')
    expect(await revert({})).toMatchObject({ ok: true })
    expect(content()).toBe(null)
    expect(await revert({ redo: true })).toMatchObject({ ok: true })
    expect(content()).toBe('d\n')
  })
})

describe('setup by the user', () => {
  it('starts with a plan, during which nothing is written', async () => {
    const { open, cwd } = await sessionWorld([write('b.txt', 'b\n'), { text: 'planned' }])
    const session = await open(undefined, { mode: 'edits' })
    await session.send({ type: 'set_mode', mode: 'plan' })
    await session.say('write b')
    const view = await session.idle()
    expect(view.mode).toBe('plan')
    expect(callsOf(view)[0]?.result?.ok).toBe(false)
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false)
    await session.send({ type: 'set_mode', mode: 'edits' })
    expect((await session.until(({ mode }) => mode !== 'plan')).mode).toBe('edits')
  })

  it('leaves no note of a plan mode in which no message was sent', async () => {
    const { open } = await sessionWorld([{ text: 'one' }, { text: 'two' }])
    const session = await open(undefined, { mode: 'ask' })
    const notes = (view: SessionView) =>
      view.blocks.flatMap((block) => (block.kind === 'user' && block.origin === 'note' ? [block.text] : []))
    for (const mode of ['plan', 'edits', 'plan', 'ask'] as const)
      await session.send({ type: 'set_mode', mode })
    await session.say('one')
    expect(notes(await session.idle())).toEqual([])
    await session.send({ type: 'set_mode', mode: 'plan' })
    await session.say('two')
    expect(notes(await session.idle())).toContainEqual(expect.stringMatching(/asks for a plan first/))
  })

  it('applies a new mode to the next call of a run, except unrestricted', async () => {
    for (const [mode, ok] of [
      ['edits', true],
      ['unrestricted', false],
    ] as const) {
      const { open, cwd } = await sessionWorld([
        write('a.txt', 'a\n'),
        write('b.txt', 'b\n'),
        { text: 'done' },
      ])
      const session = await open(undefined, { mode: 'ask' })
      await session.say('write both')
      for (const name of ['a.txt', 'b.txt']) {
        const view = await session.until(({ waits, run }) => waits.length > 0 || run === undefined)
        const [asked] = view.waits
        if (!asked) break
        expect([name, asked.edits]).toEqual([name, true])
        if (name === 'a.txt') await session.send({ type: 'set_mode', mode })
        const answer: PermissionAnswer =
          name === 'a.txt' ? { allow: true, scope: 'once', rules: [] } : { allow: false }
        await session.send({ type: 'answer_permission', call: asked.call, answer })
        await session.until(({ waits }) => !waits.some(({ call }) => call === asked.call))
      }
      await session.idle()
      expect([mode, existsSync(join(cwd, 'b.txt'))]).toEqual([mode, ok])
    }
  })

  it('grants trust to the shown contents, and stores no key of an unknown provider', async () => {
    const { service, cwd, data } = await sessionWorld([], { '.anode/config.json': '{"profile": "quick"}' })
    const before = await service.readTrust?.()
    expect(before).toMatchObject({ state: 'untrusted', files: ['.anode/config.json'] })
    writeFileSync(join(cwd, '.anode/config.json'), '{"profile": "craft"}')
    expect(await service.grantTrust?.(before?.digest)).toMatchObject({ ok: false })
    const after = await service.readTrust?.()
    expect(await service.grantTrust?.(after?.digest)).toMatchObject({ ok: true })
    expect(await service.readTrust?.()).toMatchObject({ state: 'trusted' })
    expect(await service.saveProvider?.({ provider: 'nobody', key: 'k' })).toMatchObject({ ok: false })
    expect(existsSync(join(data, 'keys.json'))).toBe(false)
  })

  it('rejects a missing directory before a session opens', async () => {
    const { cwd } = await sessionWorld([])
    const options = { cwd, env: { HOME: cwd }, note: () => undefined }
    await expect(openLocalService({ ...options, addDirs: ['nowhere'] })).rejects.toThrow(/nowhere/)
    await (await openLocalService({ ...options, addDirs: ['.'] })).close()
  })

  it('returns a text from an editor', async () => {
    const { editOutside } = await import('../../../../internal/service/desktop/outside-text.ts')
    const env = { PATH: process.env.PATH, EDITOR: 'sed -i s/one/two/' }
    expect(await editOutside(env, 'one word')).toBe('two word')
    expect(await editOutside({ ...env, VISUAL: 'false' }, 'one word')).toBeUndefined()
    await expect(editOutside({}, 'one')).rejects.toThrow(/no editor/)
  })
})
