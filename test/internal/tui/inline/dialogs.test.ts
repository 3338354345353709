// Questions of a model, answered on the built program in a pseudo terminal.
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  openScreenWorld,
  type ScreenProgram,
  type ScreenWorld,
  typeLine,
} from '../../../support/screen-program.ts'
import { untilAnswerable } from '../../../support/waiting.ts'

type Form = 'inline' | 'full' | 'plain'

const size = { columns: 110, rows: 30 }
const options = ['PostgreSQL', 'SQLite', 'none at all'].map((label, i) => ({ id: `o${i}`, label }))

async function ask(form: Form, args: object) {
  const call = { calls: [{ name: 'ask_user', args: { question: 'Which driver?', options, ...args } }] }
  const here = openScreenWorld([call, { text: 'That was all.' }])
  const screen = here.start([...here.model, '--screen', form, 'begin'], size)
  await screen.until(/Which driver\?[\s\S]*(?:Esc later|dismisses)/)
  return untilAsked(here, screen, form)
}

/** Starts a session in which the model asks the user to approve a plan. */
async function askForPlan(form: Form) {
  const here = openScreenWorld([
    { text: 'Hello.' },
    { calls: [{ name: 'plan_exit', args: {} }] },
    { text: 'That was all.' },
  ])
  const screen = here.start([...here.model, '--screen', form, 'begin'], size)
  await screen.until(/Hello\.[\s\S]*done/)
  await typeLine(screen, '/plan')
  const readPath = async () =>
    /"path":"([^"]+)"/.exec((await here.anode(['threads', 'show', 'last', '--json'])).out)?.[1]
  await expect.poll(readPath, { timeout: 30_000 }).toMatch(/plans/)
  writeFileSync((await readPath()) ?? '', 'Change nothing.')
  await typeLine(screen, 'go on')
  await screen.until(/Continue with it\?[\s\S]*Esc later/)
  return untilAsked(here, screen, form)
}

async function untilAsked({ anode }: ScreenWorld, screen: ScreenProgram, form: Form) {
  await untilAnswerable(form === 'plain' ? 'line' : 'key')
  /** Types keys one at a time, each after the screen shows the effect of the one before. */
  const press = async (...steps: readonly (readonly [key: string, seen: RegExp])[]) => {
    for (const [key, seen] of steps) {
      screen.type(key)
      await screen.until(() => seen.test(screen.rows()), 30_000)
    }
  }
  return { ...screen, press, anode }
}

const [down, up] = ['\x1b[B', '\x1b[A']
const picked = (name: string) => new RegExp(`✔ \\d ${name}`)
const over = /That was all/

it.each(['inline', 'full'] as const)('arrow keys pick an option on the %s screen', async (form) => {
  const at = await ask(form, {})
  await at.press(
    [down, picked('PostgreSQL')],
    [down, picked('SQLite')],
    [up, picked('PostgreSQL')],
    [down, picked('SQLite')],
    ['\r', over],
  )
  expect(at.rows()).toMatch(/SQLite/)
})

it.each(['inline', 'full'] as const)('typing answers on the %s screen, also with x', async (form) => {
  const at = await ask(form, { allow_freeform: true })
  expect(at.rows()).toMatch(/Ctrl-X dismiss/)
  await at.press(['x', /> x_/], ['y', /> xy_/], ['\r', over])
  expect(at.rows()).toMatch(/xy/)
})

it.each(['inline', 'full'] as const)('Esc means later on the %s screen, and keeps the text', async (form) => {
  const at = await ask(form, { allow_freeform: true })
  await at.press(['m', /> m_/], ['y', /> my_/], ['\x1b', /still waiting; Tab answers it/])
  await at.press(['\t', /> my_/])
  await untilAnswerable('key')
  await at.press([' ', /> my _/], ['x', /> my x_/], ['\r', over])
})

it.each(['inline', 'full'] as const)(
  'letters that fit no option of the %s screen go to the input line',
  async (form) => {
    const at = await ask(form, {})
    await at.press(['p', picked('PostgreSQL')], ['r', /^ pr *$[\s\S]*still waiting; Tab answers it/m])
    await at.press(['oxy', /^ proxy *$/m], ['\t', /Ctrl-X dismiss|x dismiss/])
    expect(at.rows()).not.toMatch(picked('PostgreSQL'))
    await untilAnswerable('key')
    await at.press(['2', picked('SQLite')], ['\r', over])
    expect(at.rows()).toMatch(/^ proxy *$/m)
  },
)

it.each([
  ['SQLite', 'SQLite'],
  ['2', 'SQLite'],
  ['postgresql', 'PostgreSQL'],
])('the line %s answers on the plain screen', async (line, answer) => {
  const at = await ask('plain', {})
  at.type(`${line}\r`)
  await at.until(over)
  expect(at.screen()).toContain(answer)
})

it.each([
  ['a choice', () => ask('inline', {}), /Enter sends it instead {2}Tab answers/],
  ['a choice on the full screen', () => ask('full', {})],
  ['a required choice', () => ask('inline', { required: true })],
  ['a text', () => ask('inline', { allow_freeform: true })],
  ['a plan', () => askForPlan('inline')],
])('a message replaces the answer to a question about %s', async (_, openQuestion, hint = /./) => {
  const at = await openQuestion()
  await at.press(['\x1b', /Tab answers it/], ['use files', /^ use files/m])
  await at.until(() => hint.test(at.rows()))
  await at.press(['\r', over])
  const { out } = await at.anode(['threads', 'show', 'last', '--json'])
  const events = out.trim().split('\n')
  const indexOf = (part: string) => events.findLastIndex((line) => line.toLowerCase().includes(part))
  const places = ['"question.asked"', 'the user answered with a message instead', 'use files'].map(indexOf)
  expect(places.every((place, i) => place > (places[i - 1] ?? -1))).toBe(true)
  expect(out).toContain('"status":"dismissed"')
})

it('a message that is sent while a call needs approval leaves the request open', async () => {
  const call = { name: 'bash', args: { command: 'git push' } }
  const { model, start } = openScreenWorld([{ calls: [call] }, { text: 'That was all.' }])
  const at = start([...model, '--approval', 'ask', 'begin'], size)
  await at.until(/y once/)
  await untilAnswerable('key')
  at.type('\x1b')
  await at.until(() => /Tab answers it/.test(at.rows()))
  at.type('use files')
  await at.until(() => /^ use files[\s\S]*Enter steers {2}Tab answers/m.test(at.rows()))
  at.type('\r')
  await at.until(() => /steer +use files +taken at the next step/.test(at.rows()))
  at.type('\t')
  await at.until(() => /y once/.test(at.rows()))
  await untilAnswerable('key')
  at.type('n')
  await at.until(over)
})

/** Shapes in which models send options, and the label of each. */
const shapes: readonly (readonly [options: unknown, labels: readonly string[]])[] = [
  [
    ['PostgreSQL', 'SQLite'],
    ['PostgreSQL', 'SQLite'],
  ],
  [
    ['PostgreSQL', { id: 'lite', label: 'SQLite' }],
    ['PostgreSQL', 'SQLite'],
  ],
  ['SQLite', ['SQLite']],
]

it.each(shapes)('options %j become labels', async (options, labels) => {
  const at = await ask('inline', { options })
  for (const label of labels) expect(at.rows()).toContain(label)
  at.type(String(labels.length))
  await at.until(() => at.rows().includes(`✔ ${labels.length} SQLite`), 30_000)
  at.type('\r')
  await at.until(/That was all/, 30_000)
})
