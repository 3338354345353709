// The compaction of a conversation to the model's window: the user's messages and the last turns stay as far
// as they fit, a summary replaces the rest.
import type { EventDraft } from '../event/event.ts'
import type { Model, ModelFailure, ModelMessage } from '../model/model.ts'
import { estimateTokens } from '../model/tokens.ts'
import type { Budget } from './budget.ts'
import { findTextLimit, shortenMessages, type WholeMessages } from './message-truncation.ts'
import { formatSummary, isSummary, noteDraft, type RequestFrame, writeSummary } from './summary.ts'
import { chooseUserMessages, isUserMessage } from './user-messages.ts'

/**
 * Shares of the tokens for the conversation: the share at which it is compacted, the share for the last
 * turns, and the share for the summary.
 */
const compactionShare = 0.8
const keptShare = 0.3
const summaryShare = 0.15
/**
 * Smallest share of the tokens for the conversation that old messages must take for a compaction. It does not
 * apply if the user or the provider requires the compaction.
 */
const minFreedShare = 0.1

interface CompactionOptions {
  model: Model
  signal: AbortSignal
  /** Tokens of the system prompt and the tools. */
  overhead: number
  thread: string
  budget: Budget
  /** Returns the factor by which the provider counts more tokens than the estimate. */
  scale?(): number
  /** Returns the system prompt and the tools, with which each request of the conversation begins. */
  frame?: () => RequestFrame
  /** Facts that Anode itself knows: todo list, changed files, the last failure. */
  facts?: (() => Promise<string>) | undefined
  /** Called before a compaction. A refusal leaves the conversation as it is. */
  permit?: CompactionPermit | undefined
  /**
   * Shortens or drops old messages in place until the conversation takes at most `room` tokens, as far as
   * possible. Returns true if it changed any. Default: a summary replaces old messages.
   */
  dropOld?: (messages: ModelMessage[], room: number) => boolean
}

export type CompactionPermit = (about: {
  tokens: number
  replaced: number
  forced: boolean
}) => Promise<{ deny: string } | undefined>

/**
 * Compacts a conversation in place and yields events about it. Returns true if the conversation changed, and
 * after a refusal only if it became shorter. `refusal`: the provider reported that the conversation is too
 * long, or the user requested a compaction; without it, a conversation is compacted only if it nearly fills
 * the window. `focus`: the most important content of the summary.
 */
export type ConversationCompactor = (
  messages: ModelMessage[],
  refusal: ModelFailure | 'asked' | undefined,
  focus?: string,
) => AsyncGenerator<EventDraft, boolean>

/**
 * Creates the compactor of one conversation. It uses the model's declared window until the provider refuses a
 * request as too long. Then the window is at most a share of the size of that request: the share that the
 * refusal states, else 90 %.
 */
export function createCompactor(options: CompactionOptions): ConversationCompactor {
  let window = options.model.window
  return async function* (messages, refusal, focus) {
    const { overhead } = options
    const before = estimateTokens(messages)
    if (refusal === 'asked') {
      const room = Math.max(minRoomTokens, window - overhead)
      const tail = Math.min(room, before) * keptShare
      return yield* replaceOld(options, messages, { window, room, tail, isAsked: true, focus })
    }
    if (!refusal) {
      // `room` counts estimated tokens, so the window is divided by the factor of the estimate
      const room = Math.max(minRoomTokens, window / (options.scale?.() ?? 1) - overhead)
      if (before < room * compactionShare) return false
      return yield* replaceOld(options, messages, { window, room, tail: room * keptShare })
    }
    const share = shareOf(refusal.message)
    window = Math.min(window, Math.floor((before + overhead) * (share ?? 0.9)))
    const room = Math.max(minRoomTokens, (before + overhead) * (share ?? 0.5) * compactionShare - overhead)
    yield* replaceOld(options, messages, { window, room, tail: room / 2, isRefused: true })
    if (estimateTokens(messages) > room) yield* shortenTexts(options, messages, room)
    return estimateTokens(messages) < before
  }
}

/**
 * Minimum tokens for the conversation, used if the system prompt and the tools alone seem to fill the window.
 */
const minRoomTokens = 500

/**
 * Returns the share of a refused request that may stay, at least 0.1. Of the numbers from 512 on in the
 * refusal, the smallest is divided by the largest. Undefined without two different ones.
 */
function shareOf(message: string): number | undefined {
  const figures = [...message.matchAll(/\b\d{3,9}\b/g)].map(Number).filter((figure) => figure >= 512)
  if (figures.length < 2) return undefined
  const share = Math.min(...figures) / Math.max(...figures)
  return share < 1 ? Math.max(0.1, share) : undefined
}

