// Session of one task. Its conversation is stored in the journal of the study, so that another worker
// can continue it.
import { type Budget, createBudget } from '../../agent/budget.ts'
import type { RunEnd } from '../../agent/run-end.ts'
import { openAgentSession, type SessionRecord } from '../../agent/session.ts'
import type { Effort, Model, RequestMeta, ToolSpec } from '../../model/model.ts'
import { contentText } from '../../model/tokens.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { createCatalog, type ListedTool } from '../../tool/catalog.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { StudyEvidence } from '../log/entries.ts'
import { createTaskInput, type MailInbox, type TaskInput, wrapTools } from './mail-inbox.ts'
import { dropOldResults } from './result-compaction.ts'
import { type CallNotes, createResultRecorder } from './result-recorder.ts'
import { addUsage, type ReplayedTask, replayTask } from './task-replay.ts'
import { createSessionStop, type SessionStop, type TaskStop } from './task-stop.ts'
import { type BudgetLease, meteredModel } from './worker-budget.ts'

export interface TaskSessionOptions {
  readonly budgetLease: BudgetLease
  readonly model: Model
  /** All tools of the worker. A call of a tool whose `hidden` is set is refused with that reason. */
  readonly tools: readonly ListedTool[]
  readonly specs: readonly ToolSpec[]
  /** Context of the tool calls. Its `log` is not used, because the log of the study is the record. */
  readonly ctx: Ctx
  readonly system: string
  readonly opening: string
  readonly purpose: RequestMeta['purpose']
  readonly input?: unknown
  readonly effort?: Effort
  /** Largest number of responses of the model for this task, including those of earlier attempts. */
  readonly maxSteps: number
  /** Time at which the study has to end, in milliseconds since 1970. */
  readonly deadline: number
  readonly mailInbox: MailInbox
  /**
   * Returns the reason to stop, which comes from the heartbeat, a cancellation or the clock;
   * undefined without one.
   */
  check(): Promise<TaskStop | undefined>
  /** Aborts to end the current step. Undefined: a cancellation waits for the end of the step. */
  readonly cut?: AbortSignal | undefined
}

export interface TaskSession {
  /**
   * Runs until the model makes no more calls, has used all its responses, or `stopped` is set. Throws
   * FencedError when the lease is lost.
   */
  run(): Promise<RunEnd>
  /** Sends `note` and requests one more response, without tools. */
  askAgain(note: string): Promise<RunEnd>
  readonly stopped: TaskStop | undefined
  readonly steps: number
  /** Evidence that the task has read, by id. */
  readonly evidence: ReadonlyMap<string, StudyEvidence>
  readonly notes: readonly string[]
  readonly spent: { tokens: number; usd: number | null; ms: number }
}

/**
 * Creates a budget that adds no notes about the deadline, because a note would make a replay differ. At the
 * deadline the task is asked for its findings.
 */
const createTaskBudget = (deadline: number): Budget => ({
  ...createBudget({ deadline }),
  nearing: () => undefined,
})

export function openTaskSession(options: TaskSessionOptions, lines: readonly JournalLine[]): TaskSession {
  const { budgetLease, ctx, mailInbox } = options
  const task = replayTask(options.opening, lines, budgetLease.task)
  const sessionStop = createSessionStop(options.check, options.cut)
  const evidence = new Map(task.evidence.map((one) => [one.id, one]))
  const calls: CallNotes = { times: new Map(), cutOff: new Set() }
  const check = () => sessionStop.check(false)
  const catalog = createCatalog(wrapTools(options.tools, { ...calls, mailInbox, check }))
  const state = { budgetLease, task, evidence, catalog, calls, sessionStop }
  const readsData = options.model.kind === 'rules'
  const recordResults = createResultRecorder({ ...state, cwd: ctx.cwd, readsData })
  const taskInput = createTaskInput({ task, mailInbox, sessionStop, recordResults })
  const session = openAgentSession({
    record: unusedRecord,
    messages: task.messages,
    openReply: task.open,
    thread: budgetLease.task,
    cacheKey: ctx.thread?.split('/', 1)[0],
    model: recordSteps({ ...options, task, sessionStop, taskInput }),
    catalog: () => catalog,
    tools: () => options.specs,
    ctx: { ...ctx, signal: AbortSignal.any([ctx.signal, sessionStop.signal]), log: unusedRecord },
    system: options.system,
    maxTurns: options.maxSteps,
    effort: options.effort ?? 'medium',
    budget: createTaskBudget(options.deadline),
    inbox: taskInput.receive,
    dropOld: dropOldResults,
  })
  return {
    async run() {
      const last = task.messages.at(-1)
      if (last?.role === 'assistant' && last.calls === undefined) {
        if (!task.isReopened) return { end: 'done', text: contentText(last.content) }
        await session.addMessage(goOn)
      }
      return session.run({ maxTurns: Math.max(0, options.maxSteps - task.steps) })
    },
    async askAgain(note) {
      taskInput.close()
      await session.addMessage(note)
      return session.run({ maxTurns: 1, toolChoice: 'none' })
    },
    get stopped() {
      return sessionStop.stopped
    },
    get steps() {
      return task.steps
    },
    evidence,
    notes: task.notes,
    spent: task.spent,
  }
}

/** Note for a task whose limit was raised after it had given its final response. */
const goOn =
  'There is room for more work now. Continue with the open parts, then reply with the closing JSON object ' +
  'again; claims that you have made stay.'

/**
 * Record that stores nothing, because `recordSteps` and the recorder of results write to the journal
 * of the study.
 */
const unusedRecord: SessionRecord = {
  append: async () => undefined,
  keep: async () => '',
  flush: () => undefined,
  flushOverdue: () => undefined,
}

interface StepRecorderOptions {
  model: Model
  budgetLease: BudgetLease
  task: ReplayedTask
  purpose: RequestMeta['purpose']
  input?: unknown
  taskInput: TaskInput
  sessionStop: SessionStop
}

/**
 * Wraps the model so that each step is recorded before its response ends. Then the messages in its
 * prompt are acknowledged.
 */
function recordSteps(options: StepRecorderOptions): Model {
  const { model, budgetLease, task, purpose, input, taskInput, sessionStop } = options
  const name = budgetLease.task
  const earlierSteps = task.steps
  const metered = meteredModel(model, budgetLease, (detail, remainingTokens) =>
    sessionStop.stop({ why: 'budget', detail, left: remainingTokens }),
  )
  return {
    ...model,
    async *stream(request, signal) {
      const additions = taskInput.additions()
      const meta = { purpose, task: name, taken: earlierSteps, input }
      for await (const event of metered.stream({ ...request, meta }, task.steps + 1, additions, signal)) {
        if (event.type === 'usage') addUsage(task.spent, event)
        if (event.type === 'end') {
          task.steps++
          await taskInput.acknowledge(additions, `${name}.${task.steps}`)
        }
        yield event
      }
    },
  }
}
