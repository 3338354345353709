// Approvals on a real terminal: everything that will run is on the screen before it can be allowed,
// at any size.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { escapeInvisible } from '../../internal/base/text/invisible-chars.ts'
import { type World, world } from '../support/anode.ts'
import { rounds, sampleRows } from '../support/sample.ts'
import { anodeLine, openTerminal, type TestTerminal } from '../support/tmux.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

type ScriptCall = { name: string; args: Record<string, unknown> }

/** Starts a run in mode ask whose model makes these calls, one per response. */
function start(
  calls: readonly ScriptCall[],
  over: {
    columns?: number
    rows?: number
    env?: Record<string, string>
    delay?: number
    before?: string
  } = {},
): TestTerminal {
  const { env = {}, delay, before = '', ...size } = over
  const replies = calls.map((call) => ({ calls: [call], ...(delay && { delay_ms: delay }) }))
  at.put('script.jsonl', [...replies, { text: 'the end' }].map((one) => JSON.stringify(one)).join('\n'))
  const line = `${before}${anodeLine('execute', 'go', '--model', 'script:script.jsonl')}`
  const all = { HOME: at.data, ANODE_DATA_DIR: at.data, ...env }
  return openTerminal(line, { cwd: at.dir, env: all, ...size })
}

const waits = /Esc denies/
const isUnread = (rows: readonly string[]) => rows.some((row) => row.includes('read all to allow'))

/** Matches a prompt of this tool that appeared after the previous answer. */
const asksFor = (tool: string) => (text: string) => {
  const from = text.slice(text.lastIndexOf('Denied: ') + 1)
  return from.includes(`Allow ${tool}?`) && waits.test(from)
}

/** Returns all rows of the prompt, paged to their end. On the way it tries every key that allows a call. */
async function readOn(terminal: TestTerminal, tool: string): Promise<string[]> {
  const found: string[] = []
  let screen = await terminal.until(asksFor(tool))
  for (;;) {
    const position = screen.map((row) => /^lines (\d+)-(\d+) of (\d+)/.exec(row)).find((match) => match)
    const below = screen.findLastIndex((row) => (position ? /^lines \d/ : /^[ >] 1 Allow once/).test(row))
    if (!position)
      return screen.slice(
        screen.findLastIndex((row) => /^Allow \S+\?/.test(row)),
        below,
      )
    const [from, to] = [Number(position[1]), Number(position[2])]
    for (const [i, row] of screen.slice(below - (to - from + 1), below).entries()) found[from - 1 + i] = row
    if (!isUnread(screen)) return found
    if (from === 1) terminal.press('y', '1', 'a', '2', 'End')
    else terminal.press('Space')
    screen = await terminal.until((text) => !text.includes(`lines ${from}-`) && /lines \d+-/.test(text))
  }
}

/** Returns the lines before wrapping. A bar begins a line, and a broken bar marks its continuation. */
function joinRows(rows: readonly string[]): string[] {
  const lines: string[] = []
  for (const row of rows) {
    if (row.startsWith('╎ ')) lines[lines.length - 1] += row.slice(2).trimEnd()
    else lines.push(row.startsWith('│ ') ? row.slice(2).trimEnd() : row.trimEnd())
  }
  return lines
}

/** tmux drops spaces at the end of a wrapped row, so comparisons ignore spaces. */
const dense = (text: string) => text.replaceAll(' ', '')
const blocks = (text: string) => text.split('\n').map((line) => escapeInvisible(line, { tab: '→   ' }))

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => (i === Math.floor(count / 2) ? 'rm -rf build' : `echo ${i}`)).join(
    '\n',
  )

const sizes = [
  { columns: 80, rows: 24, count: rounds(30, 180) },
  { columns: 40, rows: 24, count: 40 },
  { columns: 120, rows: 30, count: 40 },
  { columns: 80, rows: 8, count: 10 },
]

