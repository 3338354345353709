// Leaving a session during a run while a script waits for the program: the run continues in a new process,
// and no step of the run happens twice.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openScreenWorld, type ScreenWorld } from '../support/screen-program.ts'
import { untilAnswerable } from '../support/waiting.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })
const mark = (word: string) => bash(`echo ${word} >> marks`)
/** Makes a call that ends when the file exists. */
const awaitFile = (word: string, file = 'go') =>
  bash(`echo ${word} >> marks; while [ ! -e ${file} ]; do sleep 0.05; done`)

const marks = ({ dir }: ScreenWorld) =>
  existsSync(join(dir, 'marks')) ? readFileSync(join(dir, 'marks'), 'utf8').trim().split('\n') : []

const runs = async ({ anode }: ScreenWorld): Promise<Record<string, unknown>[]> =>
  JSON.parse((await anode(['runs', 'list', '--json'])).out || '[]')

/** Opens a world whose background run ends with the test. */
function openWorld(replies: readonly object[]): ScreenWorld {
  const at = openScreenWorld(replies)
  onTestFinished(async () => {
    await at.anode(['runs', 'cancel', 'last'])
    const isOver = async () => (await runs(at)).every(({ state }) => state === 'ended' || state === 'broken')
    await expect.poll(isOver, { timeout: slowMs }).toBe(true)
  })
  return at
}

/** Timeout in milliseconds: a screen is slow on a busy machine. */
const slowMs = 60_000

/** A terminal with enough rows for the whole approval. */
const tall = { rows: 40 }

const open = ['--approval', 'unrestricted', 'Do it']

it('leaves the run running at the end of a step, and runs each step once', {
  timeout: 240_000,
}, async () => {
  const at = openWorld([mark('a'), awaitFile('b'), awaitFile('c', 'on'), mark('d'), { text: 'All is done.' }])
  const screen = at.startInShell([...at.model, ...open])
  await expect.poll(() => marks(at), { timeout: slowMs }).toEqual(['a', 'b'])
  screen.type('\x04')
  await screen.until(/d leave it running/, slowMs)
  screen.type('d')
  await screen.until(/leaves it running after bash; Esc stays, Ctrl-D interrupts bash/, slowMs)
  at.put('go', '')
  expect(await screen.exit).toBe(0)
  expect(screen.screen()).toMatch(/anode attach \S+ {2}still running {2}1 run/)
  await expect.poll(() => runs(at), { timeout: slowMs }).toMatchObject([{ state: 'running' }])
  // Only one process drives the run, so a session on the thread joins it.
  const again = at.start(['--continue'])
  await again.until(/continues in its own process/, slowMs)
  at.put('on', '')
  await again.until(/All is done\./, slowMs)
  again.type('/quit\r')
  expect(await again.exit).toBe(0)
  expect(marks(at)).toEqual(['a', 'b', 'c', 'd'])
  const printed = (await at.anode(['attach', 'last'])).out
  expect(printed.match(/you: Do it/g)).toHaveLength(1)
  expect(printed).toContain('All is done.')
})

it('leaves a call that waits for approval at once; closing a window leaves the run running', {
  timeout: 240_000,
}, async () => {
  const at = openWorld([bash('echo a >> marks'), { text: 'All is done.' }])
  const screen = at.start([...at.model, '--approval', 'ask', 'Do it'], tall)
  await screen.until(/y once/, slowMs)
  await untilAnswerable('key')
  screen.type('\x1b')
  await screen.until(/Tab answers it/, slowMs)
  screen.type('\x04')
  await screen.until(/d leave it running/, slowMs)
  screen.type('d')
  expect(await screen.exit).toBe(0)
  await expect
    .poll(() => runs(at), { timeout: slowMs })
    .toMatchObject([{ state: 'waiting', waits: ['bash'] }])
  // the window with the answer is closed during the run
  const window = at.start(['attach', 'last'], tall)
  await window.until(/y once/, slowMs)
  window.type('\x04')
  await window.until(/again to leave/, slowMs)
  window.hangUp()
  expect(await window.exit).toBe(129)
  await expect
    .poll(() => runs(at), { timeout: slowMs })
    .toMatchObject([{ state: 'waiting', waits: ['bash'] }])
  const last = at.start(['attach', 'last'], tall)
  await last.until(/y once/, slowMs)
  await untilAnswerable('key')
  last.type('y')
  await last.until(/All is done\./, slowMs)
  last.type('\x04')
  expect(await last.exit).toBe(0)
  expect(marks(at)).toEqual(['a'])
})

it('continues without the terminal if the terminal closes during the step', {
  timeout: 240_000,
}, async () => {
  const at = openWorld([awaitFile('a', 'never'), mark('b'), { text: 'All is done.' }])
  const screen = at.startInShell([...at.model, ...open])
  await expect.poll(() => marks(at), { timeout: slowMs }).toEqual(['a'])
  screen.type('\x04')
  await screen.until(/d leave it running/, slowMs)
  screen.type('d')
  await screen.until(/leaves it running after bash/, slowMs)
  screen.hangUp()
  await expect.poll(() => marks(at), { timeout: slowMs }).toEqual(['a', 'b'])
  await expect.poll(async () => (await runs(at))[0]?.state, { timeout: slowMs }).toBe('ended')
})

it('stays and gives the reason if no process can run it', { timeout: 240_000 }, async () => {
  const at = openWorld([awaitFile('a'), mark('b'), { text: 'All is done.' }])
  // too long for the name of a socket
  const data = join(at.dir, '..', 'd'.repeat(120))
  const screen = at.startInShell([...at.model, ...open], {}, { ANODE_DATA_DIR: data })
  await expect.poll(() => marks(at), { timeout: slowMs }).toEqual(['a'])
  screen.type('\x04')
  await screen.until(/d leave it running/, slowMs)
  screen.type('d')
  await screen.until(/leaves it running after bash/, slowMs)
  at.put('go', '')
  await screen.until(/! not left: the data directory[\s\S]*ANODE_DATA_DIR to a shorter one/, slowMs)
  await screen.until(/All is done\./, slowMs)
  expect(marks(at)).toEqual(['a', 'b'])
  screen.type('/quit\r')
  expect(await screen.exit).toBe(0)
})
