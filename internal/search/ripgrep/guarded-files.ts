// Exclusion of files with sensitive names from searches with ripgrep, and their count.

import { once } from '../../base/once.ts'
import { type ByteName, textOfBytes } from '../../base/text/text-encoding.ts'
import {
  isSensitive,
  sampleGlobs,
  sensitiveGlobs,
  sensitivePaths,
} from '../../policy/paths/sensitive-names.ts'

/**
 * Returns options by which ripgrep skips files with sensitive names and prints one line about each. With
 * them, ripgrep reads such a file only through a program (`--pre`) whose path cannot exist, so it fails and
 * reports the file. No other option of ripgrep counts the skipped files in the same pass.
 */
export const guardArgs = once((): readonly string[] => [
  '--pre=/dev/null/none',
  `--pre-glob=${oneGlob(sensitiveGlobs)}`,
  // The last glob that matches a file counts, so example files such as `.env.sample` are searched.
  ...sampleGlobs.map((one) => `--pre-glob=!${one}`),
  `--pre-glob=**/${oneGlob(sensitivePaths)}`,
  // These globs match the most frequent directories with sensitive names. Files in other such directories are
  // removed from the results.
  `--pre-glob=**/${oneGlob(sensitiveGlobs.filter((one) => /^\w+$/.test(one)))}/**`,
])

/**
 * Returns one glob that matches what any of the globs matches, because ripgrep compares a path faster
 * with one glob.
 */
const oneGlob = (globs: readonly string[]) => `{${globs.join(',')}}`

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/**
 * Returns the file that ripgrep has skipped, from its message on standard error; undefined
 * for another message.
 */
export function parsePassedOver(line: string): ByteName | undefined {
  return refusal.exec(line)?.[1]
}

/**
 * Returns a pattern for a fast first check. It matches each path that may be sensitive; any other path needs
 * no further check. It looks for words of sensitive names, characters outside of ASCII, and names that end in
 * a dot or a space.
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
