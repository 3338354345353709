// The built program in tmux while the width of the window changes in mid-stream: each word of the answer
// appears once, in order, on the screen or in the scrollback.
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds } from '../../support/sample.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal } from '../../support/tmux.ts'
import { serveWords } from '../../support/word-server.ts'

const words = 400
const seeds = Array.from({ length: rounds(3, 30) }, (_, seed) => seed + 1)
const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it.each(seeds)(
  'leaves no doubled word in tmux when the width changes in mid-stream (seed %i)',
  async (seed) => {
    const here = openScreenWorld([])
    const random = rng(seed)
    const model = await serveWords(here, words, { ms: 12, each: 2 + Math.floor(random() * 22) })
    const env = { HOME: dirname(here.dir), ANODE_DATA_DIR: here.data }
    const screen = openTerminal(anodeLine(...model, 'go'), { cwd: here.dir, env })
    await screen.until(/word9\b/)
    while (!screen.lines().includes(`word${words - 60}`)) {
      // several steps in a row, as with a mouse, then a pause
      for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
        screen.resize(40 + Math.floor(random() * 80), 24)
        await sleepMs(random() * 80)
      }
      await sleepMs(60 + random() * 500)
    }
    await screen.until(/done /)
    const found = [...screen.lines().matchAll(/\bword(\d+)/g)].map(([, number]) => Number(number))
    expect(found).toEqual(Array.from({ length: words }, (_, i) => i))
  },
)
