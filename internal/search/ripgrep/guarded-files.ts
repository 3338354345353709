// Keeps files with sensitive names out of searches, and counts them.

import { once } from '../../base/once.ts'
import { type ByteName, textOfBytes } from '../../base/text/byte-name.ts'
import {
  isSensitive,
  sampleGlobs,
  sensitiveGlobs,
  sensitivePaths,
} from '../../policy/paths/sensitive-names.ts'

/**
 * Returns options by which ripgrep skips sensitive files and prints one line about each on standard error.
 * The options instruct ripgrep to read such a file through a program that cannot exist, so the file is never
 * read. No other option counts the files in the same pass, and this count does not depend on their content.
 */
export const guardArgs = once((): readonly string[] => [
  '--pre=/dev/null/none',
  `--pre-glob=${oneGlob(sensitiveGlobs)}`,
  // Of several globs that match a file, the last one counts, so sample files are read after all.
  ...sampleGlobs.map((one) => `--pre-glob=!${one}`),
  `--pre-glob=**/${oneGlob(sensitivePaths)}`,
  // These are the likely directories with sensitive names. Files in other ones are removed from
  // the results later.
  `--pre-glob=**/${oneGlob(sensitiveGlobs.filter((one) => /^\w+$/.test(one)))}/**`,
])

/**
 * Returns one glob that matches what any of the globs matches, because ripgrep compares a path faster
 * with one glob.
 */
const oneGlob = (globs: readonly string[]) => `{${globs.join(',')}}`

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/** Returns the file that a line of standard error reports as skipped; undefined for any other line. */
export function parsePassedOver(line: string): ByteName | undefined {
  return refusal.exec(line)?.[1]
}

/**
 * Returns a pattern that matches each path that may be sensitive: one with the longest word of a sensitive
 * name, a sensitive path, a character outside of ASCII, or a dot or space at the end of a name. A path that
 * does not match needs no further check.
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

/** Returns true if the path or a part of it is a sensitive name, such as that of a file with secrets. */
export const isGuarded = (name: ByteName): boolean => suspect().test(name) && isSensitive(textOfBytes(name))

/** Returns the names without the sensitive ones, which are added to `removed`. */
export function removeGuarded(names: ByteName[], removed: ByteName[]): ByteName[] {
  if (!names.some((name) => suspect().test(name))) return names
  const open: ByteName[] = []
  for (const name of names) (isGuarded(name) ? removed : open).push(name)
  return open
}
