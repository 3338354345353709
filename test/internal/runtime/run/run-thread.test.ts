// Claims of threads: one run at a time, however the previous run ended.
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { claimThread } from '../../../../internal/runtime/run/run-thread.ts'
import { scratchWith } from '../../../support/scratch.ts'

const thread = 'sess_01M84J40Z4AAAAAAAAAA'
const claimed = (data: string) => join(data, 'runs', `${thread}.claim`)

/** Returns the mark of a process with one part of it changed: pid, start, boot, PID space or host. */
const markWith = (part: number, value: string) =>
  processIdentity()
    .split('-')
    .map((own, at) => (at === part ? value : own))
    .join('-')

test('a second run is rejected until the first releases the claim', async () => {
  const data = scratchWith({})
  const giveBack = await claimThread(data, thread)
  expect(readlinkSync(claimed(data))).toBe(processIdentity())
  await expect(claimThread(data, thread)).rejects.toThrow('another run of this process is at work')
  giveBack()
  expect(existsSync(claimed(data))).toBe(false)
  ;(await claimThread(data, thread))()
})

test.each([
  ['has ended, its number being given anew', 1, '1'],
  ['ran before the machine was started anew', 2, 'aaaaaaaa'],
  ['ran in a container', 3, '4026531999'],
  ['ran on another machine', 4, 'bbbbbbbb'],
])('the claim of a process that %s does not count', async (_, part, value) => {
  const data = scratchWith({})
  mkdirSync(join(data, 'runs'))
  symlinkSync(markWith(part, value), claimed(data))
  const giveBack = await claimThread(data, thread)
  expect(readlinkSync(claimed(data))).toBe(processIdentity())
  giveBack()
})

test('one of many concurrent runs gets the claim, also if a dead claim has to be removed', async () => {
  for (let round = 0; round < 60; round++) {
    const data = scratchWith({})
    mkdirSync(join(data, 'runs'))
    symlinkSync(markWith(1, '1'), claimed(data))
    // in one of three rounds a process has died while it removed such a claim
    if (round % 3 === 0) symlinkSync(markWith(1, '1'), `${claimed(data)}.break`)
    const tries = await Promise.allSettled(Array.from({ length: 30 }, () => claimThread(data, thread)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync(join(data, 'runs'))).toEqual([`${thread}.claim`])
  }
})

test('runs without a claim if no entry can be created', async () => {
  const data = scratchWith({ runs: 'a file' })
  expect((await claimThread(data, thread))()).toBeUndefined()
})
