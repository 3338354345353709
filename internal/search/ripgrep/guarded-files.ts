// Keeps searches out of files whose names are sensitive, and counts them.

import { once } from '../../base/once.ts'
import { type ByteName, textOfBytes } from '../../base/text/byte-name.ts'
import {
  isSensitive,
  sampleGlobs,
  sensitiveGlobs,
  sensitivePaths,
} from '../../policy/paths/sensitive-names.ts'

/**
 * Options that make ripgrep pass over sensitive files and say so on standard error, one line each: such a
 * file is read through a program that cannot exist, so not at all. It is the only way to have them counted in
 * the same pass, and the count does not depend on what stands in them.
 */
export const guardArgs = once((): readonly string[] => [
  '--pre=/dev/null/none',
  ...sensitiveGlobs.map((one) => `--pre-glob=${one}`),
  // of several globs that fit the last one counts
  ...sampleGlobs.map((one) => `--pre-glob=!${one}`),
  ...sensitivePaths.map((one) => `--pre-glob=**/${one}`),
  // folders of such names, as far as they are likely; what lies in another one is taken out of what was found
  ...sensitiveGlobs.filter((one) => /^\w+$/.test(one)).map((one) => `--pre-glob=**/${one}/**`),
])

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/** The file that a line of standard error says was passed over. */
export function parsePassedOver(line: string): ByteName | undefined {
  return refusal.exec(line)?.[1]
}

/**
 * The longest word of each sensitive name: a path that holds none of them, and nothing odd, need not be
 * looked at.
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

/** True when any part of the path is a name that may hold secrets. */
export const isGuarded = (name: ByteName): boolean => suspect().test(name) && isSensitive(textOfBytes(name))

/** Takes the sensitive ones out of many names and adds them to `removed`. */
export function removeGuarded(names: ByteName[], removed: ByteName[]): ByteName[] {
  if (!names.some((name) => suspect().test(name))) return names
  const open: ByteName[] = []
  for (const name of names) (isGuarded(name) ? removed : open).push(name)
  return open
}
