// Questions of a model, answered on the built program in a pseudo terminal.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../../../support/screen-program.ts'
import { untilAnswerable } from '../../../support/waiting.ts'

type Form = 'inline' | 'full' | 'plain'

const options = ['PostgreSQL', 'SQLite', 'none at all'].map((label, i) => ({ id: `o${i}`, label }))

async function ask(form: Form, args: object) {
  const call = { calls: [{ name: 'ask_user', args: { question: 'Which driver?', options, ...args } }] }
  const { model, start } = openScreenWorld([call, { text: 'That was all.' }])
  const screen = start([...model, '--screen', form, 'begin'], { rows: 30 })
  await screen.until(/Which driver\?[\s\S]*(?:Esc later|dismisses)/)
  await untilAnswerable(form === 'plain' ? 'line' : 'key')
  /** Types keys one at a time, each after the screen shows the effect of the one before. */
  const press = async (...steps: readonly (readonly [key: string, seen: RegExp])[]) => {
    for (const [key, seen] of steps) {
      screen.type(key)
      await screen.until(() => seen.test(screen.rows()), 30_000)
    }
  }
  return { ...screen, press }
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
