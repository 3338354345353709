// The fold over events of real sessions: stored events and a snapshot give the same view as all live events.
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../../../internal/session/client.ts'
import { foldSessionEvent } from '../../../../internal/session/view/fold.ts'
import { emptyView, type SessionView, takeSnapshot } from '../../../../internal/session/view/session-view.ts'
import { sessionWorld } from '../../../support/session.ts'

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** Returns the view without the parts that only live clients see, because they are not stored. */
const storedOf = ({ blocks, ...rest }: SessionView) => ({
  ...rest,
  blocks: blocks.filter(({ pos }) => pos !== undefined),
})

/**
 * Records two runs with reads, edits, a refusal, a todo list, text of a subagent and steering, as a
 * client got them.
 */
async function recordSession(): Promise<{ events: SessionEvent[]; view: SessionView }> {
  const todos = [{ content: 'look', status: 'in_progress' }]
  const { open } = await sessionWorld([
    {
      text: 'First\n\nI look.',
      reasoning: 'hm',
      calls: [
        { name: 'read', args: { path: 'src/a.ts' } },
        { name: 'todo_write', args: { todos } },
        { name: 'no_such', args: { a: 1 } },
      ],
    },
    { calls: [{ name: 'create_file', args: { path: 'b.txt', content: 'b\n' } }] },
    { text: 'done', usage: { in: 70, out: 8, usd: 0.25 } },
    { text: 'again' },
  ])
  const session = await open()
  await session.say('go')
  const { waits } = await session.until((view) => view.waits.length === 1)
  await session.send({ type: 'queue', content: 'later' })
  await session.send({ type: 'rename', title: 'Renamed' })
  await session.send({ type: 'answer_permission', call: waits[0]?.call ?? '', answer: { allow: false } })
  await session.until((view) => view.blocks.filter(({ kind }) => kind === 'end').length === 2)
  return { events: session.events, view: session.view() }
}

describe('the fold', () => {
  it('gives the same view from stored events and a snapshot as from all events, at every event', async () => {
    const { events, view } = await recordSession()
    const [first, ...live] = events
    expect(first?.type).toBe('session.snapshot')
    let watched = foldSessionEvent(emptyView(view.thread), first as SessionEvent)
    const stored: SessionEvent[] = []
    for (const event of live) {
      watched = foldSessionEvent(watched, event)
      if ('pos' in event && event.pos !== undefined) stored.push(event)
      const snapshot = { type: 'session.snapshot', payload: plain(takeSnapshot(watched)) } as const
      const late = [...stored, snapshot].reduce(foldSessionEvent, emptyView(view.thread))
      expect(plain(late)).toEqual(plain(storedOf(watched)))
    }
    expect(stored.length).toBeGreaterThan(20)
    expect(watched).toEqual(view)
  })

  it('contains what a user sees', async () => {
    const { view } = await recordSession()
    const { blocks, todo, spending, queue, run, waits, title, children } = view
    const told = blocks.map((block) => {
      if (block.kind === 'call')
        return `${block.tool} ${block.state} ${block.result?.ok} ${JSON.stringify(block.args)}`
      return `${block.kind} ${'text' in block ? block.text : 'end' in block ? block.end : ''}`
    })
    expect(told).toEqual([
      'user go',
      'reasoning hm',
      'answer First\n\nI look.',
      // It was rejected before it was a call of any tool, so its arguments are only in the response.
      'no_such ended false {"a":1}',
      'read ended true {"path":"src/a.ts","start_line":1,"max_bytes":2097152}',
      'todo_write ended true {"todos":[{"id":"","content":"look","status":"in_progress"}]}',
      'create_file ended false {"path":"b.txt","content":"b\\n","overwrite":false,"append":false}',
      'answer done',
      'end done',
      'user later',
      'answer again',
      'end done',
    ])
    expect(todo).toEqual([{ content: 'look', status: 'in_progress' }])
    expect(spending).toMatchObject({ usd: 0.25 })
    expect({ queue, run, waits, children, title }).toEqual({
      ...{ queue: [], run: undefined, waits: [], children: [], title: 'Renamed' },
    })
  })

  it('contains the latest 500 blocks and counts the others', () => {
    const note = (n: number): SessionEvent => ({
      ...{ id: `e${n}`, run_id: 'r', seq: n, ts: n, pos: n },
      type: 'limit',
      payload: { limit: 'turns', message: `${n}` },
    })
    const events = Array.from({ length: 620 }, (_, at) => note(at + 1))
    const view = events.reduce(foldSessionEvent, emptyView('t'))
    expect(view.blocks).toHaveLength(500)
    expect(view).toMatchObject({ dropped: 120, pos: 620 })
    expect(view.blocks[0]).toMatchObject({ text: '121' })
  })
})

