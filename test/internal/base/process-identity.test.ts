// Telling living processes from dead ones by their marks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  hasRunFor,
  isAlive,
  maxUnknownAgeMs,
  parseElapsed,
  parseProcessStat,
  pidNamespace,
  processIdentity,
} from '../../../internal/base/process-identity.ts'

const parts = () => processIdentity().split('-') as [string, string, string, string, string]

/** Returns the mark that another process of this machine would have. */
function markOf(pid: number): string {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const start = line.slice(line.lastIndexOf(')') + 2).split(' ')[19] as string
  return [pid, start, ...parts().slice(2)].join('-')
}

describe('isAlive', () => {
  it('the identity of this process is alive, and can be used as a file name', () => {
    expect(isAlive(processIdentity(), maxUnknownAgeMs * 2)).toBe(true)
    expect(processIdentity()).toMatch(/^[0-9a-f-]+$/)
  })

  const linux = process.platform === 'linux'

  it.runIf(linux)('sees another process end, also before its parent has noticed', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const mark = markOf(child.pid as number)
    expect(isAlive(mark, 0)).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isAlive(mark, 0)).toBe(false)
  })

  it.runIf(linux)('a process with a reused process number does not count as alive', () => {
    const [pid, start, ...rest] = parts()
    expect(isAlive([pid, Number(start) + 1, ...rest].join('-'), 0)).toBe(false)
  })

  it('a process on another machine or in another container counts as alive for a while', () => {
    const [pid, start, boot, space, host] = parts()
    const elsewhere = [pid, start, boot, space, 'ffffffff'].join('-')
    const contained = [pid, start, boot, '1', host].join('-')
    for (const mark of [elsewhere, contained]) {
      expect(isAlive(mark, 1000)).toBe(true)
      expect(isAlive(mark, maxUnknownAgeMs)).toBe(false)
    }
  })

  it.runIf(linux)('processes from before a restart of the machine count as ended', () => {
    const [pid, start, , space, host] = parts()
    expect(isAlive([pid, start, 'ffffffff', space, host].join('-'), 0)).toBe(false)
  })
})

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

it.each([
  ['00:00', 0],
  [' 04:05\n', 245_000],
  ['03:04:05', 11_045_000],
  ['2-03:04:05', 183_845_000],
  ['120-00:00:01', 10_368_001_000],
  ['', undefined],
  ['error: process ID list syntax error', undefined],
  ['12', undefined],
])('reads the time %j', (text, ms) => {
  expect(parseElapsed(text)).toBe(ms)
})

it.skipIf(!existsSync('/bin/ps'))('compares the age of a process with the age of a file', () => {
  expect(hasRunFor(process.pid, 0)).toBe(true)
  expect(hasRunFor(process.pid, performance.now())).toBe(true)
  expect(hasRunFor(process.pid, performance.now() + 600_000)).toBe(false)
  expect(hasRunFor(2 ** 22 + 1, 0)).toBe(false)
})
