// The built program in tmux while the width of the window changes below an empty screen, an
// approval, a question, a menu, a picker, a page or running calls: none of their rows stays in the scrollback.
import { dirname } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { rng } from '../../support/rng.ts'
import { rounds, runTogether, seedGroups } from '../../support/sample.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal, type TestTerminal } from '../../support/tmux.ts'

const words = (count: number, each: number) =>
  Array.from({ length: count }, (_, i) => `word${i}${i % each === each - 1 ? '\n' : ' '}`).join('')

const question = {
  question: 'Which of these do you want?',
  options: Array.from({ length: 9 }, (_, i) => `opt${i} ${'with a long text '.repeat(3)}`),
}
const shell = (i: number) => `for n in 1 2 3 4 5 6; do echo out${i}$n ${'and more '.repeat(7)}; sleep 1; done`

/** A scene: the calls of the model, the keys that open it, its text on the screen, and its unique text. */
interface Scene {
  calls?: readonly object[]
  open?: readonly string[]
  /** Time in milliseconds until the model answers; the width changes as soon as the keys are pressed. */
  waitMs?: number
  /** True if the conversation is empty, so that the rows are at the top of the window at first. */
  isNew?: boolean
  seen: RegExp
  close?: string
  unique: RegExp
}

const scenes: Record<string, Scene> = {
  'an approval': {
    calls: [{ name: 'create_file', args: { path: 'made.txt', content: words(150, 10) } }],
    seen: /v whole page/,
    unique: /\bword\d+\b|Esc: decide later/g,
  },
  'a question': { calls: [{ name: 'ask_user', args: question }], seen: /opt8/, unique: /\bopt\d/g },
  'a menu': { open: ['/'], seen: /^ > \/\S/m, unique: /^ {3}\/\S+/gm },
  'a picker': {
    open: ['/model', 'Enter'],
    seen: /anthropic[\s\S]*openai/,
    unique: /^.{0,4}(?:anthropic|openai|groq)\b/gm,
  },
  'a page': { open: ['F1'], seen: /lines 1-/, close: 'Escape', unique: /\? help/g },
  'a sent message': {
    open: ['hello there', 'Enter'],
    waitMs: 3_000,
    isNew: true,
    seen: /done /,
    unique: /^ > hello there|\? help/gm,
  },
  'an empty screen': { isNew: true, seen: /\? help/, unique: /Ask, or say|\? help/gm },
  'typed words': {
    isNew: true,
    open: ['some words'],
    seen: /Enter sends/,
    unique: /some words|Enter sends/gm,
  },
  calls: {
    calls: [1, 2, 3, 4].map((i) => ({ name: 'bash', args: { command: shell(i) } })),
    seen: /out[1-4]2/,
    unique: /\bout\d\d|Esc stops/g,
  },
}

const cases = seedGroups(rounds(1, 30)).flatMap((seeds) =>
  Object.keys(scenes).map((name) => ({ name, seeds })),
)
const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const totals = new Map<string, { survived: number; tried: number }>()
afterAll(() => {
  for (const [name, { survived, tried }] of totals)
    console.log(`width changes, ${name}: ${survived}/${tried} without a doubled row`)
})

/** Changes the width as with a mouse, some times in steps, and lets it come to rest at 80 columns. */
async function changeWidth(screen: TestTerminal, random: () => number): Promise<void> {
  for (let times = 2 + Math.floor(random() * 3); times > 0; times--) {
    for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
      screen.resize(40 + Math.floor(random() * 80), 24)
      await sleepMs(random() * 80)
    }
    await sleepMs(60 + random() * 600)
  }
  screen.resize(80, 24)
}

const countAll = (text: string, unique: RegExp): [string, number][] => {
  const counts = new Map<string, number>()
  for (const [found] of text.matchAll(unique)) counts.set(found.trim(), (counts.get(found.trim()) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1)
}

it.each(cases)('leaves no row of $name in the scrollback of tmux (seeds $seeds)', ({ name, seeds }) =>
  runTogether(seeds, (seed) => showScene(name, seed)),
)

async function showScene(name: string, seed: number): Promise<void> {
  const { calls, open = [], waitMs = 0, isNew, seen, close, unique } = scenes[name] as Scene
  const total = totals.get(name) ?? { survived: 0, tried: 0 }
  totals.set(name, total)
  total.tried++
  const answer = { text: 'That was all. '.repeat(40), delay_ms: waitMs }
  const replies = calls ? [{ calls }, answer] : [answer]
  const here = openScreenWorld(replies)
  const random = rng(seed)
  const env = { HOME: dirname(here.dir), ANODE_DATA_DIR: here.data }
  const flags = name === 'calls' ? ['--allow-tool', 'bash'] : ['--approval', 'ask']
  const first = isNew ? [] : ['go']
  const screen = openTerminal(anodeLine(...here.model, ...flags, ...first), { cwd: here.dir, env })
  // The first frame moves to the end of the window as soon as tmux has reported its position.
  if (isNew) await screen.until((text) => /\? help/.test(text.split('\n').slice(-2).join('\n')))
  else if (!calls) await screen.until(/done /)
  for (const keys of open) screen.press(keys)
  if (waitMs === 0) await screen.until(seen)
  await changeWidth(screen, random)
  await screen.until(seen)
  if (close !== undefined) screen.press(close)
  // All rows are drawn for the last width.
  await screen.until(/^─{79} *$/m)
  expect(countAll(screen.lines(), unique)).toEqual([])
  total.survived++
}