it('a call that asks the user waits until there is an answer', () => {
  const frame = { v: 1, id: 'e', run_id: 'r', seq: 1, ts: 1 }
  const events = [
    { type: 'tool.call', payload: { call: 'q', tool: 'ask_user', args: {} } },
    { type: 'question.asked', payload: { call: 'q', from: 'the model', questions: [] } },
    { type: 'question.answered', payload: { call: 'q', reply: { status: 'dismissed' } } },
  ]
  let view = emptyView('t')
  const states = events.map((event) => {
    view = foldSessionEvent(view, { ...event, ...frame } as unknown as SessionEvent)
    return view.blocks.map((block) => block.kind === 'call' && block.state).join()
  })
  expect(states).toEqual(['running', 'waits', 'running'])
})

it('keeps the mode before planning, through runs, a second plan and a snapshot', () => {
  const change = (view: SessionView, mode: string) =>
    foldSessionEvent(view, {
      ...{ id: mode, run_id: 't', seq: 1, ts: 1, type: 'session.changed', payload: { mode } },
    } as SessionEvent)
  for (const before of ['ask', 'edits', 'auto', 'unrestricted']) {
    const planning = change(change(change(emptyView('t'), before), 'plan'), 'plan')
    expect(planning).toMatchObject({ mode: 'plan', workMode: before })
    expect(plain(takeSnapshot(planning))).toMatchObject({ mode: 'plan', workMode: before })
    expect(change(planning, before).workMode).toBeUndefined()
  }
})

describe('a response in progress', () => {
  const frame = (ts: number) => ({ v: 1, id: `e${ts}`, run_id: 'r', seq: ts, ts })
  const delta = (ts: number, payload: object, status?: string) =>
    ({ ...frame(ts), type: 'message.delta', payload, ...(status && { status }) }) as unknown as SessionEvent
  const message = (ts: number, payload: object) =>
    ({
      ...frame(ts),
      type: 'message',
      pos: ts,
      payload: { role: 'assistant', ...payload },
    }) as unknown as SessionEvent
  const discard = (ts: number) => delta(ts, { retry: 2, tries: 5, why: 'the line broke' }, 'discarded')
  const toldBy = (...events: SessionEvent[]) => {
    const { blocks, openReply } = events.reduce(foldSessionEvent, emptyView('t'))
    const words = blocks.map((block) => {
      const quiet = block.kind === 'reasoning' && block.isQuiet ? 'quiet ' : ''
      const time = block.kind === 'reasoning' ? ` ${block.ms}` : ''
      return `${quiet}${block.kind} ${'text' in block ? block.text : ''}${time}`
    })
    return { blocks: words, openReply }
  }

  it('a discarded response leaves a notice, and the next attempt starts with empty text', () => {
    const { blocks, openReply } = toldBy(delta(1, { text: 'Half a' }), discard(5), delta(9, { text: 'Wh' }))
    expect(blocks).toEqual(['notice interrupted, retried, 2 of 5: the line broke'])
    expect(openReply).toEqual({ text: 'Wh', reasoning: '', since: 9 })
  })

  it('reports a retry without visible text only while the retry waits', () => {
    const waits = toldBy(discard(5))
    expect(waits.blocks).toEqual([])
    expect(waits.openReply?.retry).toEqual({ attempt: 2, tries: 5, why: 'the line broke' })
    expect(toldBy(discard(5), delta(9, { text: 'Wh' })).openReply).toEqual({
      ...{ text: 'Wh', reasoning: '', since: 9 },
    })
  })

  it('keeps the reasoning, with its duration, before the text', () => {
    const thought = [delta(10, { reasoning: 'First ' }), delta(20, { reasoning: 'this.' })]
    expect(toldBy(...thought, delta(40, { text: 'So' }))).toEqual({
      blocks: ['reasoning First this. 30'],
      openReply: { text: 'So', reasoning: '', since: 10 },
    })
    expect(toldBy(...thought, discard(50)).blocks).toEqual([
      'reasoning First this. 40',
      'notice interrupted, retried, 2 of 5: the line broke',
    ])
    const ended = { ...frame(60), type: 'run.ended', payload: { end: 'cancelled' } } as SessionEvent
    expect(toldBy(...thought, ended).blocks).toEqual(['reasoning First this. 50', 'end '])
  })

  it('marks reasoning before calls and within text as quiet', () => {
    const calls = [{ id: 'c', name: 'read', args: {} }]
    expect(toldBy(delta(1, { reasoning: 'hm' }), message(3, { text: '', calls })).blocks).toEqual([
      'quiet reasoning hm 2',
    ])
    const within = [delta(1, { text: 'So' }), delta(3, { reasoning: 'hm' }), message(5, { text: 'So' })]
    expect(toldBy(...within).blocks).toEqual(['quiet reasoning hm 4', 'answer So'])
  })
})
