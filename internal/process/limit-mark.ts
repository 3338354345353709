// A mark in a resource limit that Linux does not enforce. Processes keep the mark even if they clear their
// environment and lose their parents.
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SpawnPlan } from './process-command.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const runDigits = 12
const childDigits = 6

/**
 * Returns the digits for a mark `ID.` or `ID.N.` of a ChildOwner; undefined for other texts. The digits of
 * `ID.` are a prefix of those of `ID.N.`.
 */
export function limitMarkOf(mark: string): string | undefined {
  const [, id, number] = /^([0-9A-Z]{26})\.(?:(\d+)\.)?$/.exec(mark) ?? []
  if (id === undefined) return undefined
  const digits = [...id].map((char) => BigInt(Math.max(0, alphabet.indexOf(char))))
  const value = digits.reduce((sum, digit) => sum * 32n + digit, 0n)
  const least = 10n ** BigInt(runDigits - 1)
  const run = least + (value % (9n * least))
  return `${run}${number === undefined ? '' : number.slice(-childDigits).padStart(childDigits, '0')}`
}

/**
 * Makes `prlimit` start the program with the digits of `mark` as its limit of file locks, which Linux does
 * not enforce. Returns undefined if that is not possible.
 */
export function withLimitMark(plan: SpawnPlan, mark: string): { plan: SpawnPlan; limit: string } | undefined {
  const limit = limitMarkOf(mark)
  const program = findPrlimit()
  if (limit === undefined || program === undefined || !canStart(plan)) return undefined
  const args = [`--locks=${limit}:`, '--', plan.file, ...plan.args]
  return { plan: { ...plan, file: program, args }, limit }
}

let prlimit: { path: string | undefined } | undefined

function findPrlimit(): string | undefined {
  prlimit ??= { path: isRaisable() ? ['/usr/bin/prlimit', '/bin/prlimit'].find(isProgram) : undefined }
  return prlimit.path
}

/**
 * Returns true if the hard limit of file locks is `unlimited`, so that any digits can be set. A lower limit
 * cannot be raised.
 */
function isRaisable(): boolean {
  try {
    return /^Max file locks +\S+ +unlimited/m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Returns false if the program is missing. The program is then started without `prlimit`, so that the error
 * is its own.
 */
function canStart({ file, cwd, env }: SpawnPlan): boolean {
  if (file.includes('/')) return isProgram(resolve(cwd, file))
  const directories = (env.PATH ?? '/usr/bin:/bin').split(':')
  return directories.some((dir) => isProgram(resolve(cwd, dir, file)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
