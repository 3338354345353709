// The question before a change: every way to answer it and to leave it.
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readYes } from '../../cmd/anode/consent.ts'
import type { CommandIo } from '../../cmd/anode/verb.ts'

/** Asks the question. `typed` is the whole input; without it the input stays open. */
function askYes(typed: string | undefined, signal: AbortSignal): Promise<boolean> {
  const stdin = new PassThrough()
  if (typed !== undefined) stdin.end(typed)
  return readYes('Delete it?', { stdin, signal } as unknown as CommandIo)
}

it.each([
  ['yes\n', true],
  [' yes \n', true],
  ['y\n', false],
  ['no\n', false],
  ['', false],
])('the input %j is %j', async (typed, isYes) => {
  expect(await askYes(typed, new AbortController().signal)).toBe(isYes)
})

it.each([
  ['before the question', true],
  ['during the question', false],
])('an interruption %s is no', async (_, isBefore) => {
  const stop = new AbortController()
  if (isBefore) stop.abort()
  const answer = askYes(undefined, stop.signal)
  stop.abort()
  expect(await answer).toBe(false)
})
