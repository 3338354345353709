// Reader that separates reasoning from an answer in which a model writes it between <think> and </think>.

type ThinkPart = { type: 'text' | 'reasoning'; text: string }

/**
 * Parts to show now. If `isRetracted` is true, all text that was shown before was reasoning; `parts` contain
 * it again as reasoning.
 */
interface ThinkResult {
  parts: ThinkPart[]
  isRetracted?: true
}

interface ThinkReader {
  push(piece: string): ThinkResult
  /**
   * Ends the response and returns the held text, which could have been the start of a tag. If the response
   * was only assumed to start with reasoning and has no closing tag, all of it becomes text.
   */
  close(): ThinkResult
}

const opening = /^<think(?:ing)?>/
const closing = /<\/think(?:ing)?>/
const openings = ['<think>', '<thinking>']
const closings = ['</think>', '</thinking>']

interface ThinkState {
  mode: 'start' | 'thinking' | 'answer'
  isAssumed: boolean
  /** Text that was already returned as the answer, or as assumed reasoning. */
  answered: string
  held: string
  hasThought: boolean
}

/**
 * Creates a reader of one response. `isOpen`: the response starts inside reasoning, because the chat template
 * of the server contains the opening tag. Without a closing tag, that reasoning becomes text.
 */
export function thinkReader(isOpen = false): ThinkReader {
  const mode = isOpen ? 'thinking' : 'start'
  const state: ThinkState = { mode, isAssumed: isOpen, answered: '', held: '', hasThought: false }
  const run = (isLast: boolean): ThinkResult => {
    const all: ThinkResult = { parts: [] }
    for (let next = readNext(state, isLast); next; next = readNext(state, isLast)) {
      if (next.isRetracted) Object.assign(all, { parts: [], isRetracted: true })
      all.parts.push(...next.parts)
      if (state.held === '' && state.mode !== 'start') break
    }
    return all
  }
  return {
    push(piece) {
      state.held += piece
      return run(false)
    },
    close() {
      const all = run(true)
      const { isAssumed, answered } = state
      return isAssumed && answered !== '' ? { parts: [{ type: 'text', text: answered }] } : all
    },
  }
}

const readNext = (state: ThinkState, isLast: boolean): ThinkResult | undefined =>
  ({ start: readStart, thinking: readThought, answer: readAnswer })[state.mode](state, isLast)

function readStart(state: ThinkState, isLast: boolean): ThinkResult | undefined {
  const text = state.held.trimStart()
  const tag = opening.exec(text)?.[0]
  if (tag !== undefined) {
    state.held = text.slice(tag.length)
    state.mode = 'thinking'
    return { parts: [] }
  }
  if (!isLast && openings.some((one) => one.startsWith(text))) return undefined
  if (state.hasThought) state.held = text
  state.mode = 'answer'
  return { parts: [] }
}

function readThought(state: ThinkState, isLast: boolean): ThinkResult | undefined {
  const { held: heldText } = state
  const match = closing.exec(heldText)
  const until = match?.index ?? heldText.length - (isLast ? 0 : tailLength(heldText, closings))
  const text = heldText.slice(0, until)
  state.held = heldText.slice(match ? until + match[0].length : until)
  if (match) endThought(state)
  else if (state.isAssumed) state.answered += text
  if (text !== '') return { parts: [{ type: 'reasoning', text }] }
  return match ? { parts: [] } : undefined
}

const endThought = (state: ThinkState) =>
  Object.assign(state, { mode: 'start', hasThought: true, isAssumed: false, answered: '' })

function readAnswer(state: ThinkState, isLast: boolean): ThinkResult | undefined {
  const { held: heldText, hasThought } = state
  const match = hasThought ? null : closing.exec(heldText)
  const from = match ? match.index + match[0].length : 0
  // The tag may be a word of a sentence, so the two characters after the tag are needed first.
  if (match && !isLast && heldText.length < from + 2) return undefined
  if (match && isTag(state.answered + heldText.slice(0, match.index), heldText.slice(from))) {
    const text = state.answered + heldText.slice(0, match.index)
    state.held = heldText.slice(from)
    endThought(state)
    return { parts: text === '' ? [] : [{ type: 'reasoning', text }], isRetracted: true }
  }
  const until = heldText.length - (isLast || hasThought ? 0 : tailLength(heldText.slice(from), closings))
  const text = heldText.slice(0, until)
  state.answered += text
  state.held = heldText.slice(until)
  return text === '' ? undefined : { parts: [{ type: 'text', text }] }
}

/** Returns the number of characters at the end of `text` that may start one of `tags`. */
function tailLength(text: string, tags: readonly string[]): number {
  const at = text.lastIndexOf('<')
  const tail = at < 0 ? '' : text.slice(at)
  return tail !== '' && tags.some((tag) => tag.startsWith(tail)) ? tail.length : 0
}

/**
 * Returns true if a closing tag ends reasoning. In code, or as a word of a sentence, it is part
 * of the answer.
 */
function isTag(before: string, after: string): boolean {
  const fences = before.match(/^ {0,3}```/gm)?.length ?? 0
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (fences % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1) return false
  return !(/\S[ \t]$/.test(line) && /^[ \t]\S/.test(after))
}
