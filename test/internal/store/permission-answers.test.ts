// Answers: what the contract leaves open.
import { expect, test } from 'vitest'
import { shelf } from '../../support/store.ts'

const place = shelf()

test('never reuses the id of a deleted answer', () => {
  const { answers } = place.store
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    answers.add('/w', { tool: 'bash' })
    const id = answers.list('/w')[0]?.id as number
    ids.push(id)
    answers.forget('/w', id)
  }
  expect(new Set(ids).size).toBe(3)
})
