// Entries of the process table, as the system writes them.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseProcessStat, pidNamespace } from '../../../internal/base/process-stat.ts'

const line = (name: string, state: string) =>
  `42 (${name}) ${state} 7 40 39 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 98765 1000 10 18446744073709551615\n`

it.each(['sleep', 'a b', 'a) S 1 (b', ')'])('reads the fields after the name %j', (name) => {
  expect(parseProcessStat(line(name, 'S'))).toEqual({
    ...{ pid: 42, parent: 7, group: 40, session: 39, foreground: -1, zombie: false, start: 98765 },
  })
})

it('detects processes that have ended', () => {
  for (const [state, zombie] of [
    ['Z', true],
    ['X', true],
    ['R', false],
  ] as const)
    expect(parseProcessStat(line('x', state))?.zombie).toBe(zombie)
  expect(parseProcessStat('')).toBeUndefined()
})

it.runIf(process.platform === 'linux')('finds this process and its id space', () => {
  const own = parseProcessStat(readFileSync('/proc/self/stat', 'latin1'))
  expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false })
  expect(pidNamespace()).toMatch(/^\d+$/)
})
