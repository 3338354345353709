// One task's conversation: the agent's loop over the study's log, so that it can be taken up where it stopped.
import { budget } from '../../agent/budget.ts'
import { runCalls } from '../../agent/calls.ts'
import { createCompactor, tokensOf } from '../../agent/compact.ts'
import type { End } from '../../agent/end.ts'
import { type Agent, loop } from '../../agent/loop.ts'
import type { Effort, Model, ModelMessage, RequestMeta, ToolSpec, Usage } from '../../model/model.ts'
import { textOf } from '../../model/tokens.ts'
import type { Line, NewLine } from '../../store/journal/journal.ts'
import { type Listed, catalog as makeCatalog } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { type Evidence, entry } from '../study.ts'
import { fenced, file, type Shown, shownBy } from './evidence.ts'
import { type Around, type Purse, paid } from './paid.ts'
import { type Post, type Received, wrap } from './post.ts'
import { mailMessage, resultMessage, retell } from './retell.ts'
import { dropOldResults } from './shorten.ts'
import { Fenced, type Stop } from './stop.ts'

export interface Setting {
  readonly purse: Purse
  readonly model: Model
  /** Hidden ones are refused with their reason. */
  readonly tools: readonly Listed[]
  readonly specs: readonly ToolSpec[]
  /** `log` is not used: the study's log is the record. */
  readonly ctx: Ctx
  readonly system: string
  readonly opening: string
  readonly purpose: RequestMeta['purpose']
  readonly input?: unknown
  readonly effort?: Effort
  /** Replies in all, those of earlier attempts included. */
  readonly maxSteps: number
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly post: Post
  /** Looks whether to go on: heartbeat, cancel, clock. */
  check(): Promise<Stop | undefined>
}

export interface Talk {
  /** Until the model has nothing more to call, is out of turns, or `stopped` says why not. Throws Fenced. */
  proceed(): Promise<End>
  /** One more reply without tools, after `note`. */
  insist(note: string): Promise<End>
  readonly stopped: Stop | undefined
  readonly steps: number
  /** By id: what this task has read. */
  readonly evidence: ReadonlyMap<string, Evidence>
  readonly notes: readonly string[]
  readonly spent: { tokens: number; usd: number | null; ms: number }
}

/** Nudged after so many steps in a row without new evidence, stopped after as many again. */
const patience = 3
export const nudge =
  'Your last three steps brought nothing new. Try another place or other words once, or answer now with what you have and name the rest as gaps.'

