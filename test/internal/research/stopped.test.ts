// A measurement that stops carries whose execution failed, and why.
import { expect, it } from 'vitest'
import { Stopped } from '../../../internal/research/stopped.ts'

it('says the reason as its message and keeps the rest', () => {
  const failed = { arm: 'cand', reason: 'exit 7', detail: 'no' } as const
  const stopped = new Stopped(failed)
  expect([stopped.name, stopped.message, stopped.failed]).toEqual(['Stopped', 'exit 7', failed])
})
