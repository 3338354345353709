// Text that a user typed survives every end of the program in every input: `--continue` restores it.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld } from '../../support/screen-program.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const wait = { calls: [{ name: 'bash', args: { command: 'sleep 63.4' } }] }
const ask = {
  calls: [{ name: 'ask_user', args: { question: 'Why so?', options: [], allow_freeform: true } }],
}

interface Place {
  /** Response of the model to the first message. Default: no first message. */
  reply?: object
  /** Where the words are stored in the end. */
  stored: 'draft' | 'thread'
  /** Types `words`. Afterwards they count as typed. */
  type(screen: ScreenProgram, words: string): Promise<void>
}

async function typeSlowly({ type }: ScreenProgram, words: string): Promise<void> {
  for (const letter of words) {
    type(letter)
    await sleepMs(25)
  }
}

const busy = /● bash +sleep/

/** The inputs that can contain words. */
const places: Readonly<Record<string, Place>> = {
  'in the text of a new conversation': { stored: 'draft', type: typeSlowly },
  'in the text': { stored: 'draft', reply: { text: 'Said.' }, type: typeSlowly },
  'in a paste': {
    stored: 'draft',
    reply: { text: 'Said.' },
    type: async ({ type }, words) => type(`\x1b[200~${`${words}\n`.repeat(30)}\x1b[201~`),
  },
  'put aside': {
    stored: 'draft',
    reply: { text: 'Said.' },
    async type(screen, words) {
      await typeSlowly(screen, words)
      screen.type('\x13')
      await screen.until(/stashed/)
      await typeSlowly(screen, 'other')
    },
  },
  'in a steering message': {
    stored: 'thread',
    reply: wait,
    async type(screen, words) {
      await typeSlowly(screen, words)
      screen.type('\r')
    },
  },
  'in the queue': {
    stored: 'thread',
    reply: wait,
    async type(screen, words) {
      await typeSlowly(screen, words)
      screen.type('\t')
    },
  },
  'taken back from the queue': {
    stored: 'draft',
    reply: wait,
    async type(screen, words) {
      await typeSlowly(screen, words)
      screen.type('\t')
      // a long message is truncated in its row
      const queued = new RegExp(`queue.*${words.split(' ')[0]}`)
      await screen.until(queued)
      screen.type('\x1b[A')
      await screen.until(() => !queued.test(screen.screen()))
    },
  },
  'in an answer to a question': {
    stored: 'draft',
    reply: ask,
    async type(screen, words) {
      await screen.until(/Why so\?/)
      await untilAnswerable('key')
      await typeSlowly(screen, words)
    },
  },
}

const ends: Readonly<Record<string, (screen: ScreenProgram) => unknown>> = {
  'kill -9': ({ program }) => process.kill(program.pid, 'SIGKILL'),
  SIGTERM: ({ program }) => process.kill(program.pid, 'SIGTERM'),
  SIGHUP: ({ program }) => process.kill(program.pid, 'SIGHUP'),
  'a closed window': (screen) => screen.hangUp(),
}

/** Resolves when the words are on disk, because a killed program cannot store them later. */
async function untilStored(here: ScreenWorld, { stored }: Place, word: string): Promise<void> {
  const isStored = () =>
    stored === 'draft' ? here.drafts().join('').includes(word) : here.stored().includes(word)
  await expect.poll(isStored, { timeout: 60_000, message: `${word} in a ${stored}` }).toBe(true)
}

async function startAt(here: ScreenWorld, { reply }: Pick<Place, 'reply'>): Promise<ScreenProgram> {
  const first = reply ? ['begin'] : []
  const screen = here.start([...here.model, '--approval', 'unrestricted', ...first])
  await screen.until(reply === wait ? busy : reply === ask ? /Why so\?/ : reply ? /done/ : /\? help/)
  return screen
}

async function survive(seed: number, place: string, end: string): Promise<void> {
  const random = rng(seed)
  const at = places[place] as Place
  const here = openScreenWorld([at.reply ?? { text: 'Said.' }, { text: 'More.' }])
  const screen = await startAt(here, at)
  const words = `words${seed} ${'of mine '.repeat(1 + Math.floor(random() * 4))}end${seed}`
  await at.type(screen, words)
  if (end === 'kill -9') await untilStored(here, at, `end${seed}`)
  await sleepMs(150 + random() * 1_500)
  ends[end]?.(screen)
  await screen.exit
  const again = here.start([...here.model, '--continue'])
  await again.until(new RegExp(`end${seed}`))
  again.program.kill('SIGTERM')
  await again.exit
}

describe('typed words', () => {
  const all = Object.keys(places).flatMap((place) => Object.keys(ends).map((end) => [place, end] as const))
  const many = rounds(5, 200)
  const chosen = Array.from({ length: many }, (_, i) => {
    const [place, end] = all[(i * (many < all.length ? 7 : 1)) % all.length] as readonly [string, string]
    return [i + 1, place, end] as const
  })
  const survived: number[] = []
  it.each(chosen)('round %i: %s, after %s, are restored', async (seed, place, end) => {
    await survive(seed, place, end)
    survived.push(seed)
    if (seed === many) console.log(`words that came back: ${new Set(survived).size}/${many}`)
  })

  it('are stored while the user types without a pause', async () => {
    const here = openScreenWorld([])
    const screen = here.start([...here.model])
    await screen.until(/\? help/)
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(2)
    let kept = ''
    for (let i = 0; !kept.includes('abcdefghij') && i < 60 * letters.length; i++) {
      screen.type(letters[i % letters.length] as string)
      await sleepMs(80)
      kept = here.drafts().join('')
    }
    expect(kept).toContain('abcdefghij')
    process.kill(screen.program.pid, 'SIGKILL')
  })

  it('of a postponed form appear again when the form opens again', async () => {
    const here = openScreenWorld([ask, { text: 'Thanks.' }])
    const screen = await startAt(here, { reply: ask })
    await untilAnswerable('key')
    await typeSlowly(screen, 'because of this')
    screen.type('\x1b')
    await screen.until(/Tab answers/)
    screen.type('\t')
    await screen.until(/because of this/)
    process.kill(screen.program.pid, 'SIGKILL')
  })

  it('show a notice if they cannot be stored, and are stored once they can be', async () => {
    const here = openScreenWorld([{ text: 'Said.' }])
    const folder = join(here.data, 'drafts')
    rmSync(folder, { recursive: true, force: true })
    const screen = here.start([...here.model, 'begin'])
    await screen.until(/done/)
    writeFileSync(folder, '')
    await typeSlowly(screen, 'words on a full disk')
    await screen.until(/cannot be saved/)
    rmSync(folder)
    await screen.until(() => existsSync(folder) && here.drafts().includes('words on a full disk'))
    process.kill(screen.program.pid, 'SIGKILL')
  })
})
