// Stopping with the built program on a real terminal: the first feedback, the end, and the remaining state.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { leastWait } from '../../support/cost.ts'
import { serveNear } from '../../support/near-provider.ts'
import { openScreenWorld, type ScreenProgram, type ScreenWorld } from '../../support/screen-program.ts'
import { serveWords } from '../../support/word-server.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const free = ['--approval', 'unrestricted']
const hung = { text: 'never said', fault: { at: 0, how: 'silence' } } as const

/** Returns the rows from the editor down, which show the meaning of the keys. */
const footOf = (screen: string) => screen.trimEnd().split('\n').slice(-3).join('\n')
const isIdle = ({ screen }: ScreenProgram) => footOf(screen()).includes('? help')

/** Returns the milliseconds from the key to its first feedback, and to the end of all work. */
async function stop(program: ScreenProgram, key: string, over: RegExp) {
  const before = program.bytes().length
  const since = performance.now()
  program.type(key)
  await program.until(() => /stopping|cancelled|stopped/.test(program.bytes().slice(before)))
  const sign = performance.now() - since
  await program.until(over)
  await program.until(() => isIdle(program))
  const idle = performance.now() - since
  return { sign, idle }
}

type Begin = (world: ScreenWorld) => Promise<{
  words: readonly string[]
  goes: RegExp
  says?: string
  /** Whether it waits for something that never comes. */
  waits?: () => boolean
}>

const child = { name: 'task', args: { title: 'Look at it', goal: 'Look at all of it', profile: 'craft' } }
const rows: [string, Begin][] = [
  ['a reply', async (world) => ({ words: [...(await serveWords(world, 5_000)), 'go'], goes: /word40/ })],
  [
    'a model that says nothing',
    async (world) => ({ words: [...(await serveNear(world, [hung])).model, 'go'], goes: /works +[1-9]/ }),
  ],
  ['a command with a family', async ({ model }) => ({ words: [...model, 'go'], goes: /● bash[\s\S]*begun/ })],
  [
    'a command that ignores TERM',
    async ({ model }) => ({ words: [...model, 'go'], goes: /● bash[\s\S]*begun/ }),
  ],
  [
    'a child agent',
    async (world) => {
      const script = (_: unknown, n: number) => (n === 0 ? { calls: [child] } : hung)
      const { model } = await serveNear(world, script)
      return { words: [...model, 'go'], goes: /● task +Look at it/ }
    },
  ],
  [
    'a study',
    async (world) => {
      world.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
      const { model } = await serveNear(world, () => hung)
      return { words: model, says: '/study What is here?', goes: /study +\d[^\n]*Esc stops/ }
    },
  ],
  [
    'a study whose model says nothing',
    async (world) => {
      world.put('doc/lock.md', 'The store locks files with O_EXCL.\n')
      const { model, requests } = await serveNear(world, () => hung)
      const waits = () => requests.length > 0
      return { words: model, says: '/study What is here?', goes: /study +\d[^\n]*Esc stops/, waits }
    },
  ],
]

const scripts: Record<string, string> = {
  'a command with a family': 'sleep 64.1 & (setsid sleep 64.2 &); echo begun; wait',
  'a command that ignores TERM': "trap '' TERM; echo begun; while :; do sleep 0.2; done",
}

describe('one key stops', () => {
  it.each(rows)('%s: shows feedback at once, and ends soon', async (name, begin) => {
    const world = openScreenWorld([bash(scripts[name] ?? 'true')])
    const { words, goes, says, waits } = await begin(world)
    const screen = world.start([...words, ...free])
    if (says !== undefined) {
      await screen.until(/\? help/)
      screen.type(says)
      await screen.until(() => screen.screen().includes(says))
      screen.type('\r')
    }
    await screen.until(goes)
    if (waits) await screen.until(waits)
    const { sign, idle } = await stop(
      screen,
      '\x1b',
      says === undefined ? /cancelled: interrupted/ : /^ stopped$/m,
    )
    process.stdout.write(`stop of ${name}: sign ${Math.round(sign)} ms, idle ${Math.round(idle)} ms\n`)
    // on an idle machine: 100 ms and 2.5 s
    expect(sign).toBeLessThan(6_000)
    expect(idle).toBeLessThan(20_000)
    screen.type('\x04')
    expect(await screen.exit).toBe(0)
  })
})

