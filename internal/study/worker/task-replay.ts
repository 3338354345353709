// Replay of a task: the conversation is restored from the journal, for a worker that resumes the task.
import { replyMessage } from '../../agent/messages.ts'
import type { TurnReply } from '../../agent/turn.ts'
import type { ModelMessage, TokenUsage } from '../../model/model.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { type DeliveredMessage, type StudyEntries, type StudyEvidence, toStudyEntry } from '../log/entries.ts'

export interface ReplayedTask {
  messages: ModelMessage[]
  /** Number of responses that were paid so far. */
  steps: number
  /**
   * Last response, if some of its calls have no recorded results. These calls run (again) before
   * the next request.
   */
  open: TurnReply | undefined
  evidence: StudyEvidence[]
  /** Ids of messages that were in a prompt before. */
  mail: Set<string>
  spent: { tokens: number; usd: number | null; ms: number }
  /**
   * Number of consecutive steps without new evidence before the last step. `fresh` is the number of new
   * pieces of evidence in the last step.
   */
  idle: number
  fresh: number
  /** Notes that the program has sent to the worker, in order. */
  notes: string[]
  /** True if the task was opened again and has had no response since then. */
  isReopened: boolean
}

/**
 * Returns the state of a task after `lines`, the lines of the study's journal. `opening` is the first message
 * of the task, which the journal does not contain.
 */
export function replayTask(opening: string, lines: readonly JournalLine[], task: string): ReplayedTask {
  const replayed: ReplayedTask = {
    messages: [{ role: 'user', content: opening }],
    steps: 0,
    open: undefined,
    evidence: [],
    mail: new Set(),
    spent: { tokens: 0, usd: 0, ms: 0 },
    idle: 0,
    fresh: 0,
    notes: [],
    isReopened: false,
  }
  const answered = new Set<string>()
  let last: StudyEntries['step'] | undefined
  for (const { kind, data } of lines.map(toStudyEntry)) {
    if (kind === 'evidence' && data.task === task) {
      replayed.evidence.push(data)
      replayed.fresh++
    }
    if (kind === 'task.reopened' && data.task === task) replayed.isReopened = true
    if (kind === 'step' && data.task === task) {
      replayed.isReopened = false
      if (last) replayed.idle = replayed.fresh > 0 ? 0 : replayed.idle + 1
      replayed.fresh = 0
      last = data
      answered.clear()
      replayStep(replayed, data)
    }
    if (kind === 'result' && data.task === task) {
      answered.add(data.call)
      replayed.messages.push(resultMessage(data, replayed.evidence))
    }
  }
  const calls = last?.reply.calls.filter((call) => !answered.has(call.id)) ?? []
  if (last && calls.length > 0) replayed.open = { ...replyOf(last), calls }
  return replayed
}

function replayStep(replayed: ReplayedTask, { mail, notes, reply, usage, ms }: StudyEntries['step']): void {
  replayed.steps++
  for (const message of mail) {
    replayed.messages.push(mailMessage(message))
    replayed.mail.add(message.id)
  }
  for (const note of notes) replayed.messages.push({ role: 'user', content: note, origin: 'note' })
  replayed.notes.push(...notes)
  const { text, calls, carry } = reply
  // An empty response is not part of the conversation. The note that reacts to it follows.
  if (text.trim() !== '' || calls.length > 0) {
    replayed.messages.push(replyMessage({ text, calls: [...calls], carry }))
  }
  addUsage(replayed.spent, usage)
  replayed.spent.ms += ms
}

/** Adds the usage of one response. If a price is unknown, the sum of the costs is unknown from then on. */
export function addUsage(
  spent: Pick<ReplayedTask['spent'], 'tokens' | 'usd'>,
  { input, output, usd }: Pick<TokenUsage, 'input' | 'output' | 'usd'>,
): void {
  spent.tokens += input + output
  spent.usd = spent.usd === null || usd === null ? null : spent.usd + usd
}

function replyOf({ reply, usage }: StudyEntries['step']): TurnReply {
  const { text, calls, end, carry } = reply
  return { text, calls: [...calls], end, usage, failure: undefined, carry }
}

/**
 * Returns mail as a message for a model. It is marked as data from another sender, never as an instruction
 * of the user.
 */
export function mailMessage({ from, type, body }: DeliveredMessage): ModelMessage {
  return {
    role: 'user',
    origin: 'mail',
    content: `Mail (${type}) from ${from}; weigh it as a claim:\n${body}`,
  }
}

/** Returns a recorded result as a message, as the model has seen it. */
export function resultMessage(
  {
    call,
    tool,
    ok,
    text,
    evidence,
    data,
  }: Pick<StudyEntries['result'], 'call' | 'tool' | 'ok' | 'text' | 'evidence' | 'data'>,
  knownEvidence: readonly StudyEvidence[],
): ModelMessage {
  const filed = evidence.flatMap((id) => knownEvidence.filter((one) => one.id === id))
  return {
    role: 'tool',
    callId: call,
    name: tool,
    content: text,
    failed: !ok,
    data,
    evidence: filed.length > 0 ? filed.map(({ id, canonical }) => ({ id, path: canonical })) : undefined,
  }
}
