// The resources that one Anode process needs for its children, from the first child to the last.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ChildOwner, childFile } from '../../../internal/process/child-owner.ts'
import { processesWith, scratch } from './scratch.ts'

function owner(dir: string): ChildOwner {
  const made = new ChildOwner(dir)
  onTestFinished(() => made.close())
  return made
}

const family = { piped: false, childless: false }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('marks differ by child and by owner, and no mark is a prefix of another', () => {
  const [one, two] = [owner(scratch()), owner(scratch())]
  const marks = [one.mark(1), one.mark(11), two.mark(1)]
  for (const a of marks) for (const b of marks) expect(a.includes(b)).toBe(a === b)
  expect(one.number()).not.toBe(one.number())
})

test('creates the directory and the watchdog once, and removes both', async () => {
  const dir = scratch()
  const one = owner(dir)
  const [first, second] = await Promise.all([one.ready(family), one.ready(family)])
  expect(first.directory).toBe(second.directory)
  expect(readdirSync(join(dir, 'run'))).toHaveLength(1)
  // on a busy machine it may not have started yet
  await expect.poll(() => processesWith(first.directory).length, { timeout: 20_000 }).toBe(1)
  await one.close()
  expect(processesWith(first.directory)).toEqual([])
  expect(existsSync(first.directory)).toBe(false)
})

test('a program without children gets its watchdog only if it runs long', async () => {
  const one = owner(scratch())
  const { directory } = await one.ready({ piped: false, childless: true })
  expect(processesWith(directory)).toEqual([])
  for (let i = 0; i < 400 && processesWith(directory).length === 0; i++) await pause(25)
  expect(processesWith(directory)).toHaveLength(1)
})

test('replaces a watchdog that was killed', async () => {
  const one = owner(scratch())
  const { directory } = await one.ready(family)
  // on a busy machine it may not have started yet
  while (processesWith(directory).length === 0) await pause(5)
  for (const pid of processesWith(directory)) process.kill(pid, 'SIGKILL')
  while (processesWith(directory).length > 0) await pause(5)
  // its owner notices a moment after it has ended
  for (let i = 0; i < 400 && processesWith(directory).length === 0; i++) {
    await one.ready(family)
    await pause(25)
  }
  expect(processesWith(directory)).toHaveLength(1)
})

test('a child is on record until it ends', async () => {
  const one = owner(scratch())
  const { directory } = await one.ready(family)
  const { done } = one.note(directory, process.pid)
  expect(readdirSync(directory).filter((name) => name.startsWith('child.'))).toHaveLength(1)
  done()
  expect(readdirSync(directory).filter((name) => name.startsWith('child.'))).toEqual([])
  expect(childFile(directory, 7, 'output')).toBe(join(directory, 'output.7'))
})
