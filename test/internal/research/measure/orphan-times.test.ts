// Processor time of orphaned processes, measured while they work.
import { expect, it } from 'vitest'
import { watchOrphans } from '../../../../internal/research/measure/orphan-times.ts'
import { run } from '../../../support/run.ts'

const spin = 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done'

it.runIf(process.platform === 'linux')(
  'counts an orphan, and no child that is waited for',
  async () => {
    const timeOf = async (line: string) => {
      const watch = watchOrphans()
      await run({
        file: 'bash',
        args: ['-c', line],
        cwd: '/',
        env: { PATH: process.env.PATH ?? '', ...watch.env },
      })
      return watch.end()
    }
    expect(await timeOf(`( (${spin}) & ); ${spin}; sleep 1`)).toBeGreaterThan(50)
    expect(await timeOf(`(${spin}); true`)).toBe(0)
  },
  60_000,
)
