// Leaving with two keys while work runs: the program ends soon, and so do the processes of the work.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processesWith } from '../../internal/process/scratch.ts'
import { leastWait } from '../../support/cost.ts'
import { serveNear } from '../../support/near-provider.ts'
import { openScreenWorld, type ScreenWorld, typeLine } from '../../support/screen-program.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const hung = { text: 'never said', fault: { at: 0, how: 'silence' } } as const
const bash = (command: string, rest: object = {}) => ({ name: 'bash', args: { command, ...rest } })
/** A command that ignores every signal that it can ignore. */
const deaf = (mark: string) =>
  `trap '' TERM INT HUP; touch begun; (exec -a ${mark} sleep 60) & while :; do sleep 0.1; done`
const child = { name: 'task', args: { title: 'Look at it', goal: 'Look at all of it', profile: 'craft' } }

interface Work {
  words: readonly string[]
  /** A command of the user. */
  types?: string
  isBegun(): boolean
}
type Begin = (world: ScreenWorld, mark: string) => Promise<Work>

const begun = ({ dir }: ScreenWorld) => existsSync(join(dir, 'begun'))
const works: Readonly<Record<string, Begin>> = {
  'a command': async (world, mark) => {
    const { model } = await serveNear(world, [{ calls: [bash(`touch begun; exec -a ${mark} sleep 60`)] }])
    return { words: [...model, 'go'], isBegun: () => begun(world) }
  },
  'a command that ignores signals': async (world, mark) => {
    const { model } = await serveNear(world, [{ calls: [bash(deaf(mark))] }])
    return { words: [...model, 'go'], isBegun: () => begun(world) }
  },
  'a command in the background': async (world, mark) => {
    const { model } = await serveNear(world, [{ calls: [bash(deaf(mark), { background: true })] }, hung])
    return { words: [...model, 'go'], isBegun: () => begun(world) }
  },
  'a command of a subagent': async (world, mark) => {
    const { model } = await serveNear(world, [{ calls: [child] }, { calls: [bash(deaf(mark))] }])
    return { words: [...model, 'go'], isBegun: () => begun(world) }
  },
  'a command of the user': async (world, mark) => {
    const { model } = await serveNear(world, [])
    return { words: model, types: `!${deaf(mark)}`, isBegun: () => begun(world) }
  },
  'a model that says nothing': async (world) => {
    const { model, requests } = await serveNear(world, [hung])
    return { words: [...model, 'go'], isBegun: () => requests.length > 0 }
  },
}

const keys = [
  ['inline', '\x04', '\x04'],
  ['inline', '\x04', '\x03'],
  ['inline', '\x04', 's'],
  ['plain', '\x04', '\x04'],
] as const
const rows = Object.keys(works).flatMap((name, i) =>
  keys
    .filter((_, k) => i === 1 || k === i % keys.length || k === 0)
    .map(([form, ...typed]) => [name, form, ...typed] as const),
)

it.each(rows)('ends %s in the form %s with two keys', async (name, form, first, second) => {
  // on an idle machine: 0.2 to 0.9 s; commands that ignore TERM had two seconds before
  expect(await leastWait(1_950, () => leaveWork(name, form, first, second))).toBeLessThan(1_950)
})

/** Returns the milliseconds from the second key to the end of the program. */
async function leaveWork(name: string, form: string, first: string, second: string): Promise<number> {
  const world = openScreenWorld([])
  const mark = `mark-${Math.random()}`
  const work = await (works[name] as Begin)(world, mark)
  const words = [...work.words, '--screen', form, '--approval', 'unrestricted']
  const screen = world.start(words, { columns: 160, rows: 40 })
  if (work.types !== undefined) {
    await screen.until(/\? help|demo|near/)
    await typeLine(screen, work.types)
  }
  await screen.until(work.isBegun)
  screen.type(first)
  await screen.until(/stop all and leave/)
  if (form === 'plain') await untilAnswerable('line')
  const since = performance.now()
  screen.type(second)
  expect(await screen.exit).toBe(0)
  const took = performance.now() - since
  expect(processesWith(mark)).toEqual([])
  return took
}

it.each(['w', 's', 'd', 'x'])(
  'keeps text that begins with %s and is pasted at the question of leaving',
  async (first) => {
    const world = openScreenWorld([])
    const work = await (works['a command'] as Begin)(world, `mark-${Math.random()}`)
    const screen = world.start([...work.words, '--approval', 'unrestricted'])
    await screen.until(work.isBegun)
    screen.type('\x04')
    await screen.until(/stop all and leave/)
    screen.type(`${first}hat of the rest?`)
    await screen.until(new RegExp(`^ ${first}hat of the rest\\?$`, 'm'))
    expect(screen.screen()).not.toContain('stop all and leave')
  },
)

it('leaves with Ctrl-C while a stopped command still ends', async () => {
  const world = openScreenWorld([])
  const mark = `mark-${Math.random()}`
  const work = await (works['a command that ignores signals'] as Begin)(world, mark)
  const screen = world.start([...work.words, '--approval', 'unrestricted'])
  await screen.until(work.isBegun)
  screen.type('\x03')
  await screen.until(/stopping/)
  screen.type('\x03')
  await screen.until(/press again to leave/)
  screen.type('\x03')
  expect(await screen.exit).toBe(0)
  expect(processesWith(mark)).toEqual([])
})

it('shows no cost of a model without a price', async () => {
  const world = openScreenWorld([])
  const { model } = await serveNear(world, [{ text: 'Said.', usage: { in: 5_200, out: 120 } }])
  const screen = world.start([...model, 'go'])
  await screen.until(/Said\.[\s\S]*done +[\d.]+ m?s[\s\S]*5\.2k\/120/)
  expect(screen.screen()).not.toContain('$')
})
