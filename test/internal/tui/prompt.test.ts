// The terminal user: real prompts on a pair of streams, with keys as input and answers as output.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { UserQuestion } from '../../../internal/tool/ask.ts'
import { terminalUser } from '../../../internal/tui/prompt.ts'

const down = '\x1b[B'
const enter = '\r'
const esc = '\x1b'

/** Returns a terminal whose user presses the next keys each time a drawn prompt waits. */
function terminal(...keys: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = new PassThrough()
  let screen = ''
  let timer: NodeJS.Timeout | undefined
  let isPrompted = false
  output.on('data', (chunk) => {
    screen += chunk
    // The question is printed first. Keys before its prompt do not count.
    if (String(chunk).includes(' asks')) isPrompted = false
    if (String(chunk).includes('Your answer')) isPrompted = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!isPrompted) return
      const key = keys.shift()
      if (key === 'EOF') input.end()
      else if (key !== undefined) input.write(key)
    }, 30)
  })
  return { input, output, env: {}, screen: () => screen }
}

const question = (over: Partial<UserQuestion> = {}): UserQuestion => ({
  id: 'q1',
  question: 'Which database?',
  options: [
    { id: 'pg', label: 'PostgreSQL' },
    { id: 'lite', label: 'SQLite', description: 'one file' },
  ],
  allowFreeform: false,
  required: false,
  ...over,
})
const never = new AbortController().signal
const ask = (io: ReturnType<typeof terminal>, ...questions: UserQuestion[]) =>
  terminalUser(io).ask({ from: 'the model', questions }, never)

test('chooses with the keys', async () => {
  const io = terminal(down, enter)
  const prompt = question({ topic: 'data-base', reason: 'Migrations differ' })
  expect(await ask(io, prompt)).toEqual({ status: 'answered', answers: [{ id: 'q1', option: 'lite' }] })
  for (const shown of [
    '[data-base] Which database?',
    'Migrations differ',
    'PostgreSQL',
    'one file',
    'No answer',
  ]) {
    expect(io.screen()).toContain(shown)
  }
})

test('accepts a typed answer', async () => {
  const io = terminal(down, down, enter, 'MariaDB', enter)
  expect(await ask(io, question({ allowFreeform: true }))).toEqual({
    status: 'answered',
    answers: [{ id: 'q1', text: 'MariaDB' }],
  })
})

test('asks one question after the other, and a question may stay unanswered', async () => {
  const io = terminal(down, down, enter, 'blue', enter)
  const colour = question({ id: 'q2', question: 'Colour?', options: [], allowFreeform: true })
  expect(await ask(io, question(), colour)).toEqual({
    status: 'answered',
    answers: [{ id: 'q2', text: 'blue' }],
  })
})

test('dismisses an only question without an answer', async () => {
  expect(await ask(terminal(down, down, enter), question())).toEqual({ status: 'dismissed' })
})

test('a required question cannot be skipped, and rejects empty text', async () => {
  const io = terminal(enter, 'x', enter)
  const required = question({ options: [], allowFreeform: true, required: true })
  expect(await ask(io, required)).toEqual({ status: 'answered', answers: [{ id: 'q1', text: 'x' }] })
  const chosen = terminal(enter)
  await ask(chosen, question({ required: true }))
  expect(chosen.screen()).not.toContain('No answer')
})

test.each([
  ['Ctrl-C', '\x03'],
  ['Escape', esc],
  ['the end of input', 'EOF'],
])('%s dismisses', async (_, key) => {
  expect(await ask(terminal(key), question({ required: true }))).toEqual({ status: 'dismissed' })
})

test('an aborted signal dismisses, before and during the prompt', async () => {
  const abort = new AbortController()
  const io = terminal()
  const reply = terminalUser(io).ask({ from: 'the model', questions: [question()] }, abort.signal)
  setTimeout(() => abort.abort(), 50)
  expect(await reply).toEqual({ status: 'dismissed' })
  expect(await terminalUser(io).ask({ from: 'the model', questions: [question()] }, abort.signal)).toEqual({
    status: 'dismissed',
  })
})

test('an input that has ended dismisses instead of waiting', async () => {
  const io = terminal()
  io.input.destroy()
  expect(await ask(io, question())).toEqual({ status: 'dismissed' })
})

test('shows simultaneous questionnaires one after the other', async () => {
  const io = terminal(enter, down, enter)
  const user = terminalUser(io)
  const both = await Promise.all(
    [1, 2].map(() => user.ask({ from: 'the model', questions: [question()] }, never)),
  )
  expect(both).toEqual([
    { status: 'answered', answers: [{ id: 'q1', option: 'pg' }] },
    { status: 'answered', answers: [{ id: 'q1', option: 'lite' }] },
  ])
})

test('an option may have the same name as a built-in choice', async () => {
  const prompt = question({ options: [{ id: 'skip', label: 'Skip the tests' }] })
  expect(await ask(terminal(enter), prompt)).toEqual({
    status: 'answered',
    answers: [{ id: 'q1', option: 'skip' }],
  })
})

test('foreign text cannot control the terminal', async () => {
  const io = terminal(enter)
  const evil = '\x1b]0;title\x07\x1b[2Jrm \u202egnp'
  await ask(
    io,
    question({
      question: evil,
      reason: evil,
      topic: evil,
      options: [{ id: 'a', label: evil, description: evil }],
    }),
  )
  for (const bad of ['\x1b]0', '\x1b[2J', '\u202e']) expect(io.screen()).not.toContain(bad)
})

test('reports a missing user without a terminal', async () => {
  const io = terminal()
  io.input.isTTY = false
  expect(await ask(io, question())).toEqual({
    status: 'no_user_available',
    why: 'standard input is not a terminal',
  })
  expect(io.screen()).toBe('')
})
