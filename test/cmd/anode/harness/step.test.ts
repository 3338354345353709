// Step numbers of a recording: those that there are, and every other number, as a flag and as a typed line.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { step } from '../../../../cmd/anode/harness/step.ts'
import { parseArgs } from '../../../../cmd/anode/parse-args.ts'
import type { CommandIo } from '../../../../cmd/anode/verb.ts'
import { UserError } from '../../../../internal/base/errors.ts'
import { beginRecording, tapeOf } from '../../../../internal/service/harness/recording.ts'
import { scratchWith } from '../../../support/scratch.ts'

const last = 7

/** Runs `harness step` on a recording of seven requests. `typed` are the lines of a user at a terminal. */
async function runStep(words: readonly string[], typed?: readonly string[]) {
  const home = scratchWith({})
  const env = { HOME: home, ANODE_DATA_DIR: join(home, 'data') }
  const recording = await beginRecording(env, { words: ['execute', 'x'], cwd: home })
  const replies = Array.from({ length: last }, (_, i) => ({
    ...{ hash: `h${i}`, parts: [], events: [{ type: 'end' }], about: { messages: 1, last: `text ${i + 1}` } },
    at: recording.started + i,
  }))
  writeFileSync(tapeOf(env, recording).file, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  stdin.end((typed ?? []).map((line) => `${line}\n`).join(''))
  const texts = { stdout: '', stderr: '' }
  const capture = (name: 'stdout' | 'stderr') => ({
    isTTY: typed !== undefined,
    columns: 80,
    write(text: string, done?: () => void) {
      texts[name] += text
      done?.()
    },
  })
  const { signal } = new AbortController()
  const io = { env, cwd: home, signal, stdin, stdout: capture('stdout'), stderr: capture('stderr') }
  const ended = step.run(parseArgs(step, words), io as unknown as CommandIo)
  const exit = await Promise.resolve(ended).catch((error: unknown) => error)
  const steps = [...texts.stdout.matchAll(/^ +(\d+) \+/gm)].map(([, n]) => Number(n))
  return { exit, steps, ...texts }
}

test.each([
  [[], [1, 2, 3, 4, 5, 6, 7]],
  [
    ['--from', '1'],
    [1, 2, 3, 4, 5, 6, 7],
  ],
  [
    ['--from', '6'],
    [6, 7],
  ],
  [['--from', '7'], [7]],
  [['--from', '7', '--kind', 'call'], []],
])('%j prints the steps %j', async (words, steps) => {
  expect(await runStep(words)).toMatchObject({ exit: 0, steps, stderr: '' })
})

test.each(['-1', '0', '1.5', '6.99', '8', '1e3', '1e99', '99999999999999999999'])(
  '--from %s is refused with the numbers that there are',
  async (from) => {
    const { exit, stdout } = await runStep(['--from', from])
    expect(exit).toBeInstanceOf(UserError)
    expect(exit).toMatchObject({
      exit: 2,
      message: expect.stringMatching(/^--from must be a whole number from 1 to 7, got /),
      hint: expect.stringMatching(/^nearest: --from [1-7]$/),
    })
    expect(stdout).toBe('')
  },
)

test.each(['-1', '0', '1.5', '8', '1e3', '+2', '.5', '2x', '99999999999999999999'])(
  'the line %s shows no step and says which ones there are',
  async (word) => {
    const { exit, steps, stderr } = await runStep([], ['', word, '4', '', word, 'q'])
    expect({ exit, steps }).toEqual({ exit: 0, steps: [1, 2, 4, 5] })
    const said = stderr
      .split('\n')
      .filter((line) => line === `no step ${word}; type a whole number from 1 to 7`)
    expect(said).toHaveLength(2)
  },
)

test('a number shows its step, any other line the next one, and the last step ends the command', async () => {
  const { exit, steps } = await runStep([], ['6', '2', 'next', '003', '7', '1'])
  expect({ exit, steps }).toEqual({ exit: 0, steps: [1, 6, 2, 3, 3, 7] })
})
