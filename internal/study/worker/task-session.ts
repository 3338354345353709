// One task's conversation: the agent's loop over the study's log, so that it can be taken up where it stopped.
import { createBudget } from '../../agent/budget.ts'
import { createCompactor, estimateTokens } from '../../agent/compact.ts'
import { type Agent, agentLoop } from '../../agent/loop.ts'
import { runReplyCalls } from '../../agent/reply-calls.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import type { Effort, Model, ModelMessage, RequestMeta, TokenUsage, ToolSpec } from '../../model/model.ts'
import { contentText } from '../../model/tokens.ts'
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { type ListedTool, createCatalog as makeCatalog } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { makeStudyEntry, type StudyEvidence } from '../log/entries.ts'
import { dropOldResults } from './compaction.ts'
import { fenceMaterial, fileEvidence, findShownPassages, type ShownPassage } from './evidence.ts'
import { type MailInbox, type ReceivedMessage, wrapTools } from './mail-inbox.ts'
import { mailMessage, replayTask, resultMessage } from './task-replay.ts'
import { FencedError, type TaskStop } from './task-stop.ts'
import { type BudgetLease, meteredModel, type PromptAdditions } from './worker-budget.ts'

export interface TaskSessionOptions {
  readonly budgetLease: BudgetLease
  readonly model: Model
  /** Hidden ones are refused with their reason. */
  readonly tools: readonly ListedTool[]
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
  readonly mailInbox: MailInbox
  /** Looks whether to go on: heartbeat, cancel, clock. */
  check(): Promise<TaskStop | undefined>
}

export interface TaskSession {
  /** Until the model has nothing more to call, is out of turns, or `stopped` says why not. Throws Fenced. */
  run(): Promise<RunEnd>
  /** One more reply without tools, after `note`. */
  askAgain(note: string): Promise<RunEnd>
  readonly stopped: TaskStop | undefined
  readonly steps: number
  /** By id: what this task has read. */
  readonly evidence: ReadonlyMap<string, StudyEvidence>
  readonly notes: readonly string[]
  readonly spent: { tokens: number; usd: number | null; ms: number }
}

/** Nudged after so many steps in a row without new evidence, stopped after as many again. */
const maxIdleSteps = 3
const nudge =
  'Your last three steps brought nothing new. Try another place or other words once, or answer now with what you have and name the rest as gaps.'

