import { expect, it } from 'vitest'
import { measureCpuTime } from '../../../../internal/service/research/cpu-time.ts'
import { scratch } from '../../../support/scratch.ts'

it('runs a command in the environment of the caller', async () => {
  let out = ''
  const timed = await measureCpuTime(['bash', '-c', 'echo "$MINE"'], {
    cwd: scratch(),
    env: { PATH: process.env.PATH, MINE: 'kept', ANODE_DATA_DIR: scratch() },
    signal: new AbortController().signal,
    show: (chunk) => {
      out += Buffer.from(chunk)
    },
  })
  expect(out).toBe('kept\n')
  expect(timed).toMatchObject({ exit: 0, signal: null })
  expect(timed.cpuMs).toBeGreaterThanOrEqual(0)
})
