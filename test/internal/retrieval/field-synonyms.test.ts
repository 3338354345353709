// The table of synonyms is data: this holds it to its form.
import { expect, test } from 'vitest'
import { listSynonymGroups } from '../../../internal/retrieval/field-synonyms.ts'

const groups = listSynonymGroups()

test('every group has at least two plain words, each once', () => {
  expect(groups.length).toBeGreaterThan(120)
  for (const group of groups) {
    expect(new Set(group).size, group.join(' ')).toBe(group.length)
    for (const word of group) expect(word).toMatch(/^[a-z]{2,}$/)
  }
})

test('no group appears twice', () => {
  const keys = groups.map((group) => [...group].sort().join(' '))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

test('no group contains opposites', () => {
  const opposites = [
    ['max', 'min'],
    ['start', 'stop'],
    ['enable', 'disable'],
    ['allow', 'deny'],
    ['read', 'write'],
  ]
  const wrong = groups.filter((group) =>
    opposites.some(([a, b]) => group.includes(a as string) && group.includes(b as string)),
  )
  expect(wrong).toEqual([])
})

test.each([
  ['remember', 'store'],
  ['replace', 'override'],
  ['outcome', 'result'],
  ['task', 'job'],
  ['lifetime', 'ttl'],
  ['old', 'expired'],
  ['earlier', 'previous'],
  ['pass', 'hand'],
  ['longest', 'maximum'],
  ['figure', 'statistic'],
  ['happen', 'occur'],
  ['picture', 'image'],
  ['wipe', 'erase'],
])('the everyday word %s is a synonym of %s', (everyday, technical) => {
  expect(groups.some((group) => group.includes(everyday) && group.includes(technical))).toBe(true)
})
