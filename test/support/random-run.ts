// Random runs, event by event, for tests of their display. The same seed gives the same run.
import type { Event, EventDraft } from '../../internal/event/event.ts'
import type { SessionEvent } from '../../internal/session/client.ts'
import { foldSessionEvent } from '../../internal/session/view/fold.ts'
import { emptyView, takeSnapshot } from '../../internal/session/view/session-view.ts'
import { choice, type Rng, rng } from './rng.ts'
import { startedAt } from './session-view.ts'

const blocks = [
  '# Title\n\n',
  'A paragraph that is long enough to be wrapped at forty cells, with **bold** words.\n\n',
  '- one\n- two\n  - three\n\n',
  '1. first\n2. second\n\n3. third\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '```js\nlet a = 1\n\nlet b\n```\n\n',
  '> quoted\n> text\n\n',
  '漢字 and \u001b[2J👩‍👩‍👧 here\n\n',
  'short',
]
const diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n line\n-old word\n+new word\n'
const hunks = '@@ -1 +1 @@\n-a\n+b\n'
const todos = [
  { content: 'Test it', status: 'in_progress' },
  { content: 'Ship\u0007 it', status: 'pending' },
]

/** Calls with their data and results. */
const tools: readonly { tool: string; args: unknown; data?: unknown; text?: string }[] = [
  { tool: 'read', args: { path: 'a.ts', start_line: 3, end_line: 9 }, data: { start_line: 3, end_line: 9 } },
  { tool: 'read', args: { limit: 3, path: 'b/c.ts', read_range: [2, 5] } },
  { tool: 'grep', args: { pattern: 'x', path: '.' }, data: { matches: [], files: 0 } },
  { tool: 'finder', args: { query: 'where' }, data: { results: [{}], total: 1 } },
  {
    tool: 'bash',
    args: { command: 'ls\n\u001b[2Jrm', timeout_ms: 10 },
    data: { exit: 0 },
    text: 'a\nb\n[12 ms]',
  },
  { tool: 'bash', args: { command: 'sleep 9 &' }, data: { id: 'job_1', command: 'sleep 9', running: true } },
  {
    tool: 'edit_file',
    args: { path: 'a.ts', old: 'x', new: 'y' },
    data: { path: 'a.ts', added: 1, removed: 1, diff },
  },
  {
    tool: 'write_file',
    args: { path: 'n.ts', content: 'one\ntwo' },
    data: { path: 'n.ts', action: 'created' },
  },
  {
    tool: 'apply_patch',
    args: { patch: '***' },
    data: { diffs: [{ path: 'p.ts', what: 'changed', hunks, added: 1, removed: 1 }] },
  },
  { tool: 'todo_write', args: { todos }, data: { todos } },
  { tool: 'task', args: { title: 'look', goal: 'find' }, data: { turns: 2 } },
  { tool: 'mcp__s__t', args: null, data: 'none' },
  { tool: 'ask_user', args: { question: 'Which?' }, data: { answers: [{ topic: 'Which?', text: 'a\nb' }] } },
]
const codes = ['denied', 'timeout', 'not_found', undefined]
const replacing = {
  role: 'summary',
  text: 'So far.',
  replaced: 3,
  tokens: { before: 120_000, after: 900 },
} as const

const remarks: readonly EventDraft[] = [
  { type: 'model.notice', payload: { code: 'slow', text: 'the line \u001b[1mis slow' } },
  { type: 'model.notice', payload: { code: 'other', text: 'another model', model: 'b/y' } },
  { type: 'limit', payload: { limit: 'turns', message: 'no turns are left' } },
  { type: 'message', payload: replacing },
  { type: 'message', payload: { role: 'summary', text: '', replaced: 0 } },
  { type: 'child.started', payload: { thread: 'sess_1', title: 'look' } },
  { type: 'usage', payload: { input: 10, output: 5, usd: 0.01 } },
  { type: 'session.changed', payload: { title: 'Named' } },
  { type: 'session.changed', payload: { mode: 'auto' } },
  { type: 'message', payload: { role: 'user', text: 'steer\n\u0007there' } },
  { type: 'message', payload: { role: 'user', text: 'a mail', origin: 'mail' } },
  { type: 'message.queued', payload: { id: 'q1', kind: 'queue', text: 'later' } },
  { type: 'message.unqueued', payload: { id: 'q1', given: true } },
  { type: 'plan.changed', payload: { path: null } },
  {
    type: 'job.ended',
    payload: {
      ...{ job: 'job_1', call: 'c', command: 'sleep 9', exit: 1, signal: null },
      ...{ stopped: false, timed_out: false, ms: 9 },
    },
  },
]

/** Returns the events before a complete response: pieces, and interrupted attempts. */
function piecesOf(random: Rng, text: string): EventDraft[] {
  const drafts: EventDraft[] = []
  const again = { retry: 2, tries: 5, wait_ms: choice(random, [0, 3000]), why: 'the \u001b[2Jline broke' }
  const feed = (part: string) => {
    for (let i = 0; i < part.length; ) {
      const size = 1 + Math.floor(random() * 40)
      drafts.push({ type: 'message.delta', payload: { text: part.slice(i, i + size) } })
      i += size
    }
  }
  for (let breaks = Math.floor(random() * 3); breaks > 0; breaks--) {
    if (random() < 0.3) drafts.push({ type: 'message.delta', payload: { reasoning: 'I think' } })
    feed((random() < 0.7 ? text : textOf(random)).slice(0, Math.floor(random() * text.length)))
    const payload = random() < 0.8 ? again : { why: 'gone' }
    drafts.push({ type: 'message.delta', status: 'discarded', payload })
  }
  if (random() < 0.8) feed(text)
  return drafts
}

