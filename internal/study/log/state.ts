// State of a study, computed from its entries in their order. Screens, reports and the coordinator use it.
import { addUsage } from '../../agent/budget.ts'
import type { TokenUsage } from '../../model/model.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { enterRound, noteRound, type StudyRounds } from './asked-round.ts'
import {
  type DeliveredMessage,
  type SourceFacts,
  type StudyClaim,
  type StudyEntries,
  type StudyEvidence,
  type StudyHead,
  type StudyTask,
  toStudyEntry,
} from './entries.ts'
import {
  createOrderedItems,
  type MergedClaims,
  mergeClaims,
  type OrderedItems,
  replaceProven,
  type StudyFindings,
} from './merged-claims.ts'
import type { TableState } from './table-entries.ts'
import { isTaskOver, leaseTask, type TaskState } from './task-end.ts'

/** Messages in prompts: their number, and the latest 50, each with the task that read it. */
export interface ReadMail {
  count: number
  newest: readonly (DeliveredMessage & { to: string })[]
}

export interface StudyState extends StudyFindings, StudyRounds {
  head: StudyHead
  plan?: StudyEntries['plan']
  /** Tasks by id, sorted by id. */
  tasks: Map<string, TaskState>
  /** Facts about the sources, by canonical name. */
  sources: Map<string, SourceFacts>
  /** Documents and rows, for a study with one row per document. */
  table?: TableState
  /** Number of reports that were written. A resumed study gets another one. */
  reports: number
  notices: StudyEntries['notice'][]
  /** Process that leads the study, or that led it last. */
  coordinator?: { pid: number; host: string }
  /** Usage of all steps together; `usd` is null if any price was unknown. */
  usage: Required<Omit<TokenUsage, 'cacheWrite1h' | 'model'>> & { steps: number }
  /**
   * Number of steps that each model has answered, by its id; empty unless fallback models were configured.
   */
  repliedBy: Map<string, number>
  /** For each task with a second attempt: the id of the task that is the second attempt. */
  replanned: Map<string, string>
  /** Number of payments for requests that were paid before. */
  repaid: number
  mail: ReadMail
  /** Number of the last entry that this state includes; `updated` is its time. */
  seq: number
}

/** Returns the state after the first line of a study. Throws if that line is not the study's first entry. */
export function beginStudyState(line: JournalLine): StudyState {
  const first = toStudyEntry(line)
  if (first.kind !== 'study') throw new Error(`a study begins with its head, not with ${line.kind}`)
  const items: StateItems = {
    evidence: createOrderedItems<StudyEvidence>(),
    claims: createOrderedItems<StudyClaim>(),
    merged: undefined,
    paid: new Set(),
  }
  const { evidence, claims } = items
  const merged = () => {
    items.merged ??= replaceProven(mergeClaims(claims.items().values(), evidence.items()), state)
    return items.merged
  }
  const state: StudyState = {
    head: first.data,
    status: 'planning',
    tasks: new Map(),
    get evidence() {
      return evidence.items()
    },
    get claims() {
      return merged().claims
    },
    get recorded() {
      return claims.items()
    },
    get standIns() {
      return merged().standIns
    },
    verdicts: new Map(),
    prose: new Map(),
    rounds: [
      {
        question: first.data.question,
        status: 'planning',
        created: first.data.created,
        updated: line.ts,
      },
    ],
    round: 0,
    sources: new Map(),
    notices: [],
    reports: 0,
    replanned: new Map(),
    usage: { input: 0, output: 0, cached: 0, cacheWrite: 0, usd: 0, estimated: false, steps: 0 },
    repliedBy: new Map(),
    repaid: 0,
    mail: { count: 0, newest: [] },
    seq: line.seq,
    updated: line.ts,
  }
  stateItems.set(state, items)
  return state
}

/** What the state is computed from, and what no reader of it needs. */
interface StateItems {
  /** Collections to which new items are added without sorting the existing ones each time. */
  evidence: OrderedItems<StudyEvidence>
  claims: OrderedItems<StudyClaim>
  /** The merged claims, cached until new evidence, a new claim or a new verdict arrives. */
  merged: MergedClaims | undefined
  /** Paid requests, each as `task hash`. */
  paid: Set<string>
}
const stateItems = new WeakMap<StudyState, StateItems>()

function forgetMergedClaims(state: StudyState): void {
  const items = stateItems.get(state)
  if (items) items.merged = undefined
}

/**
 * Updates the state with the next line of the log. A line of a kind that this version does not know changes
 * only `seq` and `updated`.
 */
export function advanceStudyState(state: StudyState, line: JournalLine): void {
  const { kind, data } = toStudyEntry(line)
  state.seq = line.seq
  state.updated = line.ts
  const step = steps[kind] as
    | ((state: StudyState, data: StudyEntries[typeof kind], ts: number) => void)
    | undefined
  step?.(state, data as never, line.ts)
  noteRound(state)
}

/** Returns the state after all lines of a study. Throws unless the first one is the study's first entry. */
export function foldStudy(lines: readonly JournalLine[]): StudyState {
  const [first, ...rest] = lines
  if (!first) throw new Error('a study without entries')
  const state = beginStudyState(first)
  for (const line of rest) advanceStudyState(state, line)
  return state
}

type EntryHandlers = {
  [K in keyof StudyEntries]?: (state: StudyState, data: StudyEntries[K], ts: number) => void
}

