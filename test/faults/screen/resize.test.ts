// The built program on terminals that change their size while it prints: every word appears in order. The
// terminals differ: tmux wraps rows, the second moves its cursor differently, and the third truncates rows.
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds, runTogether, seedGroups } from '../../support/sample.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal } from '../../support/tmux.ts'
import { serveWords } from '../../support/word-server.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const words = 400
/**
 * Limits of repeated words. Rows that were drawn for another size may leave a part behind if a frame was in
 * progress. tmux also moves wrapped rows into its history, and live rows in the history cannot be erased.
 */
const most = { tmux: 60, lines: 120, cut: 0 }

interface ResizedScreen {
  resize(columns: number, rows: number): void | Promise<void>
  /** Returns all rows with the scrollback, joined where the terminal has wrapped them. */
  lines(): string
}

function openScreen(here: ScreenWorld, kind: keyof typeof most, line: readonly string[]): ResizedScreen {
  if (kind === 'tmux') {
    const env = { HOME: dirname(here.dir), ANODE_DATA_DIR: here.data }
    return openTerminal(anodeLine(...line), { cwd: here.dir, env })
  }
  const env: Record<string, string> = kind === 'cut' ? { XTERM_VERSION: '380' } : { TERM_PROGRAM: 'vscode' }
  return here.start(line, { doesCut: kind === 'cut' }, env)
}

async function waitFor(screen: ResizedScreen, seen: RegExp): Promise<void> {
  for (const end = Date.now() + 40_000; !seen.test(screen.lines()); await sleepMs(40))
    if (Date.now() > end) expect.fail(`never seen: ${seen}\n${screen.lines().trimEnd().slice(-2_000)}`)
}

/** Changes the size several times in a row, as with a mouse, then pauses; also while a frame is drawn. */
async function changeSizes(screen: ResizedScreen, random: () => number): Promise<void> {
  let [columns, rows] = [80, 24]
  for (const end = Date.now() + 4_000; Date.now() < end; await sleepMs(90 + random() * 400)) {
    for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
      if (random() < 0.7) columns = 40 + Math.floor(random() * 70)
      else rows = 16 + Math.floor(random() * 24)
      await screen.resize(columns, rows)
      await sleepMs(random() * 60)
    }
  }
}

const cases = (['tmux', 'lines', 'cut'] as const).flatMap((kind) =>
  seedGroups(rounds(1, 50)).map((seeds) => ({ kind, seeds })),
)

it.each(cases)('prints each word of an answer while the size changes ($kind, seeds $seeds)', (one) =>
  runTogether(one.seeds, (seed) => showAnswer(one.kind, seed)),
)

async function showAnswer(kind: keyof typeof most, seed: number): Promise<void> {
  const here = openScreenWorld([])
  const random = rng(seed)
  // text that a terminal has truncated cannot be read again
  const model = await serveWords(here, words, {
    ms: 12,
    each: kind === 'cut' ? 3 : 2 + Math.floor(random() * 22),
  })
  const screen = openScreen(here, kind, [...model, 'go'])
  await waitFor(screen, /word9\b/)
  await changeSizes(screen, random)
  await screen.resize(80, 30)
  await waitFor(screen, /done /)
  const found = [...screen.lines().matchAll(/\bword(\d+)/g)].map(([, number]) => Number(number))
  const once = [...new Set(found)]
  expect([...once].sort((a, b) => a - b)).toEqual(Array.from({ length: words }, (_, i) => i))
  expect(found.length - once.length).toBeLessThanOrEqual(most[kind])
  if (found.length === once.length) expect(found).toEqual(once.sort((a, b) => a - b))
}
