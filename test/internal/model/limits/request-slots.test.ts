// The queue in front of a local server: its order and limit, and any files in its directory. Whole processes
// are tested in test/cmd/model-limits.test.ts.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { enterSharedQueue } from '../../../../internal/model/limits/request-slots.ts'

const url = 'http://127.0.0.1:8080/v1'
const never = new AbortController().signal
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anode-slots-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const enter = (max = 1, signal = never, address = url, wait: () => void = () => undefined) =>
  enterSharedQueue(address, max, folder, signal, wait)
const line = () => join(folder, readdirSync(folder)[0] as string)
const tickets = () => (readdirSync(folder).length === 0 ? [] : readdirSync(line()).sort())

/** Creates a queue entry as another process would leave it. */
async function lay(name: string): Promise<string> {
  const leave = await enter()
  const path = join(line(), name)
  writeFileSync(path, '')
  leave()
  return path
}

/** As this process is marked, but with another pid, start, boot, space or host. */
const otherMark = (part: number, text: string) =>
  processIdentity()
    .split('-')
    .map((own, n) => (n === part ? text : own))
    .join('-')

/** Whether a request is let in within 300 ms. */
async function isLetIn(): Promise<boolean> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new Error('too long')), 300)
  try {
    ;(await enter(1, giveUp.signal))()
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

test('every request creates a ticket and removes it at its end', async () => {
  const [first, second] = [await enter(2), await enter(2)]
  expect(tickets()).toHaveLength(2)
  first()
  second()
  expect(tickets()).toEqual([])
})

test('all spellings of the URL of a server share one queue', async () => {
  const leave = await enter(1, never, 'http://localhost:8080/v1')
  const giveUp = new AbortController()
  const second = enter(1, giveUp.signal, 'http://127.0.0.1:8080')
  setTimeout(() => giveUp.abort(new Error('enough')), 30)
  await expect(second).rejects.toThrow('enough')
  expect(readdirSync(folder)).toHaveLength(1)
  leave()
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['a process that is gone', () => `000000001.${otherMark(1, '1')}.1`],
  ['a machine before it was started anew', () => `000000001.${otherMark(2, 'deadbeef')}.1`],
  ['nobody, with a strange name', () => '7.x.1'],
  ['a temporary copy', () => '.000000001.swp'],
])('a ticket of %s blocks no request', async (_, name) => {
  await lay(name())
  expect(await isLetIn()).toBe(true)
})

test('a ticket of another machine counts while it is young', async () => {
  const path = await lay(`000000001.${otherMark(4, 'cafecafe')}.1`)
  expect(await isLetIn()).toBe(false)
  const old = new Date(Date.now() - 3_600_000)
  utimesSync(path, old, old)
  expect(await isLetIn()).toBe(true)
  expect(tickets()).toEqual([])
})

test('keeps the order of arrival, and reports a long wait once', async () => {
  const path = await lay(`000000005.${otherMark(4, 'cafecafe')}.1`)
  const said: string[] = []
  const entering = enter(1, never, url, () => said.push('waits'))
  await expect.poll(() => said, { timeout: 60_000 }).toEqual(['waits'])
  expect(tickets()).toMatchObject([/^000000005/, /^000000006/].map((one) => expect.stringMatching(one)))
  rmSync(path)
  ;(await entering)()
  expect(said).toEqual(['waits'])
})

test('a cancelled request leaves the queue', async () => {
  await lay(`000000001.${otherMark(4, 'cafecafe')}.1`)
  const giveUp = new AbortController()
  const entering = enter(1, giveUp.signal)
  setTimeout(() => giveUp.abort(new Error('gone')), 20)
  await expect(entering).rejects.toThrow('gone')
  expect(tickets()).toHaveLength(1)
})

test('a request continues if its directory is removed while it waits', async () => {
  await lay(`000000001.${otherMark(4, 'cafecafe')}.1`)
  const entering = enter()
  await expect.poll(() => tickets().length).toBe(2)
  rmSync(line(), { recursive: true })
  ;(await entering)()
})

test('counts the requests of this process even if nothing can be written', async () => {
  mkdirSync(join(folder, 'x'))
  folder = join(folder, 'plain')
  writeFileSync(folder, '')
  const leave = await enter()
  expect(await isLetIn()).toBe(false)
  leave()
  expect(await isLetIn()).toBe(true)
  folder = join(folder, '..')
})
