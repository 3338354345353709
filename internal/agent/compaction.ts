// Keeps a conversation within the model's window: what is old is replaced by a summary that points at the
// originals.
import type { EventDraft } from '../event/event.ts'
import type { MessageContent, Model, ModelFailure, ModelMessage, ModelRequest } from '../model/model.ts'
import { estimateRequest } from '../model/tokens.ts'
import type { Budget } from './budget.ts'
import { findTextLimit, shortenMessages } from './message-truncation.ts'
import { streamTurn } from './turn.ts'

/** Share of the window at which a conversation is shortened, and what the kept end may take of it. */
const compactionShare = 0.8
const keptShare = 0.3

interface Compaction {
  model: Model
  signal: AbortSignal
  /** Tokens that system prompt and tools take. */
  overhead: number
  thread: string
  budget: Budget
  /** By how much estimates are too low for what the provider counts. */
  scale?(): number
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

/** Numbered lines and JSON take at most so many times the tokens that their characters say. */
const worstScale = 2.5

/**
 * By how much estimates are too low here, as the provider's own figures say; never less than 1, because a
 * server that drops a part of the prompt counts less too.
 */
export function createTokenScale(): {
  value(): number
  measured(request: ModelRequest, counted: number): void
} {
  let scale = 1
  return {
    value: () => scale,
    measured(request, counted) {
      scale = Math.min(worstScale, Math.max(1, counted / Math.max(1, estimateRequest(request))))
    },
  }
}

/** Four characters count as a token; a picture as 1,500. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + measure(message), 0) / 4)
}

const measured = new WeakMap<ModelMessage, number>()

/** Characters of a message, which never changes once made: every turn asks for all of them. */
function measure(message: ModelMessage): number {
  const known = measured.get(message)
  if (known !== undefined) return known
  const calls = message.role === 'assistant' && message.calls ? JSON.stringify(message.calls).length : 0
  const chars = size(message.content) + 16 + calls
  measured.set(message, chars)
  return chars
}

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
      return yield* replaceOld(options, messages, Math.min(room, before) * keptShare, false, focus)
    }
    if (!refusal) {
      // in the tokens of the estimate
      const room = Math.max(minRoomTokens, window / (options.scale?.() ?? 1) - overhead)
      if (before < room * compactionShare) return false
      return yield* replaceOld(options, messages, room * keptShare, false)
    }
    const share = shareOf(refusal.message)
    window = Math.min(window, Math.floor((before + overhead) * (share ?? 0.9)))
    const room = Math.max(minRoomTokens, (before + overhead) * (share ?? 0.5) * compactionShare - overhead)
    yield* replaceOld(options, messages, room / 2, true)
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

/** The task stays, the last turns stay whole up to `room` tokens, the rest becomes one summary. */
async function* replaceOld(
  options: Compaction,
  messages: ModelMessage[],
  room: number,
  forced: boolean,
  focus?: string,
): AsyncGenerator<EventDraft, boolean> {
  if (options.dropOld) return options.dropOld(messages, room)
  const cut = cutAt(messages, Math.max(1, room))
  // the task itself and at least one turn have to lie before the cut
  if (cut < 3) return false
  const old = messages.slice(1, cut)
  const about = { tokens: estimateTokens(messages), replaced: old.length, forced }
  const refused = await options.permit?.(about)
  if (refused) {
    yield* sayOnce(options, `the conversation was not shortened: ${refused.deny}`)
    return false
  }
  const summary = yield* summarise(options, old, forced ? room * 4 : Number.POSITIVE_INFINITY, focus)
  const text =
    `What happened so far, in short (the whole is in thread ${options.thread}, read_thread ` +
    'shows ' +
    `it):\n\n${summary}`
  if (options.signal.aborted) return false
  messages.splice(1, cut - 1, { role: 'user', content: text, origin: 'note' })
  const tokens = { before: about.tokens, after: estimateTokens(messages) }
  yield {
    type: 'message',
    payload: { role: 'summary', text, replaced: old.length, kept: messages.length - 2, tokens },
  }
  return true
}

const note = (text: string): EventDraft => ({ type: 'model.notice', payload: { code: 'note', text } })

const lastNotes = new WeakMap<Compaction, string>()

/** A conversation that may not be shortened comes here before each request. */
function* sayOnce(options: Compaction, text: string): Generator<EventDraft, void> {
  if (lastNotes.get(options) !== text) yield note(text)
  lastNotes.set(options, text)
}

/** Cuts the longest texts of what is left; the thread keeps them whole. */
async function* shortenTexts(
  { permit }: Compaction,
  messages: ModelMessage[],
  room: number,
): AsyncGenerator<EventDraft, void> {
  const before = estimateTokens(messages)
  if (await permit?.({ tokens: before, replaced: 0, forced: true })) return
  const maxChars = findTextLimit(messages, Math.floor(room), estimateTokens)
  shortenMessages(messages, maxChars)
  const text =
    `The conversation did not fit into the model's window: no text in it has more than ` +
    `${maxChars} ` +
    'characters now.'
  yield {
    type: 'message',
    payload: {
      ...{ role: 'summary', text, replaced: 0, kept: messages.length, max_chars: maxChars },
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

/**
 * A language model writes its own summary; anything else, or one that fails, gets the list of what was done.
 */
async function* summarise(
  { model, signal, budget }: Compaction,
  old: readonly ModelMessage[],
  maxChars: number,
  focus?: string,
): AsyncGenerator<EventDraft, string> {
  const digest = listing(old).slice(0, maxChars)
  if (model.kind !== 'llm') return digest
  const system =
    'Summarise the work below for the one who goes on with it: task, decisions and reasons, ' +
    'files read and changed, commands and outcomes, what is open. Facts only, at most 600 words.' +
    (focus ? ` Keep above all: ${focus}` : '')
  const content = listing(old, 2_000).slice(0, Math.min(model.window * 2, maxChars))
  const request = {
    messages: [{ role: 'system', content: system } as const, { role: 'user', content } as const],
    tools: [],
    meta: { purpose: 'compact' as const },
  }
  const stream = streamTurn(model, request, signal)
  for (;;) {
    const step = await stream.next()
    // its deltas are not part of the conversation
    if (!step.done) continue
    budget.use(step.value.usage)
    if (step.value.usage) yield { type: 'usage', payload: { ...step.value.usage } }
    const { failure, text } = step.value
    if (failure?.kind === 'cancelled' || (!failure && text !== '')) return text
    const why = failure?.message ?? 'the model said nothing'
    yield note(`no summary (${why}): a list of what was done stands in the place of what is old`)
    return digest
  }
}

function listing(messages: readonly ModelMessage[], chars = 200): string {
  return messages
    .map((message) => {
      const text = plainText(message.content).slice(0, chars)
      if (message.role === 'tool') return `  ${message.name} -> ${text.replaceAll('\n', ' ')}`
      if (message.role !== 'assistant') return `- ${message.role}: ${text}`
      const calls =
        message.calls?.map((call) => `\n  call ${call.name} ${JSON.stringify(call.args).slice(0, chars)}`) ??
        []
      return `- ${text}${calls.join('')}`
    })
    .join('\n')
}

function plainText(content: MessageContent): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '(picture)')).join(' ')
}

function size(content: MessageContent): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 6_000), 0)
}
