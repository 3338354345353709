// Names that only one file uses: functions have a verb and an object, types a noun of two words, and no variable
// is a bare participle.
import { expect, it } from 'vitest'
import { isBareParticiple, localNames } from '../support/local-names.ts'
import { sources, wordsOfName } from '../support/sources.ts'

const names = sources().flatMap(localNames)
const isOneWord = (name: string) => wordsOfName(name).filter(Boolean).length === 1

/** Share of the one-word names, at most. Names of components begin with a capital letter and are not functions. */
it.each([
  { kind: 'function', limit: 0.005 },
  { kind: 'type', limit: 0.005 },
])('of 1,000 local names of a $kind, at most five have one word', ({ kind, limit }) => {
  const all = names.filter((one) => one.kind === kind)
  const short = all.filter(({ name }) => isOneWord(name))
  expect(all.length).toBeGreaterThan(1000)
  expect(short.length, listNames(short)).toBeLessThanOrEqual(limit * all.length)
})

it('of 1,000 variables, at most one is a bare participle', () => {
  const all = names.filter((one) => one.kind === 'variable')
  const bare = all.filter(({ name }) => isBareParticiple(name))
  expect(all.length).toBeGreaterThan(10_000)
  expect(bare.length, listNames(bare)).toBeLessThanOrEqual(0.001 * all.length)
})

const listNames = (list: readonly { file: string; name: string }[]) =>
  list.map(({ file, name }) => `${file} ${name}`).join('\n')
