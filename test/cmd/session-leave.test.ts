// Leaving the plain screen during a run: the screen asks for a letter, also after Ctrl-D.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openScreenWorld } from '../support/screen-program.ts'
import { untilAnswerable } from '../support/waiting.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })

/** Timeout in milliseconds: a screen is slow on a busy machine. */
const slowMs = 60_000

function openPlain(replies: readonly object[]) {
  const at = openScreenWorld(replies)
  const words = [...at.model, '--screen', 'plain', '--approval', 'unrestricted', 'Do it']
  const marks = () => (existsSync(join(at.dir, 'marks')) ? readFileSync(join(at.dir, 'marks'), 'utf8') : '')
  return { ...at, marks, screen: at.startInShell(words, { rows: 50 }) }
}

const waits = bash('echo a >> marks; while [ ! -e go ]; do sleep 0.05; done')

it('leaves the run running; a user who stays can send another message', { timeout: 240_000 }, async () => {
  const { screen, marks, put, anode, start } = openPlain([
    waits,
    bash('echo b >> marks; while [ ! -e on ]; do sleep 0.05; done'),
    { text: 'All is done.' },
  ])
  onTestFinished(async () => void (await anode(['runs', 'cancel', 'last'])))
  await expect.poll(marks, { timeout: slowMs }).toBe('a\n')
  screen.type('\x04')
  await screen.until(/a run, [\s\S]*s stop all[\s\S]*w leave[\s\S]*d leave it running/, slowMs)
  await untilAnswerable('line')
  screen.type('\r')
  await screen.until(/nothing was chosen/, slowMs)
  screen.type('/quit\r')
  await screen.until(/(Leave while this runs[\s\S]*){2}stays/, slowMs)
  await untilAnswerable('line')
  screen.type('w\r')
  await screen.until(/leaves when it is done; Ctrl-C stays/, slowMs)
  screen.type('\x03')
  await screen.until(/^(?:\^C)?stays$/m, slowMs)
  screen.type('\x04')
  await screen.until(/(Leave while this runs[\s\S]*){3}stays/, slowMs)
  await untilAnswerable('line')
  screen.type('d\r')
  await screen.until(/leaves it running after bash; Ctrl-C stays, Ctrl-D interrupts bash/, slowMs)
  put('go', '')
  expect(await screen.exit).toBe(0)
  expect(screen.screen()).toMatch(/anode attach \S+ {2}still running {2}1 run/)
  expect(screen.bytes()).not.toContain('\x1b')
  const window = start(['attach', 'last', '--screen', 'plain'], { rows: 50 })
  await window.until(/you: Do it/, slowMs)
  put('on', '')
  await window.until(/anode: All is done\./, slowMs)
  window.type('\x04')
  expect(await window.exit).toBe(0)
  // one run, though two processes have worked on it
  const again = start(['--continue', '--screen', 'plain'])
  await again.until(/All is done\./, slowMs)
  again.type('\x04')
  await again.until(/anode --resume \S+ {2}1 run /, slowMs)
  expect(marks()).toBe('a\nb\n')
})

it('leaves when the run is done, and ends the run at the second Ctrl-D', { timeout: 240_000 }, async () => {
  const first = openPlain([waits, { text: 'All is done.' }])
  await expect.poll(first.marks, { timeout: slowMs }).toBe('a\n')
  first.screen.type('/quit\r')
  await first.screen.until(/w leave when/, slowMs)
  await untilAnswerable('line')
  first.screen.type('w\r')
  await first.screen.until(/leaves when it is done/, slowMs)
  first.put('go', '')
  expect(await first.screen.exit).toBe(0)
  expect(first.screen.screen()).toMatch(/All is done\.\ndone [\s\S]*anode --resume \S+ {2}1 run /)
  const second = openPlain([waits, { text: 'Never said.' }])
  await expect.poll(second.marks, { timeout: slowMs }).toBe('a\n')
  second.screen.type('\x04')
  await second.screen.until(/as Ctrl-D does now/, slowMs)
  second.screen.type('\x04')
  expect(await second.screen.exit).toBe(0)
  expect(second.screen.screen()).toMatch(/bash ended[\s\S]*cancelled: interrupted[\s\S]*anode --resume/)
})

it('picks a thread by its number, without moving a cursor', { timeout: 240_000 }, async () => {
  const { start, model } = openScreenWorld([{ text: 'First answer.' }])
  const before = start([...model, '--screen', 'plain', 'Say it'])
  await before.until(/you: Say it\nanode: First answer\./, slowMs)
  before.type('\x04')
  expect(await before.exit).toBe(0)
  const again = start([...model, '--resume'], {}, { TERM: 'dumb' })
  await again.until(/1\) Say it - .*\nType 1, or an empty line for none/, slowMs)
  again.type('2\r')
  await again.until(/(Type 1[\s\S]*){2}/, slowMs)
  again.type('1\r')
  await again.until(/anode: First answer\./, slowMs)
  again.type('\x04')
  expect(await again.exit).toBe(0)
  expect(again.bytes()).not.toContain('\x1b')
})