export function takeUp(setting: Setting, lines: readonly Line[]): Talk {
  const { purse, ctx, post, model } = setting
  const { journal, study, task, fence } = purse
  const told = retell(setting.opening, lines, task)
  const { messages } = told
  const taken = told.steps
  const evidence = new Map(told.evidence.map((one) => [one.id, one]))
  const halt = new AbortController()
  const waiting: Received[] = []
  const times = new Map<string, number>()
  const cutOff = new Set<string>()
  let { steps, idle, fresh, open } = told
  let recorded = messages.length
  let noted = messages.length
  let closing = false
  let stopped: Stop | undefined

  const stop = (why: Stop) => {
    stopped ??= why
    halt.abort(new Error(why.why))
  }
  const check = async (between: boolean) => {
    const why = await setting.check()
    // a wish to stop lets the calls of this step finish
    if (why && (between || why.why !== 'cancelled')) stop(why)
  }
  /** Looked at before a result that is not whole is filed. */
  const isStopping = async () => {
    await check(true)
    return stopped !== undefined
  }
  const spend = ({ input, output, usd }: Usage) => {
    const { spent } = told
    spent.tokens += input + output
    spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
  }
  const purseful = paid(model, purse, (detail) => {
    stopped ??= { why: 'budget', detail }
  })

  /** Files what the calls since the last look have shown, and puts the text with its evidence in their place. */
  const record = async () => {
    const batch: NewLine[] = []
    for (let i = recorded; i < messages.length; i++) {
      const message = messages[i] as ModelMessage
      if (message.role !== 'tool') continue
      // what was cut short by a stop, and what came after it, is run again when the task is taken up
      if (message.failed && (stopped || (cutOff.has(message.callId) && (await isStopping())))) break
      const own: Evidence[] = []
      const text = textOf(message.content)
      if (!message.failed) {
        for (const shown of shownBy(message.name, message.data, text))
          own.push(await fileOnce(shown, message.name, batch))
      }
      const result = {
        task,
        n: steps,
        call: message.callId,
        tool: message.name,
        ok: message.failed !== true,
        text: fenced(message.name, text, own),
        evidence: own.map(({ id }) => id),
        ms: Math.round(times.get(message.callId) ?? 0),
      }
      batch.push(entry('result', result, `result:${task}:${steps}:${message.callId}`))
      messages[i] = resultMessage(result, own)
    }
    recorded = messages.length
    if (batch.length > 0) await append(batch)
  }

  const fileOnce = async (shown: Shown, tool: string, batch: NewLine[]): Promise<Evidence> => {
    const { canonical, locator, excerpt } = shown
    const known = [...evidence.values()].find(
      (one) => one.canonical === canonical && one.locator === locator && one.excerpt === excerpt,
    )
    if (known) return known
    const made = await file(shown, `E${task.slice(1)}.${evidence.size + 1}`, task, tool, ctx.cwd)
    evidence.set(made.id, made)
    batch.push(entry('evidence', made, `evidence:${made.id}`))
    fresh++
    return made
  }

  const append = async (batch: readonly NewLine[]) => {
    const done = await journal.append(study, batch, fence)
    if (done.state !== 'ok') throw new Fenced()
  }

  /** Between two steps: results on record, then whatever came in or stands in the way. */
  const inbox = async (): Promise<ModelMessage[]> => {
    await record()
    await check(true)
    if (stopped) return []
    const mail = (await post.take(told.mail)).filter(({ id }) => !waiting.some((one) => one.id === id))
    waiting.push(...mail)
    const out = mail.map(mailMessage)
    const last = messages.at(-1)
    const answered = last?.role === 'assistant' && last.calls === undefined
    if (!answered && !closing && steps > 0) {
      idle = fresh > 0 ? 0 : idle + 1
      if (idle >= patience * 2) stop({ why: 'stalled' })
      else if (idle === patience) out.push({ role: 'user', content: nudge, origin: 'note' })
    }
    fresh = 0
    return out
  }

  const journalled: Model = {
    ...model,
    async *stream(request, signal) {
      const around: Around = { mail: [...waiting], notes: notesIn(messages.slice(noted)) }
      const meta = {
        purpose: setting.purpose,
        task,
        taken,
        ...(setting.input !== undefined && { input: setting.input }),
      }
      const ids = around.mail.map(({ id }) => id)
      for await (const event of purseful.stream({ ...request, meta }, steps + 1, around, signal)) {
        if (event.type === 'usage') spend(event)
        if (event.type === 'end') {
          steps++
          noted = messages.length
          waiting.splice(0, ids.length)
          told.notes.push(...around.notes)
          for (const id of ids) told.mail.add(id)
          await post.settle(ids, `${task}.${steps}`)
        }
        yield event
      }
    },
  }

  const running: Ctx = {
    ...ctx,
    signal: AbortSignal.any([ctx.signal, halt.signal]),
    log: { append: async () => undefined, keep: async () => '' },
  }
  const spending = budget({ deadline: setting.deadline })
  const agent: Agent = {
    model: journalled,
    catalog: makeCatalog(wrap(setting.tools, { post, times, cutOff, check: () => check(false) })),
    ctx: running,
    system: setting.system,
    tools: setting.specs,
    maxTurns: setting.maxSteps,
    effort: setting.effort ?? 'medium',
    budget: spending,
    inbox,
    compact: createCompactor({
      model,
      signal: running.signal,
      overhead: tokensOf([{ role: 'system', content: setting.system + JSON.stringify(setting.specs) }]),
      thread: task,
      budget: spending,
      dropOld: dropOldResults,
    }),
    commit: () => undefined,
  }

  const run = async (as: Agent): Promise<End> => {
    if (open) {
      await runCalls(as, messages, open)
      open = undefined
    }
    const last = messages.at(-1)
    if (last?.role === 'assistant' && last.calls === undefined)
      return { end: 'done', text: textOf(last.content) }
    const turns = loop(as, messages)
    for (;;) {
      const step = await turns.next()
      if (step.done) return step.value
    }
  }
  return {
    proceed: () => run({ ...agent, maxTurns: Math.max(0, setting.maxSteps - steps) }),
    insist: (note) => {
      closing = true
      messages.push({ role: 'user', content: note, origin: 'note' })
      return run({ ...agent, maxTurns: 1, tools: [] })
    },
    get stopped() {
      return stopped
    },
    get steps() {
      return steps
    },
    evidence,
    notes: told.notes,
    spent: told.spent,
  }
}

function notesIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' && message.origin === 'note' ? [textOf(message.content)] : [],
  )
}
