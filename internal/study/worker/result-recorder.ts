// Records the results of a task's calls in the journal of the study, with the evidence that they show.
import type { ModelMessage } from '../../model/model.ts'
import { contentText } from '../../model/tokens.ts'
import type { NewJournalLine } from '../../store/journal/journal.ts'
import type { Catalog } from '../../tool/catalog.ts'
import type { ShownPassage } from '../../tool/tool.ts'
import { makeStudyEntry, type StudyEntries, type StudyEvidence } from '../log/entries.ts'
import { fenceMaterial, fileEvidence } from './evidence.ts'
import { type ReplayedTask, resultMessage } from './task-replay.ts'
import { FencedError, type SessionStop } from './task-stop.ts'
import type { BudgetLease } from './worker-budget.ts'

/** Facts about the calls of a session, by the ids that the model gave them. */
export interface CallNotes {
  /** Duration of each call in milliseconds, by the model's id of the call. */
  readonly times: Map<string, number>
  /**
   * Calls that failed for a reason outside of the call. The stop that caused the failure may reach
   * this process later.
   */
  readonly cutOff: Set<string>
}

interface ResultRecorderOptions {
  budgetLease: BudgetLease
  task: ReplayedTask
  /** Evidence of the task by id. Evidence that is stored later is added to this map. */
  evidence: Map<string, StudyEvidence>
  catalog: Catalog
  calls: CallNotes
  sessionStop: SessionStop
  /** True if the model works by rules and so reads the data of results. */
  readsData: boolean
  /** Root directory of the sources. */
  cwd: string
}

/** Largest number of passages in a result that get an evidence id. The result says how many have none. */
const maxFiled = 20

/**
 * Returns a function that stores the evidence of all new calls and replaces their results by the recorded
 * text, up to the first call that a stop has interrupted. It throws FencedError when the lease is lost.
 */
export function createResultRecorder(options: ResultRecorderOptions): () => Promise<void> {
  const { budgetLease, task, calls, sessionStop } = options
  const { journal, study, fence } = budgetLease
  const { messages } = task
  let recorded = messages.length
  // A call that failed from outside may have been ended by a stop that is not known here yet. So the session
  // is asked again, because the result of a stopped call is not stored.
  const isCutShort = async (callId: string) => {
    if (!sessionStop.stopped && calls.cutOff.has(callId)) await sessionStop.check(true)
    return sessionStop.stopped !== undefined
  }
  return async () => {
    const batch: NewJournalLine[] = []
    for (let i = recorded; i < messages.length; i++) {
      const message = messages[i] as ModelMessage
      if (message.role !== 'tool') continue
      // Calls that a stop has interrupted, and all calls after them, run again when the task is resumed.
      if (message.failed && (await isCutShort(message.callId))) break
      messages[i] = await recordResult(options, message, batch)
    }
    recorded = messages.length
    if (batch.length === 0) return
    const done = await journal.append(study, batch, fence)
    if (done.state !== 'ok') throw new FencedError()
  }
}

async function recordResult(
  options: ResultRecorderOptions,
  message: Extract<ModelMessage, { role: 'tool' }>,
  batch: NewJournalLine[],
): Promise<ModelMessage> {
  const { budgetLease, task, catalog, calls, readsData } = options
  const { callId: call, name: tool, failed } = message
  const text = contentText(message.content)
  const filedEvidence: StudyEvidence[] = []
  let rest: ShownPassage[] = []
  if (!failed) {
    const { evidence } = (await catalog.find(tool)?.load()) ?? {}
    const passages = (await evidence?.(message.data, text)) ?? []
    for (const passage of passages.slice(0, maxFiled))
      filedEvidence.push(await fileOnce(options, passage, tool, batch))
    rest = passages.slice(maxFiled)
  }
  const result: StudyEntries['result'] = {
    task: budgetLease.task,
    n: task.steps,
    call,
    tool,
    ok: failed !== true,
    text: fenceMaterial(tool, text, filedEvidence, rest.length),
    evidence: filedEvidence.map(({ id }) => id),
    ms: Math.round(calls.times.get(call) ?? 0),
    data: readsData && !failed ? message.data : undefined,
  }
  batch.push(makeStudyEntry('result', result, `result:${result.task}:${task.steps}:${call}`))
  return resultMessage(result, filedEvidence)
}

async function fileOnce(
  { budgetLease, task, evidence, cwd }: ResultRecorderOptions,
  passage: ShownPassage,
  tool: string,
  batch: NewJournalLine[],
): Promise<StudyEvidence> {
  const { canonical, locator, excerpt } = passage
  const earlierEvidence = [...evidence.values()].find(
    (one) => one.canonical === canonical && one.locator === locator && one.excerpt === excerpt,
  )
  if (earlierEvidence) return earlierEvidence
  const id = `E${budgetLease.task.slice(1)}.${evidence.size + 1}`
  const newEvidence = await fileEvidence(passage, id, budgetLease.task, tool, cwd)
  evidence.set(id, newEvidence)
  batch.push(makeStudyEntry('evidence', newEvidence, `evidence:${id}`))
  task.fresh++
  return newEvidence
}
