// Long lines of few pieces, repeated in every order, and how long the gate takes for each.

import type { Policy } from '../../../internal/policy/policy.ts'
import { bash, judge } from '../../internal/policy/policies.ts'
import { chance, choice, type Rng, several } from './draw.ts'
import { pieces } from './pieces.ts'

/** Characters of each line. */
export const LONG = 16 * 1024

/** Returns one shape: pieces in a row, in sequence, or nested, cut at the full length. */
export function worstLine(random: Rng): string {
  const parts = several(random, 1, 4, (r) => choice(r, pieces('repeated')))
  const first = chance(random, 0.3) ? choice(random, pieces('long beginnings')) : ''
  const room = LONG - first.length
  const filled = chance(random, 0.5)
    ? parts.join('').repeat(Math.ceil(room / parts.join('').length))
    : parts.map((part) => part.repeat(Math.ceil(room / parts.length / part.length))).join('')
  return first + filled.slice(0, room)
}

/** Milliseconds of processor time that the gate needs for a line, the best of some tries. */
export async function timeOf(line: string, policy: Policy, limit: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && best > limit; i++) {
    const before = process.cpuUsage()
    await judge(bash(line), policy)
    const used = process.cpuUsage(before)
    best = Math.min(best, (used.user + used.system) / 1_000)
  }
  return best
}

/** The beginning of a long line, enough to tell its shape. */
export const shapeOf = (line: string): string => JSON.stringify(`${line.slice(0, 40)} … ${line.slice(-20)}`)
