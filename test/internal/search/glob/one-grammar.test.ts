// Globs of searches and path patterns of rules: one grammar, whichever engine reads it.
import { expect, test } from 'vitest'
import { globFault, pathFits } from '../../../../internal/policy/rules/rule-match.ts'
import { compileGlob } from '../../../../internal/search/glob/glob.ts'
import { rounds } from '../../../support/sample.ts'
import { random } from '../../../support/search.ts'

const parts = [
  ...['a', 'b', 'ab', 'é', '.', '-', '*', '**', '?', '[ab]', '[!a]', '[^a]', '[a-c]', '{a,b}', '{a,{b,c}}'],
  ...['/', '/', '//', '\\*', '\\[', '[a', '{a', ']', '}', '[]a]', '!'],
]
const names = ['a', 'b', 'c', 'ab', '.a', 'é', 'a.b', '-', '*', ']', '[a']

function compileSearch(pattern: string) {
  try {
    return compileGlob(pattern)
  } catch {
    return undefined
  }
}

test('searches and permission rules accept the same patterns and match the same paths', async () => {
  const next = random(5)
  const pick = (all: readonly string[]) => all[Math.floor(next() * all.length)] as string
  const wrong: string[] = []
  let compared = 0
  for (let round = 0; round < rounds(3000, 100_000); round++) {
    const pattern = Array.from({ length: 1 + Math.floor(next() * 5) }, () => pick(parts)).join('')
    // rules know absolute paths and the workspace itself, searches know exclusions
    if (/^[/!]/.test(pattern) || pattern.split('/').includes('.')) continue
    const search = compileSearch(pattern)
    const fault = globFault(pattern)
    const isRead = fault === undefined
    // shells read {a} as it is written, so a rule with one alternative is refused
    if (search && fault?.includes('{')) continue
    if ((search !== undefined) !== isRead)
      wrong.push(`${pattern}: read by ${isRead ? 'rules' : 'searches'} alone`)
    if (!search || !isRead) continue
    for (let i = 0; i < 10; i++) {
      const path = Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(names)).join('/')
      compared++
      const bySearch = search.test(Buffer.from(path).toString('latin1'))
      if (bySearch !== pathFits(pattern, path, false)) wrong.push(`${pattern} on ${path}: search ${bySearch}`)
    }
  }
  expect(wrong.slice(0, 20)).toEqual([])
  expect(compared).toBeGreaterThan(1000)
})