export function openTaskSession(options: TaskSessionOptions, lines: readonly JournalLine[]): TaskSession {
  const { budgetLease, ctx, mailInbox, model } = options
  const { journal, study, task, fence } = budgetLease
  const replayed = replayTask(options.opening, lines, task)
  const { messages } = replayed
  const taken = replayed.steps
  const evidence = new Map(replayed.evidence.map((one) => [one.id, one]))
  const halt = new AbortController()
  const waiting: ReceivedMessage[] = []
  const times = new Map<string, number>()
  const cutOff = new Set<string>()
  let { steps, idle, fresh, open } = replayed
  let recorded = messages.length
  let noted = messages.length
  let closing = false
  let stopped: TaskStop | undefined

  const stop = (why: TaskStop) => {
    stopped ??= why
    halt.abort(new Error(why.why))
  }
  const check = async (between: boolean) => {
    const why = await options.check()
    // a wish to stop lets the calls of this step finish
    if (why && (between || why.why !== 'cancelled')) stop(why)
  }
  /** Looked at before a result that is not whole is filed. */
  const isStopping = async () => {
    await check(true)
    return stopped !== undefined
  }
  const spend = ({ input, output, usd }: TokenUsage) => {
    const { spent } = replayed
    spent.tokens += input + output
    spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
  }
  const metered = meteredModel(model, budgetLease, (detail) => {
    stopped ??= { why: 'budget', detail }
  })

  /** Files what the calls since the last look have shown, and puts the text with its evidence in their place. */
  const record = async () => {
    const batch: NewJournalLine[] = []
    for (let i = recorded; i < messages.length; i++) {
      const message = messages[i] as ModelMessage
      if (message.role !== 'tool') continue
      // what was cut short by a stop, and what came after it, is run again when the task is taken up
      if (message.failed && (stopped || (cutOff.has(message.callId) && (await isStopping())))) break
      const own: StudyEvidence[] = []
      const text = contentText(message.content)
      if (!message.failed) {
        for (const shown of findShownPassages(message.name, message.data, text))
          own.push(await fileOnce(shown, message.name, batch))
      }
      const result = {
        task,
        n: steps,
        call: message.callId,
        tool: message.name,
        ok: message.failed !== true,
        text: fenceMaterial(message.name, text, own),
        evidence: own.map(({ id }) => id),
        ms: Math.round(times.get(message.callId) ?? 0),
      }
      batch.push(makeStudyEntry('result', result, `result:${task}:${steps}:${message.callId}`))
      messages[i] = resultMessage(result, own)
    }
    recorded = messages.length
    if (batch.length > 0) await append(batch)
  }

  const fileOnce = async (
    shown: ShownPassage,
    tool: string,
    batch: NewJournalLine[],
  ): Promise<StudyEvidence> => {
    const { canonical, locator, excerpt } = shown
    const known = [...evidence.values()].find(
      (one) => one.canonical === canonical && one.locator === locator && one.excerpt === excerpt,
    )
    if (known) return known
    const made = await fileEvidence(shown, `E${task.slice(1)}.${evidence.size + 1}`, task, tool, ctx.cwd)
    evidence.set(made.id, made)
    batch.push(makeStudyEntry('evidence', made, `evidence:${made.id}`))
    fresh++
    return made
  }

  const append = async (batch: readonly NewJournalLine[]) => {
    const done = await journal.append(study, batch, fence)
    if (done.state !== 'ok') throw new FencedError()
  }

  /** Between two steps: results on record, then whatever came in or stands in the way. */
  const inbox = async (): Promise<ModelMessage[]> => {
    await record()
    await check(true)
    if (stopped) return []
    const mail = (await mailInbox.receive(replayed.mail)).filter(
      ({ id }) => !waiting.some((one) => one.id === id),
    )
    waiting.push(...mail)
    const out = mail.map(mailMessage)
    const last = messages.at(-1)
    const answered = last?.role === 'assistant' && last.calls === undefined
    if (!answered && !closing && steps > 0) {
      idle = fresh > 0 ? 0 : idle + 1
      if (idle >= maxIdleSteps * 2) stop({ why: 'stalled' })
      else if (idle === maxIdleSteps) out.push({ role: 'user', content: nudge, origin: 'note' })
    }
    fresh = 0
    return out
  }

  const journalled: Model = {
    ...model,
    async *stream(request, signal) {
      const additions: PromptAdditions = { mail: [...waiting], notes: notesIn(messages.slice(noted)) }
      const meta = {
        purpose: options.purpose,
        task,
        taken,
        ...(options.input !== undefined && { input: options.input }),
      }
      const ids = additions.mail.map(({ id }) => id)
      for await (const event of metered.stream({ ...request, meta }, steps + 1, additions, signal)) {
        if (event.type === 'usage') spend(event)
        if (event.type === 'end') {
          steps++
          noted = messages.length
          waiting.splice(0, ids.length)
          replayed.notes.push(...additions.notes)
          for (const id of ids) replayed.mail.add(id)
          await mailInbox.acknowledge(ids, `${task}.${steps}`)
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
  const spending = createBudget({ deadline: options.deadline })
  const agent: Agent = {
    model: journalled,
    catalog: makeCatalog(
      wrapTools(options.tools, { post: mailInbox, times, cutOff, check: () => check(false) }),
    ),
    ctx: running,
    system: options.system,
    tools: options.specs,
    maxTurns: options.maxSteps,
    effort: options.effort ?? 'medium',
    budget: spending,
    inbox,
    compact: createCompactor({
      model,
      signal: running.signal,
      overhead: estimateTokens([{ role: 'system', content: options.system + JSON.stringify(options.specs) }]),
      thread: task,
      budget: spending,
      dropOld: dropOldResults,
    }),
    commit: () => undefined,
  }

  const run = async (as: Agent): Promise<RunEnd> => {
    if (open) {
      await runReplyCalls(as, messages, open)
      open = undefined
    }
    const last = messages.at(-1)
    if (last?.role === 'assistant' && last.calls === undefined)
      return { end: 'done', text: contentText(last.content) }
    const turns = agentLoop(as, messages)
    for (;;) {
      const step = await turns.next()
      if (step.done) return step.value
    }
  }
  return {
    run: () => run({ ...agent, maxTurns: Math.max(0, options.maxSteps - steps) }),
    askAgain: (note) => {
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
    notes: replayed.notes,
    spent: replayed.spent,
  }
}

function notesIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' && message.origin === 'note' ? [contentText(message.content)] : [],
  )
}