it('keeps the partial text of a response, and tells the model where it was stopped', async () => {
  const world = openScreenWorld([])
  let release: () => void = () => undefined
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const { requests, model } = await serveNear(world, [
    { text: 'Seen words. Never seen words.', piece: 12, hold: { at: 500, until } },
    { text: 'Gone on.' },
  ])
  const { type, until: seen, program, exit } = world.start([...model, 'go'])
  await seen(/Seen words\./)
  type('\x1b')
  await seen(/Seen words\.[\s\S]*stopped here\n\n cancelled: interrupted/)
  release()
  type('on')
  await seen(/^ on$/m)
  type('\r')
  await seen(/Gone on\.[\s\S]*done/)
  const [, second] = requests
  const said = second?.body.messages.find(({ role }: { role: string }) => role === 'assistant')
  expect(said.content).toMatch(/^Seen words\.[\s\S]*\[stopped here by the user\]$/)
  expect(said.content).not.toContain('Never seen words')
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

/** The keys that stop a long-running call, by kind of screen. */
const longStops = [
  ['inline', '\x1b\x1b'],
  ['full', '\x1b'],
] as const

async function stopWhatHasRunForLong(form: string, keys: string): Promise<void> {
  const { start, model } = openScreenWorld([bash('sleep 64.3')])
  const { type, until, screen, program, exit } = start([...model, ...free, '--screen', form, 'go'])
  await until(/● bash +sleep 64\.3 +1\d\.\d s/)
  type('\x1b')
  await until(/again to stop bash/)
  // the first key alone does nothing
  await until(() => !screen().includes('again to stop bash'))
  expect(screen()).toMatch(/● bash +sleep 64\.3/)
  if (keys === '\x1b') {
    type('\x1b')
    await until(/again to stop bash/)
  }
  type(keys)
  await until(/exit 143[\s\S]*cancelled: interrupted/)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
}

// concurrently, because both wait ten seconds until a call counts as long
it('needs two keys to stop a long call, in one chunk inline, one by one on the full screen', () =>
  Promise.all(longStops.map(([form, keys]) => stopWhatHasRunForLong(form, keys))))

describe('Ctrl-C', () => {
  it('clears, stops, and leaves; a stop never counts as the first of two keys', async () => {
    const { start, model } = openScreenWorld([bash('sleep 64.4')])
    const { type, until, screen, exit } = start([...model, ...free, 'go'])
    await until(/● bash +sleep 64\.4/)
    type('half a thought')
    await until(/half a thought/)
    type('\x03')
    await until(() => !screen().includes('half a thought'))
    expect(screen()).toMatch(/● bash +sleep 64\.4/)
    type('\x03')
    await until(/cancelled: interrupted/)
    type('\x1b[A')
    await until(/half a thought/)
    type('\x03')
    await until(() => !screen().includes('half a thought'))
    type('\x03')
    await until(/again to leave/)
    await until(() => !screen().includes('again to leave'))
    type('\x03')
    await until(/again to leave/)
    type('\x03')
    expect(await exit).toBe(0)
    await until(/anode --resume \w+ {2}1 run/)
  })

  it("stops the user's shell command as well", async () => {
    const { start } = openScreenWorld([])
    const { type, until, exit } = start([])
    await until(/\? help/)
    type('!sleep 64.5')
    await until(/!sleep 64\.5/)
    type('\r')
    await until(/● ! bash +sleep 64\.5/)
    type('\x03')
    await until(/! bash +sleep 64\.5 .*exit 143/)
    type('\x03')
    await until(/again to leave/)
    type('\x03')
    expect(await exit).toBe(0)
  })
})

it('ends at once at a second SIGTERM', async () => {
  // The printed word is not in the command itself, which is on the screen before it runs.
  const command = "trap 'touch told' TERM; echo be''gun; while :; do sleep 0.2; done"
  const stopTwice = async () => {
    const { start, model, dir } = openScreenWorld([bash(command)])
    const { until, program, exit } = start([...model, ...free, 'go'])
    await until(/● bash[\s\S]*begun/)
    program.kill('SIGTERM')
    const since = performance.now()
    await until(() => existsSync(join(dir, 'told')))
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
    return performance.now() - since
  }
  // the first SIGTERM alone waits for the command up to its time limit
  expect(await leastWait(1_900, stopTwice)).toBeLessThan(1_900)
})