const textOf = (random: Rng) =>
  Array.from({ length: Math.floor(random() * 5) }, () => choice(random, blocks)).join('')

/** Returns the events of a call from its approval to its result. Some calls never run, and some never end. */
function callDrafts(random: Rng, call: string, modelCall: string): EventDraft[] {
  const { tool, args, data, text = '' } = choice(random, tools)
  const known = random() < 0.8 ? { model_call: modelCall } : {}
  const of = { call, tool, ...known }
  const fails = random() < 0.3
  const failed = { ok: false, code: choice(random, codes), text: 'error not_found: it is\nnot there:' }
  const result = fails ? failed : { ok: true, text, data, exit: tool === 'bash' ? 0 : undefined }
  const ended: EventDraft = {
    type: 'tool.result',
    payload: { ...of, ...result, ms: choice(random, [3, undefined, 2500]) },
  }
  const drafts: EventDraft[] = []
  if (random() < 0.3) {
    const asked = random() < 0.7 ? { args: (args ?? {}) as Record<string, unknown> } : {}
    drafts.push({ type: 'permission.asked', payload: { ...of, ...asked, reasons: ['no rule'] } })
    if (random() < 0.3) drafts.push({ type: 'permission.preview', payload: { call, files: [], shows: [] } })
    const action = fails ? 'deny' : 'allow'
    drafts.push({ type: 'permission.decided', payload: { call, tool, action, why: 'so' } })
  }
  if (fails && random() < 0.5) return [...drafts, ended]
  const scope = [
    { kind: 'path', path: `w${call}.ts`, access: choice(random, ['read', 'write'] as const) } as const,
  ]
  const by = random() < 0.1 ? { by: 'person' as const } : {}
  drafts.push({
    type: 'tool.call',
    payload: { ...of, ...by, args, scope: random() < 0.5 ? scope : undefined },
  })
  if (random() < 0.3)
    drafts.push({ type: 'tool.progress', payload: { call, tool, progress: 2, total: 3, message: 'x\u0007' } })
  if (random() < 0.3) drafts.push({ type: 'tool.output', payload: { call, text: 'some\noutput' } })
  if (random() < 0.2) {
    const question = { id: '1', question: 'Which?', options: [], required: false, allowFreeform: true }
    drafts.push({ type: 'question.asked', payload: { call, from: 'main', questions: [question] as never } })
    drafts.push({ type: 'question.answered', payload: { call, status: 'answered' } })
  }
  return random() < 0.1 ? drafts : [...drafts, ended]
}

/** Returns one run of a thread, from the message to its end. */
function oneRun(random: Rng, prefix: string): EventDraft[] {
  const drafts: EventDraft[] = [
    {
      type: 'system.init',
      payload: { profile: 'own', model: 'm/x', mode: 'ask', cwd: '/srv/shop', tools: [] },
    },
    { type: 'message', payload: { role: 'user', text: 'Do *it*' } },
  ]
  const turns = 1 + Math.floor(random() * 3)
  for (let turn = 0; turn < turns; turn++) {
    const text = textOf(random)
    drafts.push(...piecesOf(random, text))
    const count = turn === turns - 1 ? 0 : Math.floor(random() * 4)
    const ids = Array.from({ length: count }, (_, i) => `${prefix}m${turn}${i}`)
    const calls = ids.map((id) => {
      const { tool, args } = choice(random, tools)
      return { id, name: random() < 0.3 ? `Other_${tool}` : tool, args }
    })
    const interrupted = random() < 0.1 ? true : undefined
    drafts.push({
      type: 'message',
      payload: { role: 'assistant', text, interrupted, ...(count > 0 ? { calls } : {}) },
    })
    const bodies = ids.map((id) => callDrafts(random, `c${id}`, id))
    // calls that only read run at once
    while (bodies.some((body) => body.length > 0)) {
      const body = random() < 0.7 ? bodies.find((one) => one.length > 0) : choice(random, bodies)
      const next = body?.shift()
      if (next) drafts.push(next)
      if (random() < 0.15) drafts.push(choice(random, remarks))
    }
  }
  const end = choice(random, ['done', 'failed', 'limit', 'cancelled'])
  const why =
    end === 'done'
      ? {}
      : { reason: choice(random, ['turns', 'auth', 'handed over']), message: 'it\u0007 did' }
  const cost = random() < 0.5 ? { ms: 8200, usd: choice(random, [null, 0.0018]) } : {}
  return [...drafts, { type: 'run.ended', payload: { end, ...why, ...cost } }]
}

/** Returns the events of one run as the running program gets them. */
export const randomRun = (seed: number): Event[] =>
  oneRun(rng(seed), '').map((draft, i) => ({ ...draft, ...frameOf(i) }) as Event)

const frameOf = (i: number) => ({ id: `e${i}`, run_id: 'r', seq: i + 1, ts: startedAt + i * 100 })

/** Returns two runs of a thread as a client gets them that connects between them. */
export function randomSession(seed: number): SessionEvent[] {
  const random = rng(seed)
  const drafts = [...oneRun(random, 'a'), ...oneRun(random, 'b')]
  const stored = drafts.map(
    (draft, i) => ({ ...draft, ...frameOf(i), pos: i + 1 }) as Event & { pos: number },
  )
  const at = Math.floor(random() * stored.length)
  const isShown = ({ type }: Event) =>
    type !== 'message.delta' && !/^(?:tool\.(?:progress|output)|check\.running)$/.test(type)
  const whole = stored.slice(0, at).reduce(foldSessionEvent, emptyView('01JD3K8QAA'))
  const snapshot = { type: 'session.snapshot' as const, payload: takeSnapshot(whole) }
  return [...stored.slice(0, at).filter(isShown), snapshot, ...stored.slice(at)]
}
