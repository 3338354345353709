// A measurement that stops carries whose execution failed, and why.
import { expect, it } from 'vitest'
import { MeasurementStopped } from '../../../../internal/research/measure/measurement-stopped.ts'

it('says the reason as its message and keeps the rest', () => {
  const failed = { arm: 'cand', reason: 'exit 7', detail: 'no' } as const
  const stopped = new MeasurementStopped(failed)
  expect([stopped.name, stopped.message, stopped.failed]).toEqual(['Stopped', 'exit 7', failed])
})
