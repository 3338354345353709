// Ids sort by the time they were made.
import { expect, it } from 'vitest'
import { createId, createUlid } from '../../../internal/base/ids.ts'

it('identifiers are distinct and sort by time', () => {
  const all = Array.from({ length: 1000 }, () => createUlid())
  expect(new Set(all).size).toBe(1000)
  expect([...all].sort()).toEqual(all)
  for (const one of all) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
})

it('identifiers have the requested prefix', () => {
  expect(createId('sess')).toMatch(/^sess_[0-9A-Z]{26}$/)
})
