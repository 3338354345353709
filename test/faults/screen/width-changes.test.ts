// The built program in tmux while the width of the window changes in mid-stream: each word of the answer
// appears once, in order, on the screen or in the scrollback. Blocks may be taller than the window.
import { dirname } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds, runTogether, seedGroups } from '../../support/sample.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal, type TestTerminal } from '../../support/tmux.ts'
import { type WordKind, wordPieces } from '../../support/word-pieces.ts'
import { servePieces } from '../../support/word-server.ts'

const words = 400
const kinds = ['prose', 'lists', 'tables', 'code', 'mixed'] as const
const cases = seedGroups(rounds(1, 30)).flatMap((seeds) =>
  kinds.flatMap((kind) => [false, true].map((hasMenu) => ({ kind, hasMenu, seeds }))),
)
const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const totals = new Map<string, { survived: number; tried: number }>()
const nameOf = (kind: WordKind, hasMenu: boolean) => `${kind}${hasMenu ? ' and a menu' : ''}`
afterAll(() => {
  for (const [name, { survived, tried }] of totals)
    console.log(`width changes, ${name}: ${survived}/${tried} without a doubled or lost word`)
})

/** Changes the width in steps, as with a mouse, then pauses, until the screen has shown this text. */
async function changeWidth(screen: TestTerminal, random: () => number, last: string): Promise<void> {
  while (!screen.lines().includes(last)) {
    for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
      screen.resize(40 + Math.floor(random() * 80), 24)
      await sleepMs(random() * 80)
    }
    await sleepMs(60 + random() * 500)
  }
}

it.each(cases)('shows each word of $kind once in tmux (menu: $hasMenu, seeds $seeds)', (one) =>
  runTogether(one.seeds, (seed) => showWords(one.kind, one.hasMenu, seed)),
)

async function showWords(kind: WordKind, hasMenu: boolean, seed: number): Promise<void> {
  const name = nameOf(kind, hasMenu)
  const total = totals.get(name) ?? { survived: 0, tried: 0 }
  totals.set(name, total)
  total.tried++
  const here = openScreenWorld([])
  const random = rng(seed)
  const model = await servePieces(here, wordPieces(kind, words, random), { ms: 12 })
  const env = { HOME: dirname(here.dir), ANODE_DATA_DIR: here.data }
  const screen = openTerminal(anodeLine(...model, 'go'), { cwd: here.dir, env })
  await screen.until(/word(?:9|\d\d+)\b/)
  if (hasMenu) screen.press('/')
  if (hasMenu) await screen.until(/^ > \/\S/m)
  await changeWidth(screen, random, `word${words - 60}`)
  if (hasMenu) screen.press('C-u')
  // Under an open menu the alternate screen shows only the last lines.
  await screen.until((text) => /done /.test(text) && !/^ > \//m.test(text))
  const found = [...screen.lines().matchAll(/\bword(\d+)/g)].map(([, number]) => Number(number))
  expect(found).toEqual(Array.from({ length: words }, (_, i) => i))
  total.survived++
}