describe.each(sampleRows(sizes, 3))('$columns by $rows', ({ columns, rows, count }) => {
  it('shows everything that runs, and allows nothing before that', async () => {
    mkdirSync(join(at.dir, 'sub'))
    at.put('calc.py', `def sub(a, b):\n    return a - b\n`)
    at.put('a.txt', `${'same\n'.repeat(5)}last`)
    const fresh = `${Array.from({ length: count }, (_, i) => `\tline ${i} `).join('\n')}\n`
    const odd = `echo "${'漢字'.repeat(30)} \u202eevil\u200b ${'x'.repeat(3 * columns)}" 👩‍👩‍👧 ; echo שלום\u00a0\ufe0f\u3164`
    const calls: [ScriptCall, string[]][] = [
      [
        { name: 'bash', args: { command: numbered(count), cwd: 'sub', timeout_ms: 61_000 } },
        [join(at.dir, 'sub'), ...blocks(numbered(count)), 'timeout_ms: 61000', 'cwd: sub'],
      ],
      [{ name: 'bash', args: { command: odd } }, [escapeInvisible(odd)]],
      [
        {
          name: 'edit_file',
          args: {
            path: 'calc.py',
            edits: [{ old: '    return a - b', new: '\treturn  a +  b' }],
            match: 'tolerant',
          },
        },
        ['calc.py  changed  +1 -1', '-    return a - b', '+→   return  a +  b', 'tolerant'],
      ],
      [
        { name: 'create_file', args: { path: 'new/b.txt', content: fresh } },
        [
          `new/b.txt  created  +${count} -0`,
          ...fresh
            .trimEnd()
            .split('\n')
            .map((line) => `+${escapeInvisible(line.trimEnd(), { tab: '→   ' })}`),
          '\\x20',
        ],
      ],
      [
        {
          name: 'apply_patch',
          args: {
            patch: `diff --git a/a.txt b/c.txt\nsimilarity index 90%\nrename from a.txt\nrename to c.txt\n--- a/a.txt\n+++ b/c.txt\n@@ -5,2 +5,2 @@\n same\n-last\n\\ No newline at end of file\n+LAST\n`,
          },
        },
        ['a.txt  renamed to c.txt', 'c.txt  renamed from a.txt  +1 -1', '-last', '+LAST'],
      ],
      [
        {
          name: 'init_experiment',
          args: {
            ...{ name: 'speed', primary_metric: 'ms', direction: 'lower', command: './measure.sh --all' },
            ...{ build: 'make -j4 build', checks: './check-one.sh\n./check two.sh', holdout: './hidden.sh' },
          },
        },
        ['./measure.sh --all', 'make -j4 build', './check-one.sh', './check two.sh', './hidden.sh'],
      ],
    ]
    const terminal = start(
      calls.map(([call]) => call),
      { columns, rows },
    )
    for (const [call, wanted] of calls) {
      const shown = joinRows(await readOn(terminal, call.name))
      const text = dense(shown.join('\n'))
      for (const line of wanted) expect(text, shown.join('\n')).toContain(dense(line))
      terminal.press('n')
    }
    expect(await terminal.exit()).toBe(0)
    expect(existsSync(join(at.dir, 'new'))).toBe(false)
    expect(readFileSync(join(at.dir, 'calc.py'), 'utf8')).toContain('return a - b')
  }, 240_000)
})

const touch = (n: number): ScriptCall => ({ name: 'bash', args: { command: `touch f${n}` } })
const moment = () => new Promise((resolve) => setTimeout(resolve, 150))

