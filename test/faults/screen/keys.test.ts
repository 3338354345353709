// Random keys, pastes, mouse events and split sequences on both screens: no crash, and
// no accidental approval.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openInlineScreen } from '../../../internal/tui/inline/inline-screen.ts'
import { type EmulatedTerminal, emulateTerminal, forbiddenBytes } from '../../support/emulator.ts'
import { choice, rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { sessionWorld } from '../../support/session.ts'

const call = { calls: [{ name: 'bash', args: { command: 'echo changed >> out.txt && echo b' } }] }
const replies = Array.from({ length: 400 }, (_, i) =>
  i % 3 === 2 ? { text: `answer ${i}\n\n- a\n- b` } : call,
)

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Keys without those that allow a call: `y`, `s`, `a` and Enter on a picker of modes are missing. */
const keys = [
  ...['b', 'c', 'hello ', 'é', '👍🏽', '漢', '@no', '/he', '?', '!', '\\', ' ', 'x', 'n', 'd', 'o', '1', '2'],
  ...['\r', '\n', '\t', '\x1b', '\x1b\x1b', '\x7f', '\x01', '\x05', '\x0b', '\x19', '\x17', '\x15', '\x1f'],
  ...[
    '\x0c',
    '\x0f',
    '\x10',
    '\x12',
    '\x13',
    '\x14',
    '\x1b[A',
    '\x1b[B',
    '\x1b[C',
    '\x1b[D',
    '\x1b[5~',
    '\x1b[6~',
  ],
  ...[
    '\x1b[H',
    '\x1b[F',
    '\x1b[3~',
    '\x1bb',
    '\x1bf',
    '\x1b\r',
    '\x1bOP',
    '\x1b[13;2u',
    '\x1b[1;5C',
    '\x1b[I',
    '\x1b[1;5A',
    '\x1b[<64;5;5M',
    '\x1b[<65;5;5M',
    '\x1b[<0;9;3M',
    '\x1b[<32;20;4M',
    '\x1b[<0;20;4m',
    '\x16',
  ],
  ...[
    '\x1b[O',
    '\x1b[',
    '\x1b[20',
    '0~',
    '\x1b]11;rgb',
    '\x07',
    '\x1b[200~pasted\ntext\x1b[201~',
    '\x1b[200~torn',
  ],
  ...['\x1b[201~', 'more than a person types at once, with a\nline end', '\x9b', '\0', '\x1bP', '\x1b\\'],
]

/** Types words until they are in the editor, above any open dialog. Returns the stored drafts. */
async function typeDraft(terminal: EmulatedTerminal, data: string, words: string): Promise<string> {
  const kept = () => {
    const folder = join(data, 'drafts')
    return existsSync(folder)
      ? readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), 'utf8'))
          .join('\n')
      : ''
  }
  // by then a paste without an end has timed out
  await sleepMs(2_200)
  for (let i = 0; i < 6 && !kept().includes(words); i++) {
    if (i > 0) terminal.type('\x1b')
    await sleepMs(150)
    terminal.type(words)
    await sleepMs(1_400)
  }
  return kept()
}

async function runSeed(seed: number): Promise<void> {
  const random = rng(seed)
  const form = seed % 2 === 0 ? 'full' : 'inline'
  const world = await sessionWorld(replies)
  const watched = await world.open(undefined, { mode: 'ask' })
  const { client } = watched
  const terminal = emulateTerminal(40 + Math.floor(random() * 100), 8 + Math.floor(random() * 30))
  const { input, output } = terminal
  const stop = new AbortController()
  const env = { HOME: world.cwd, ANODE_DATA_DIR: world.cwd, TERM: 'xterm-256color' }
  const screen = openInlineScreen(
    world.service.attach(client.thread) as typeof client,
    world.service,
    { input, output, env, cwd: world.cwd, signal: stop.signal },
    { form, notes: [], firstMessage: 'go' },
  )
  let failure: unknown
  const ended = screen.run().catch((error: unknown) => {
    failure = error
  })
  await watched.until(({ waits }) => waits.length > 0, `a question of seed ${seed}`)
  for (let i = 0; i < rounds(200, 1_000) && failure === undefined; i++) {
    terminal.type(choice(random, keys))
    if (random() < 0.02) terminal.resize(10 + Math.floor(random() * 120), 4 + Math.floor(random() * 40))
    if (random() < 0.2) await sleepMs(random() * 8)
  }
  terminal.resize(80, 24)
  const words = `draft of seed ${seed}`
  const kept = failure === undefined ? await typeDraft(terminal, world.cwd, words) : words
  const seen = (await terminal.lines()).join('\n').trimEnd().slice(-1_500)
  stop.abort()
  await ended
  await world.service.close()
  expect(failure, `seed ${seed}`).toBeUndefined()
  expect(kept, `seed ${seed}: ${seen}`).toContain(words)
  const allowed = watched.events.filter(
    (event) =>
      event.type === 'permission.decided' &&
      event.payload.action === 'allow' &&
      /the user/.test(event.payload.why),
  )
  expect(allowed, `seed ${seed}`).toEqual([])
  expect(forbiddenBytes(terminal.bytes()), `seed ${seed}`).toEqual([])
  expect(terminal.bytes()).not.toMatch(/\x1b\[[23]J/)
  expect(terminal.isRaw(), `seed ${seed}`).toBe(false)
}

const seeds = Array.from({ length: rounds(2, 50) }, (_, i) => i + 1)

it.each(seeds)(
  'neither crashes, nor allows a call by another key, nor loses a draft (seed %i)',
  runSeed,
  120_000,
)
