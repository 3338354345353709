// A run on a real terminal: streamed text, and calls with their results, at any width.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { countCells } from '../../internal/render/text/cell-width.ts'
import { type World, world } from '../support/anode.ts'
import { bodyOf, type ServedReply, serveModel } from '../support/model-server.ts'
import { anodeLine, openTerminal, type TestTerminal } from '../support/tmux.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

interface Start {
  words?: string[]
  columns?: number
  env?: Record<string, string>
  after?: string
}

/** Starts a run on a terminal against a server with these responses. */
async function start(
  replies: readonly ServedReply[],
  { words = [], columns = 80, env = {}, after = '' }: Start = {},
) {
  const server = await serveModel(replies)
  onTestFinished(() => server.close())
  const line = `${anodeLine('execute', 'go', '--model', 'openai/scripted', ...words)}${after}`
  const own = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-0123456789abcdef' }
  const home = { HOME: at.data, ANODE_DATA_DIR: at.data }
  return openTerminal(line, { cwd: at.dir, env: { ...home, ...own, ...env }, columns, rows: 60 })
}

/** Returns a promise and the function that resolves it. */
function gate() {
  const opened: { resolve?: () => void } = {}
  const until = new Promise<void>((resolve) => {
    opened.resolve = resolve
  })
  return { until, open: () => opened.resolve?.() }
}

/** Returns the rows of the run after the program has ended. */
async function ended(terminal: TestTerminal): Promise<string[]> {
  await terminal.exit()
  const rows = (await terminal.until(/tokens {2}/)).map((row) => row.trimEnd())
  // The key that started the run is above it, and a message of tmux about the ended program is below it.
  return rows.slice(
    rows.findIndex((row) => row !== ''),
    rows.findLastIndex((row) => /tokens {2}/.test(row)) + 1,
  )
}

const answer = [
  '# Heading\n\nA **bold** word in a paragraph that is too long for a row of forty cells.\n\n',
  '| name | what |\n|---|---|\n| a | first |\n\n```js\nlet a = 1\n```\n\n- one\n- two\n',
].join('')

