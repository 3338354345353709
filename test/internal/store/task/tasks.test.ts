// Tasks: what the contract leaves open.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'
import { failureOf } from './contract.ts'

const place = shelf()

test('the error for a mistyped id suggests similar ids', () => {
  const { tasks } = place.store
  const { id } = tasks.create({ repo: '/r', title: 't' })
  const failure = failureOf(() => tasks.update(`${id.slice(0, -1)}_`, { title: 'x' }))
  expect(failure.hint).toContain(id)
})

test('many tasks get different ids', () => {
  const ids = Array.from({ length: 200 }, () => place.store.tasks.create({ repo: '/r', title: 't' }).id)
  expect(new Set(ids).size).toBe(200)
})
