// Keeps a conversation within the model's window: the user's messages and the last turns stay, a summary
// replaces the rest.
import type { EventDraft } from '../event/event.ts'
import type { Model, ModelFailure, ModelMessage } from '../model/model.ts'
import type { Budget } from './budget.ts'
import { findTextLimit, shortenMessages, type WholeMessages } from './message-truncation.ts'
import { formatSummary, isSummary, noteDraft, type RequestFrame, writeSummary } from './summary.ts'
import { estimateTokens } from './token-estimate.ts'
import { chooseUserMessages, isUserMessage } from './user-messages.ts'

/**
 * Share of the window at which a conversation is compacted, and what of it the last turns and the summary may
 * take.
 */
const compactionShare = 0.8
const keptShare = 0.3
const summaryShare = 0.15
/** A compaction that frees less is not worth its request. */
const minFreedShare = 0.1

interface Compaction {
  model: Model
  signal: AbortSignal
  /** Tokens that system prompt and tools take. */
  overhead: number
  thread: string
  budget: Budget
  /** By how much estimates are too low for what the provider counts. */
  scale?(): number
  /** What the requests of the conversation begin with. */
  frame?: () => RequestFrame
  /** What the program itself knows of the work: todo list, changed files, the last failure. */
  facts?: (() => Promise<string>) | undefined
  /** Asked before anything is shortened; a refusal leaves the conversation as it is. */
  permit?: CompactionPermit | undefined
  /**
   * Leaves out, in place, what is old until the rest takes at most `room` tokens; absent: it becomes a
   * summary.
   */
  dropOld?: (messages: ModelMessage[], room: number) => boolean
}

export type CompactionPermit = (about: {
  tokens: number
  replaced: number
  forced: boolean
}) => Promise<{ deny: string } | undefined>

/**
 * Shortens a conversation in place and tells of it in events; `refusal`: the provider said that it is too
 * long, or a person has asked for it. `focus`: what its summary is to keep above all.
 */
export type ConversationCompactor = (
  messages: ModelMessage[],
  refusal: ModelFailure | 'asked' | undefined,
  focus?: string,
) => AsyncGenerator<EventDraft, boolean>

/**
 * Keeps one conversation within the model's window. Before a refusal that is the window the model is said to
 * have; after one it is what was there when it was refused.
 */
export function createCompactor(options: Compaction): ConversationCompactor {
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
      // in the tokens of the estimate
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

/** Tokens that a conversation gets even where system prompt and tools alone seem to fill the window. */
const minRoomTokens = 500

/** How much of a refused request may stay, by the figures of the refusal: what fits and what was sent. */
function shareOf(message: string): number | undefined {
  const figures = [...message.matchAll(/\b\d{3,9}\b/g)].map(Number).filter((figure) => figure >= 512)
  if (figures.length < 2) return undefined
  const share = Math.min(...figures) / Math.max(...figures)
  return share < 1 ? Math.max(0.1, share) : undefined
}

interface CompactionPlan {
  window: number
  /** Tokens that the conversation may take, and what of it the last turns get. */
  room: number
  tail: number
  isAsked?: boolean
  isRefused?: boolean
  focus?: string | undefined
}

/** The user's messages stay word for word and the last turns whole; a summary replaces the rest. */
async function* replaceOld(
  options: Compaction,
  messages: ModelMessage[],
  plan: CompactionPlan,
): AsyncGenerator<EventDraft, boolean> {
  const { room, window, isAsked, isRefused = false, focus } = plan
  if (options.dropOld) return options.dropOld(messages, plan.tail)
  const end = cutAt(messages, Math.max(1, plan.tail))
  const { kept, excerpts } = chooseUserMessages(messages, end, window)
  const old = messages.slice(0, end).filter((_, i) => !kept.includes(i))
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
  const heads = kept.map((i) => messages[i] as ModelMessage)
  messages.splice(0, end, ...heads, { role: 'user', content: text, origin: 'note' })
  yield {
    type: 'message',
    payload: {
      role: 'summary',
      text,
      replaced: old.length,
      kept: messages.length - heads.length - 1,
      user_messages: kept,
      tokens: { before, after: estimateTokens(messages) },
    },
  }
  return true
}

const lastNotes = new WeakMap<Compaction, string>()

/** A conversation that may not be shortened comes here before each request. */
function* sayOnce(options: Compaction, text: string): Generator<EventDraft, void> {
  if (lastNotes.get(options) !== text) yield noteDraft(text)
  lastNotes.set(options, text)
}

/** What is spared first, then less and less. */
const spared: readonly WholeMessages[] = ['user', 'latest', 'none']

/** Cuts the longest texts of what is left, those of the user last; the thread keeps them whole. */
async function* shortenTexts(
  { permit }: Compaction,
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

/** Where the kept end begins: a turn is never torn, so the cut lies before a reply or a person's words. */
function cutAt(messages: readonly ModelMessage[], tokens: number): number {
  let cut = messages.length
  for (let i = messages.length - 1; i > 0; i--) {
    const message = messages[i] as ModelMessage
    if (message.role === 'tool') continue
    if (estimateTokens(messages.slice(i)) > tokens && cut < messages.length) break
    cut = i
  }
  return cut
}