describe.skipIf(!hasTmux)('a run on a terminal (needs tmux)', () => {
  it('draws the answer block by block while it streams', async () => {
    const { until, open } = gate()
    const whole = bodyOf({ text: answer })
    const hold = { at: whole.indexOf('name'), until }
    const terminal = await start([{ text: answer, hold }])
    const early = await terminal.until(/A bold word/)
    const shown = early.map((row) => row.trimEnd())
    expect(shown).toContain('Heading')
    expect(early.join('\n')).not.toContain('one')
    open()
    const rows = await ended(terminal)
    const from = rows.indexOf('Heading')
    expect(rows[0]).toMatch(/^\S+ {2}openai\/scripted {2}ask {2}.*\/work$/)
    expect(rows.slice(from, -2)).toEqual([
      'Heading',
      '',
      'A bold word in a paragraph that is too long for a row of forty cells.',
      '',
      '┌──────┬───────┐',
      '│ name │ what  │',
      '├──────┼───────┤',
      '│ a    │ first │',
      '└──────┴───────┘',
      '',
      '  let a = 1',
      '',
      '• one',
      '• two',
    ])
    expect(rows.at(-1)).toMatch(/^cost unknown {2}10\/5 tokens {2}0 calls {2}[\d.]+ m?s$/)
  })

  it('prints repeated text once when a response is interrupted and sent again', async () => {
    const broken: ServedReply = {
      text: answer,
      fault: { at: bodyOf({ text: answer }).indexOf('name'), how: 'reset' },
    }
    const rows = await ended(await start([broken, { text: answer }]))
    const count = (text: string) => rows.filter((row) => row.includes(text)).length
    expect([count('Heading'), count('A bold word'), count('│ name')]).toEqual([1, 1, 1])
    expect(count('interrupted, retried, 2 of 5')).toBe(1)
  })

  const calls: ServedReply = {
    text: 'I *fix* it.',
    calls: [
      { id: 'c1', name: 'read', args: { path: 'calc.py' } },
      { id: 'c2', name: 'edit_file', args: { path: 'calc.py', edits: [{ old: 'a - b', new: 'a + b' }] } },
      { id: 'c3', name: 'bash', args: { command: 'seq 1 50; exit 3' } },
      { id: 'c4', name: 'read', args: { path: 'none.py' } },
      { id: 'c5', name: 'todo_write', args: { todos: [{ content: 'Test it', status: 'in_progress' }] } },
    ],
  }

  it.each([40, 80, 120])(
    'shows at %d columns the results of calls, and at the end the changed files',
    async (columns) => {
      at.put('calc.py', 'def add(a, b):\n    return a - b\n')
      const words = ['--approval', 'unrestricted']
      const rows = await ended(await start([calls, { text: 'Done.' }], { words, columns }))
      const text = rows.join('\n')
      for (const seen of [
        /^I fix it\.$/m,
        /^✔ read +calc\.py +2 lines +[\d.]+ m?s$/m,
        /^✔ edit_file +calc\.py +\+1 -1 +[\d.]+ m?s\n {2}│ @@ -1,2 \+1,2 @@\n {2}│ {2}def add\(a, b\):\n {2}│ - {4}return a - b\n {2}│ \+ {4}return a \+ b$/m,
        /^✖ bash +seq 1 50; .* {2}exit 3 .*\n {2}… 42 more lines above\n {2}43\n/m,
        /^✖ read +none\.py .*\n {2}none\.py does not exist/m,
        /^✔ todo_write +0 of 1 done .*\n {2}● Test it$/m,
        /^Done\.\n\nM calc\.py \+1 -1\ncost unknown {2}/m,
      ])
        expect(text).toMatch(seen)
      for (const row of rows) expect(countCells(row)).toBeLessThanOrEqual(columns)
    },
  )

  it('shows a denied call with its reason, and counts it', async () => {
    const denied: ServedReply = { calls: [{ id: 'c1', name: 'bash', args: { command: 'touch none' } }] }
    const terminal = await start([denied, { text: 'No.' }])
    await terminal.until(/Esc denies/)
    terminal.press('n')
    const text = (await ended(terminal)).join('\n')
    expect(text).toMatch(/^✖ bash +touch none\n {2}you denied it/m)
    expect(text).toMatch(/0 calls, 1 denied|1 call, 1 denied/)
    expect(existsSync(join(at.dir, 'none'))).toBe(false)
  })

  it('writes no color with NO_COLOR, and no escape sequence to a dumb terminal', async () => {
    const words = ['--approval', 'unrestricted']
    const none = await start([calls, { text: answer }], { env: { NO_COLOR: '1' }, words })
    await ended(none)
    expect(none.bytes()).not.toMatch(/\u001b\[[\d;]*m/)
    const dumb = await start([calls, { text: answer }], { env: { TERM: 'dumb' }, words })
    await ended(dumb)
    expect(dumb.bytes()).not.toContain('\u001b')
  })

  it('writes unchanged Markdown to a pipe, and notices and calls to the terminal', async () => {
    at.put('calc.py', 'def add(a, b):\n    return a - b\n')
    const words = ['--approval', 'unrestricted']
    const terminal = await start([calls, { text: answer }], {
      words,
      after: ' > answer.md; cat -A answer.md',
    })
    const rows = (await terminal.until(/^- two\$/m)).map((row) => row.trimEnd())
    expect(rows).toContain('I fix it.')
    expect(rows).toContain('# Heading$')
    expect(rows).toContain('| name | what |$')
    expect(rows).not.toContain('Heading')
  })

  it('with --quiet prints only the answer, as the model wrote it', async () => {
    const terminal = await start([calls, { text: answer }], {
      words: ['--quiet', '--approval', 'unrestricted'],
    })
    await terminal.exit()
    const rows = (await terminal.until(/- two/)).map((row) => row.trimEnd())
    expect(rows.filter((row) => row !== '')[0]).toBe('# Heading')
  })
})

it('writes the answer alone to a pipe, and one plain line per call to standard error', async () => {
  const server = await serveModel([
    { text: 'I look.', calls: [{ id: 'c1', name: 'bash', args: { command: 'exit 3' } }] },
    { text: answer },
  ])
  onTestFinished(() => server.close())
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-0123456789abcdef' }
  const words = ['execute', 'go', '--model', 'openai/scripted', '--approval', 'unrestricted']
  const { code, out, err } = await at.anode(words, { env })
  expect([code, out]).toEqual([0, answer])
  expect(err.replace(/^! the context window of .*\n/, '')).toMatch(
    /^✖ bash exit 3 {2}exit 3 {2}[\d.]+ m?s\nran exit 3 \(exit 3\)\n$/,
  )
})
