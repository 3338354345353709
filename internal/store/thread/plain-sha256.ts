// SHA-256 of a few bytes without node:crypto, because loading that module would take 4 ms at a start.
import { once } from '../../base/once.ts'

/**
 * Constants of SHA-256 (FIPS 180-4): the fractions of the cube roots of the first 64 primes, and of the
 * square roots of the first eight.
 */
const fractions = once(() => {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0
  return {
    constants: primes.map((prime) => fraction(Math.cbrt(prime))),
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) as State,
  }
})

/** Returns the same hexadecimal hash as `fingerprint`, which is faster for more than some hundred bytes. */
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

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))

type State = [number, number, number, number, number, number, number, number]

function mixBlock(state: State, block: Buffer, from: number): State {
  const { constants } = fractions()
  const words: number[] = []
  const word = (i: number) => words[i] as number
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    words.push(i < 16 ? block.readInt32BE(from + 4 * i) : nextWord(word, i))
    const upper = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + upper + choice + (constants[i] as number) + word(i)) | 0
    const lower = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
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
  return [a, b, c, d, e, f, g, h].map((value, i) => (value + (state[i] as number)) | 0) as State
}

function nextWord(word: (i: number) => number, i: number): number {
  const far = word(i - 15)
  const last = word(i - 2)
  const before = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
  const after = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10)
  return (word(i - 16) + before + word(i - 7) + after) | 0
}