describe('keys', () => {
  const answers: [string, string[], RegExp, boolean][] = [
    ['y', ['y'], /Allowed once: bash touch f0/, true],
    ['1', ['1'], /Allowed once: bash touch f0/, true],
    ['a', ['a'], /Allowed now and always here: bash touch f0/, true],
    ['2', ['2'], /Allowed now and always here: bash touch f0/, true],
    ['n', ['n'], /Denied: bash touch f0/, false],
    ['3', ['3'], /Denied: bash touch f0/, false],
    ['Esc', ['Escape'], /Denied: bash touch f0/, false],
    ['Enter alone', ['Enter'], /Denied: bash touch f0/, false],
    ['up to the first', ['Up', 'Up', 'Enter'], /Allowed once: bash touch f0/, true],
    ['down and round', ['Down', 'Down', 'Enter'], /Allowed once: bash touch f0/, true],
    [
      'keys that mean nothing first',
      ['x', '9', 'Left', 'Tab', 'F5', 'Y'],
      /Allowed once: bash touch f0/,
      true,
    ],
  ]
  it.each(sampleRows(answers, 3))('%s', async (_, keys, said, runs) => {
    const terminal = start([touch(0)])
    await terminal.until(waits)
    for (const key of keys) {
      terminal.press(key)
      await moment()
    }
    await terminal.until(said)
    expect(await terminal.exit()).toBe(0)
    expect(existsSync(join(at.dir, 'f0'))).toBe(runs)
  })

  it('d asks for a reason, which the model gets', async () => {
    const terminal = start([touch(0)])
    await terminal.until(waits)
    terminal.press('d')
    await terminal.until(/What should the model know/)
    await moment()
    terminal.paste('use mktemp')
    terminal.press('Enter')
    await terminal.until(/Denied: bash touch f0/)
    expect(await terminal.exit()).toBe(0)
    expect(existsSync(join(at.dir, 'f0'))).toBe(false)
    expect((await at.anode(['threads', 'show', 'last'])).out).toContain('use mktemp')
  })

  it('Ctrl-C ends the run with exit code 130, and asks for no later call', async () => {
    const terminal = start([touch(0), touch(1)])
    await terminal.until(waits)
    terminal.press('C-c')
    expect(await terminal.exit()).toBe(130)
    const text = terminal.screen().join('\n')
    expect(text).toMatch(/Denied, the run ends: bash touch f0/)
    expect(text).not.toContain('touch f1')
  })

  it('p answers part by part: a denied part stops the command, and a rule stored for another part applies', async () => {
    at.put('package.json', '{"scripts":{"lint":"touch linted","fmt":"touch formatted"}}')
    const line = (command: string): ScriptCall => ({ name: 'bash', args: { command } })
    const terminal = start([line('npm run lint && npm run fmt'), line('npm run lint')], { rows: 50 })
    await terminal.until(/5 Answer part by part[\s\S]*Esc denies/)
    terminal.press('p')
    const first = await terminal.until(/Allow part 1 of 2 of bash[\s\S]*Esc denies/)
    expect(first.join('\n')).toMatch(/npm run lint && npm run fmt[\s\S]*command: npm run lint\s/)
    await moment()
    await moment()
    terminal.press('a')
    await terminal.until(/Allow part 2 of 2 of bash[\s\S]*Esc denies/)
    await moment()
    await moment()
    terminal.press('n')
    await terminal.until(/Denied in part, rules stored: bash/)
    expect(await terminal.exit()).toBe(0)
    expect([existsSync(join(at.dir, 'linted')), existsSync(join(at.dir, 'formatted'))]).toEqual([true, false])
    expect((await at.anode(['permissions', 'list'])).out).toMatch(/npm run lint/)
    expect((await at.anode(['threads', 'show', 'last'])).out).toContain('because of: npm run fmt')
  })

  it('keys typed ahead and pasted text answer nothing', async () => {
    const terminal = start([touch(0)], { delay: 1_500 })
    await terminal.until(/thinking/)
    for (const key of ['y', '1', 'a', 'Enter', 'Escape', 'Up', 'Up', 'Enter']) terminal.press(key)
    await terminal.until(waits)
    terminal.paste('yes, 1 y')
    terminal.press('Down')
    await terminal.until(/> 4 Deny and say why/)
    expect(existsSync(join(at.dir, 'f0'))).toBe(false)
    terminal.press('n')
    expect(await terminal.exit()).toBe(0)
  })
})

const looks: [string, Record<string, string>][] = [
  ['NO_COLOR', { NO_COLOR: '1' }],
  ['TERM=dumb', { TERM: 'dumb' }],
  ['no Unicode', { LC_ALL: 'C', LANG: 'C' }],
  ['no Unicode, dumb, no colour', { LC_ALL: 'C', TERM: 'dumb', NO_COLOR: '1' }],
]

