// Exclusion of files with sensitive names from searches, and their count.

import { once } from '../../base/once.ts'
import { type ByteName, textOfBytes } from '../../base/text/byte-name.ts'
import {
  isSensitive,
  sampleGlobs,
  sensitiveGlobs,
  sensitivePaths,
} from '../../policy/paths/sensitive-names.ts'

/**
 * Returns options that make ripgrep skip sensitive files with one line each on standard error. Such a file is
 * read through a program that cannot exist, so it is never read. No other way counts them in the same pass,
 * and this count does not depend on their content.
 */
export const guardArgs = once((): readonly string[] => [
  '--pre=/dev/null/none',
  `--pre-glob=${oneGlob(sensitiveGlobs)}`,
  // of several globs that fit the last one counts
  ...sampleGlobs.map((one) => `--pre-glob=!${one}`),
  `--pre-glob=**/${oneGlob(sensitivePaths)}`,
  // likely directories with such names; files in other ones are removed from the results
  `--pre-glob=**/${oneGlob(sensitiveGlobs.filter((one) => /^\w+$/.test(one)))}/**`,
])

/** Returns a glob that fits what any of these fits: ripgrep compares a path with one glob faster. */
const oneGlob = (globs: readonly string[]) => `{${globs.join(',')}}`

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/** Returns the file that a line of standard error reports as skipped. */
export function parsePassedOver(line: string): ByteName | undefined {
  return refusal.exec(line)?.[1]
}

/**
 * Returns a pattern with the longest word of each sensitive name, as a quick check: most paths contain
 * none of them.
 */
const suspect = once(() => {
  const words = sensitiveGlobs.map((one) =>
    (one.match(/\w+/g) ?? ['']).reduce(
      (longest, word) => (word.length > longest.length ? word : longest),
      '',
    ),
  )
  const rows = sensitivePaths.map((one) => one.replaceAll('.', '\\.'))
  return new RegExp(`${[...new Set([...words, ...rows])].join('|')}|[^\\x00-\\x7f]|[. ](?:/|$)`, 'i')
})

/** Returns whether any part of the path is a name that may contain secrets. */
export const isGuarded = (name: ByteName): boolean => suspect().test(name) && isSensitive(textOfBytes(name))

/** Returns the names without the sensitive ones, which are added to `removed`. */
export function removeGuarded(names: ByteName[], removed: ByteName[]): ByteName[] {
  if (!names.some((name) => suspect().test(name))) return names
  const open: ByteName[] = []
  for (const name of names) (isGuarded(name) ? removed : open).push(name)
  return open
}
