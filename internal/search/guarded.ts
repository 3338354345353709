// Keeps searches out of files whose names are sensitive, and counts them.
import { sensitive, sensitiveGlobs } from '../policy/names.ts'
import { type Name, textOf } from './name.ts'

/**
 * Options that make ripgrep pass over sensitive files and say so on standard error, one line each: such a file is
 * read through a program that cannot exist, so not at all. It is the only way to have them counted in the same
 * pass, and the count does not depend on what stands in them.
 */
export const guardArgs: readonly string[] = [
  '--pre=/dev/null/none',
  ...sensitiveGlobs.map((one) => `--pre-glob=${one}`),
  // hidden folders are not entered anyway
  ...sensitiveGlobs.filter((one) => !one.startsWith('.')).map((one) => `--pre-glob=**/${one}/**`),
]

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/** The file that a line of standard error says was passed over. */
export function passedOver(line: string): Name | undefined {
  return refusal.exec(line)?.[1]
}

const part = sensitiveGlobs.map((one) =>
  one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\*', '[^/]*'),
)

/** Finds out in one go whether some of many names, joined by slashes, may be sensitive. */
const suspect = new RegExp(`(?:^|/)(?:${part.join('|')})(?:/|$)|[^\\x00-\\x7f]|[. ](?:/|$)`, 'i')

/** True when any part of the path is a name that may hold secrets. */
export const isGuarded = (name: Name): boolean => suspect.test(name) && sensitive(textOf(name))

/** Takes the sensitive ones out of many names and adds them to `removed`. */
export function unguarded(names: Name[], removed: Name[]): Name[] {
  if (!suspect.test(names.join('/'))) return names
  const open: Name[] = []
  for (const name of names) (isGuarded(name) ? removed : open).push(name)
  return open
}