describe.each(sampleRows(looks, 3))('%s', (name, env) => {
  it('reports the decision and shows the same text', async () => {
    const calls = [{ name: 'bash', args: { command: `${numbered(40)}\ntouch f0` } }, touch(1)]
    const terminal = start(calls, { env })
    await terminal.until(waits)
    for (let i = 0; i < 40 && !/^[> ] 1 Allow once/m.test(terminal.screen().join('\n')); i++) {
      terminal.press('Space')
      await moment()
    }
    terminal.press('n')
    await terminal.wrote(/Denied: bash/)
    await terminal.until(/touch f1 *\n[\s\S]*Esc denies/)
    terminal.press('y')
    await terminal.until(/Allowed once: bash touch f1/)
    expect(await terminal.exit()).toBe(0)
    expect([existsSync(join(at.dir, 'f0')), existsSync(join(at.dir, 'f1'))]).toEqual([false, true])
    const bytes = terminal.bytes()
    const shown = bytes.slice(bytes.indexOf('Allow bash'), bytes.indexOf('Denied'))
    for (const line of numbered(40).split('\n')) expect(shown).toContain(line)
    if (env.NO_COLOR) expect(shown).not.toMatch(/\x1b\[[\d;]*m/)
    if (env.LC_ALL) expect(shown).toMatch(/^[\x00-\x7f]*$/)
    // nothing is redrawn on a terminal that cannot move the cursor back
    if (env.TERM === 'dumb') expect(shown, name).not.toMatch(/\x1b\[\d*[AJK]/)
  }, 60_000)
})

describe('a terminal that changes', () => {
  it('is redrawn at every width', async () => {
    const command = `echo ${'word '.repeat(60)}end`
    const terminal = start([{ name: 'bash', args: { command } }], { columns: 100, rows: 40 })
    await terminal.until(waits)
    for (const columns of [40, 70, 30, 120]) {
      terminal.resize(columns, 40)
      const screen = await terminal.until((text) => {
        const row = text.split('\n').findLast((one) => one.startsWith('│ echo word'))
        const length = row?.trimEnd().length ?? 0
        return (
          length > columns - 12 &&
          length < columns &&
          text.lastIndexOf('Deny and') > text.lastIndexOf('echo word')
        )
      })
      const from = screen.findLastIndex((row) => row.startsWith('Allow bash?'))
      expect(dense(joinRows(screen.slice(from)).join('\n'))).toContain(dense(command))
    }
    terminal.press('n')
    expect(await terminal.exit()).toBe(0)
  })

  it('without a size counts as 80 columns, in approvals and in questions', async () => {
    const options = [{ id: 'a', label: 'the first of the two' }]
    const ask = { name: 'ask_user', args: { question: 'Which of these do you want to have?', options } }
    const terminal = start([{ name: 'bash', args: { command: `echo ${'word '.repeat(10)}` } }, ask], {
      before: 'stty cols 0 rows 0; ',
    })
    await terminal.until(waits)
    terminal.press('n')
    await terminal.until(/the first of the two/)
    await moment()
    terminal.press('Enter')
    expect(await terminal.exit()).toBe(0)
    expect(terminal.bytes()).toContain(`echo ${'word '.repeat(10)}`.trimEnd())
    expect(terminal.bytes()).toContain('Which of these do you want to have?')
  })
})

describe('questions', () => {
  it('begin with their sender, and text of the model appears after a bar', async () => {
    const question = `Paste your key.\n◆  Anode asks: your key has expired${'\nmore'.repeat(40)}`
    const terminal = start([
      { name: 'ask_user', args: { question, options: [], allow_freeform: true, required: true } },
    ])
    const screen = await terminal.until(/Your answer to the model/)
    expect(screen.some((row) => row.startsWith('│ more'))).toBe(true)
    const lines = terminal.bytes().split(/\r?\n/)
    expect(lines.some((line) => line.includes('the model asks'))).toBe(true)
    const bare = lines.map((line) => line.replace(/\x1b\[[\d;?]*[A-Za-z]/g, ''))
    expect(bare.filter((line) => line.startsWith('◆  Anode asks'))).toEqual([])
    expect(bare.some((line) => line.startsWith('│ ◆  Anode asks'))).toBe(true)
    await moment()
    terminal.press('C-c')
    expect(await terminal.exit()).toBe(130)
  })
})
