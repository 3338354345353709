// The words of an event that can be searched, and their form in the index, with the SHA-256 of short texts.

import { once } from '../../base/once.ts'
import type { EventDraft } from '../../event/event.ts'

/**
 * Tools that repeat the text of other threads. Their calls and results are not indexed, because a search
 * would only find copies.
 */
const echoes: ReadonlySet<string> = new Set(['find_thread', 'read_thread', 'result'])

/** Returns the text of an event that a user may search for; empty if it has none. */
export function collectIndexText({ type, payload }: EventDraft): string {
  switch (type) {
    case 'message':
      return payload.role === 'system' ? '' : payload.text
    case 'tool.call':
      return echoes.has(payload.tool) ? '' : `${payload.tool} ${listStrings(payload.args).join('\n')}`
    case 'tool.result':
      return echoes.has(payload.tool) ? '' : payload.text
    default:
      return ''
  }
}

/** Returns all strings and numbers inside a value in their order, without the keys of objects. */
function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : []
}

/**
 * Puts spaces around each character of scripts that are written without spaces, because the index would
 * otherwise store a whole text as one word. A phrase of such characters can then be found. Query and index
 * both use this function.
 */
export function spaceCharacters(text: string): string {
  // These scripts begin at Thai in Unicode. Creating the expression for them takes half a millisecond, which
  // a start should not need.
  if (!/[\u0e00-\uffff]/.test(text)) return text
  return text.replace(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/gu,
    ' $& ',
  )
}

/** Returns the words of the index column `scope`, by which events of a workspace or a thread are found. */
export function scopeTokens(workspace: string, thread: number): string {
  return `${workspaceToken(workspace)} ${threadToken(thread)}`
}

export const threadToken = (n: number): string => `t${n}`

const workspaceTokens = new Map<string, string>()

export function workspaceToken(path: string): string {
  const token = workspaceTokens.get(path) ?? `w${hashShortText(path).slice(0, 15)}`
  workspaceTokens.set(path, token)
  return token
}

/**
 * Constants of SHA-256 (FIPS 180-4): the fractions of the cube roots of the first 64 primes, and of the
 * square roots of the first eight. SHA-256 is computed here, because loading node:crypto would take 4 ms
 * at a start.
 */
const fractions = once(() => {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0
  return {
    constants: primes.map((prime) => fraction(Math.cbrt(prime))),
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) as HashState,
  }
})

/**
 * Returns the hash of a text as `fingerprint` does, in hexadecimal digits. For texts of more than some
 * hundred bytes, `fingerprint` is faster.
 */
export function hashShortText(text: string): string {
  const bytes = Buffer.from(text)
  const whole = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64)
  bytes.copy(whole)
  whole[bytes.length] = 0x80
  whole.writeUInt32BE(bytes.length * 8, whole.length - 4)
  let state = fractions().start
  for (let at = 0; at < whole.length; at += 64) state = mixBlock(state, whole, at)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const rotateRight = (word: number, by: number) => (word >>> by) | (word << (32 - by))

type HashState = [number, number, number, number, number, number, number, number]

function mixBlock(state: HashState, block: Buffer, from: number): HashState {
  const { constants } = fractions()
  const words: number[] = []
  const word = (i: number) => words[i] as number
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    words.push(i < 16 ? block.readInt32BE(from + 4 * i) : nextWord(word, i))
    const upper = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + upper + choice + (constants[i] as number) + word(i)) | 0
    const lower = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + lower + majority) | 0
  }
  return [a, b, c, d, e, f, g, h].map((value, i) => (value + (state[i] as number)) | 0) as HashState
}

function nextWord(word: (i: number) => number, i: number): number {
  const far = word(i - 15)
  const last = word(i - 2)
  const before = rotateRight(far, 7) ^ rotateRight(far, 18) ^ (far >>> 3)
  const after = rotateRight(last, 17) ^ rotateRight(last, 19) ^ (last >>> 10)
  return (word(i - 16) + before + word(i - 7) + after) | 0
}