const steps: EntryHandlers = {
  plan(state, plan) {
    state.plan = plan
    for (const task of plan.tasks) addTask(state, task)
  },
  'task.added'(state, { task, of, ask, checks }) {
    addTask(state, task, ask ?? state.round, checks)
    if (of !== undefined) state.replanned.set(of, task.id)
  },
  'task.started'(state, start, ts) {
    const taskState = state.tasks.get(start.task)
    // a worker may start a task in the moment in which the coordinator drops it
    if (taskState && isTaskOver(taskState))
      Object.assign(taskState, { epoch: start.epoch, attempts: start.attempt })
    else changeTask(state, start.task, ts, leaseTask(start))
  },
  'task.lost'(state, { task, epoch, free }, ts) {
    const taskState = state.tasks.get(task)
    // An entry about an earlier lease, or about a task that is over, arrives late and must not open
    // the task again.
    if (!taskState || epoch < taskState.epoch) return
    if (free !== true && taskState.status === 'leased') taskState.lostProcess = taskState.process
    if (isTaskOver(taskState)) taskState.epoch = epoch
    else changeTask(state, task, ts, { status: 'open', epoch, inherited: false })
  },
  step(state, { task, request, mail, reply, usage }, ts) {
    notePaidStep(state, usage)
    notePayment(state, `${task} ${request}`)
    state.mail = addReadMail(state.mail, task, mail)
    const taskState = state.tasks.get(task)
    if (!taskState) return
    const call = reply.calls.at(-1)
    changeTask(state, task, ts, {
      steps: taskState.steps + 1,
      calls: taskState.calls + reply.calls.length,
      ...(call && { doing: `${call.name} ${subjectOf(call.args)}`.trim() }),
    })
  },
  evidence(state, evidence) {
    stateItems.get(state)?.evidence.put(evidence)
    forgetMergedClaims(state)
  },
  claim(state, claim) {
    stateItems.get(state)?.claims.put(claim)
    forgetMergedClaims(state)
  },
  'task.ended': (state, { task, result }, ts) => changeTask(state, task, ts, { status: 'ended', result }),
  'task.not_run'(state, { task, reason }, ts) {
    changeTask(state, task, ts, { status: 'not_run', notRun: reason })
  },
  verdict(state, verdict) {
    state.verdicts.set(verdict.claim, verdict)
    forgetMergedClaims(state)
  },
  documents(state, documents) {
    state.table = { documents, rows: state.table?.rows ?? new Map() }
  },
  row: (state, row) => void state.table?.rows.set(row.task, row),
  source: (state, facts) => void state.sources.set(facts.canonical, facts),
  prose: (state, prose) => void state.prose.set(prose.task, prose),
  ask(state, { n, question }, ts) {
    state.rounds[n] = { question, status: 'running', created: ts, updated: ts }
    enterRound(state, n)
    // From here on, only the coordinator ends the study, or a process that resumes it.
    state.status = 'running'
    delete state.report
    delete state.reason
  },
  'task.reopened'(state, { task }, ts) {
    const taskState = state.tasks.get(task)
    if (!taskState) return
    enterRound(state, taskState.round)
    delete taskState.result
    delete taskState.notRun
    delete state.report
    changeTask(state, task, ts, { status: 'open', reopened: taskState.reopened + 1 })
  },
  limits(state, limits) {
    state.head = { ...state.head, ...limits }
  },
  report(state, report) {
    state.report = report
    state.reports++
  },
  notice: (state, notice) => void state.notices.push(notice),
  status(state, { status, reason, pid, host }) {
    // While the status is `planning`, no worker has a task, so no task is marked as one from
    // an earlier coordinator.
    const isTakenOver = pid !== undefined && state.status !== 'planning'
    if (isTakenOver) for (const taskState of state.tasks.values()) taskState.inherited = true
    state.status = status
    if (pid !== undefined && host !== undefined) state.coordinator = { pid, host }
    if (reason === undefined) delete state.reason
    else state.reason = reason
  },
}

function addTask(state: StudyState, task: StudyTask, round = 0, checks?: string): void {
  const counts = { attempts: 0, epoch: 0, steps: 0, calls: 0, reopened: 0 }
  state.tasks.set(task.id, { task, status: 'open', ...counts, round, checks })
}

function changeTask(state: StudyState, id: string, ts: number, to: Partial<TaskState>): void {
  const taskState = state.tasks.get(id)
  if (taskState) Object.assign(taskState, { started: ts, ...taskState, ...to, updated: ts })
}

/** Largest number of messages that are kept; the log contains all of them. */
const maxKeptMail = 50

/** Returns the messages with those that the task has read in one step. */
function addReadMail(before: ReadMail, task: string, mail: readonly DeliveredMessage[]): ReadMail {
  if (mail.length === 0) return before
  const read = mail.map((message) => ({ ...message, to: task }))
  return { count: before.count + mail.length, newest: [...before.newest, ...read].slice(-maxKeptMail) }
}

function notePayment(state: StudyState, request: string): void {
  const paid = stateItems.get(state)?.paid
  if (paid?.has(request)) state.repaid++
  paid?.add(request)
}

function notePaidStep(state: StudyState, usage: TokenUsage): void {
  addUsage(state.usage, usage)
  state.usage.steps++
  if (usage.model !== undefined) state.repliedBy.set(usage.model, (state.repliedBy.get(usage.model) ?? 0) + 1)
}

/** Returns a call's pattern, query, path or recipient, else its first text, else an empty text. */
function subjectOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const values = args as Record<string, unknown>
  const named = ['pattern', 'query', 'path', 'recipient'].map((key) => values[key])
  return [...named, ...Object.values(values)].find((value) => typeof value === 'string') ?? ''
}