interface CompactionPlan {
  window: number
  /** Tokens for the conversation; `tail` is the part of them for the last turns. */
  room: number
  tail: number
  isAsked?: boolean
  isRefused?: boolean
  focus?: string | undefined
}

/**
 * Keeps the last turns complete and the user's messages word for word, as far as they fit; a summary replaces
 * the rest. If `options.dropOld` is set, only calls that function. Returns true if the conversation changed,
 * so false if there is too little to replace, `permit` refuses or the run is cancelled.
 */
async function* replaceOld(
  options: CompactionOptions,
  messages: ModelMessage[],
  plan: CompactionPlan,
): AsyncGenerator<EventDraft, boolean> {
  const { room, window, isAsked, isRefused = false, focus } = plan
  if (options.dropOld) return options.dropOld(messages, plan.tail)
  const end = cutAt(messages, Math.max(1, plan.tail))
  const { kept: keptIndexes, excerpts } = chooseUserMessages(messages, end, window)
  const old = messages.slice(0, end).filter((_, i) => !keptIndexes.includes(i))
  const work = old.filter((message) => !isUserMessage(message) && !isSummary(message))
  if (work.length === 0) return false
  if (!isAsked && !isRefused && estimateTokens(work) < room * minFreedShare) return false
  const before = estimateTokens(messages)
  const refused = await options.permit?.({ tokens: before, replaced: old.length, forced: isRefused })
  if (refused) {
    yield* sayOnce(options, `the conversation was not shortened: ${refused.deny}`)
    return false
  }
  const facts = (await options.facts?.()) ?? ''
  const summary = yield* writeSummary(options, {
    messages,
    old,
    facts,
    room: room * summaryShare,
    isTooLong: isRefused,
    focus,
  })
  if (options.signal.aborted) return false
  const { thread, frame } = options
  const isReadable = frame?.().tools.some(({ name }) => name === 'read_thread') ?? true
  const text = formatSummary(summary, { facts, excerpts, thread, isReadable })
  const heads = keptIndexes.map((i) => messages[i] as ModelMessage)
  messages.splice(0, end, ...heads, { role: 'user', content: text, origin: 'note' })
  yield {
    type: 'message',
    payload: {
      role: 'summary',
      text,
      replaced: old.length,
      kept: messages.length - heads.length - 1,
      user_messages: keptIndexes,
      tokens: { before, after: estimateTokens(messages) },
    },
  }
  return true
}

const lastNotes = new WeakMap<CompactionOptions, string>()

/**
 * Yields a notice unless the last notice had the same text, because a conversation that may not be compacted
 * causes it before each request.
 */
function* sayOnce(options: CompactionOptions, text: string): Generator<EventDraft, void> {
  if (lastNotes.get(options) !== text) yield noteDraft(text)
  lastNotes.set(options, text)
}

/**
 * The messages that are not shortened, by attempt: all of the user's, then only the latest of the
 * user, then none.
 */
const spared: readonly WholeMessages[] = ['user', 'latest', 'none']

/**
 * Truncates long texts until the conversation has at most `room` tokens or the limit of 200 characters is
 * reached; texts of the user are truncated last. Does nothing if `permit` refuses. The stored thread keeps
 * all texts complete.
 */
async function* shortenTexts(
  { permit }: CompactionOptions,
  messages: ModelMessage[],
  room: number,
): AsyncGenerator<EventDraft, void> {
  const before = estimateTokens(messages)
  if (await permit?.({ tokens: before, replaced: 0, forced: true })) return
  const max = Math.floor(room)
  const limits = spared.map((whole) => ({ whole, ...findTextLimit(messages, max, estimateTokens, whole) }))
  const { whole, maxChars } = limits.find(({ fits }) => fits) ?? (limits.at(-1) as (typeof limits)[number])
  shortenMessages(messages, maxChars, whole)
  const exempt = { user: " except the user's", latest: " except the user's latest message", none: '' }[whole]
  const text =
    `The conversation did not fit into the model's window: no text in it has more than ${maxChars} ` +
    `characters now${exempt}.`
  yield {
    type: 'message',
    payload: {
      role: 'summary',
      text,
      replaced: 0,
      kept: messages.length,
      max_chars: maxChars,
      whole,
      tokens: { before, after: estimateTokens(messages) },
    },
  }
}

/**
 * Returns the index of the first message that stays. The messages from this index on have about `tokens`
 * tokens. A turn is never split, so the first of these messages is a response or a message of the user.
 */
function cutAt(messages: readonly ModelMessage[], tokens: number): number {
  let start = messages.length
  for (let i = messages.length - 1; i > 0; i--) {
    const message = messages[i] as ModelMessage
    if (message.role === 'tool') continue
    if (estimateTokens(messages.slice(i)) > tokens && start < messages.length) break
    start = i
  }
  return start
}
