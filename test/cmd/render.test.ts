// `anode render` as a program: sources, exit codes, pipes, a pseudo terminal, JSON, full disks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRows } from '../support/sample.ts'

const anode = join(import.meta.dirname, '..', '..', 'dist', 'anode.cjs')
const dir = mkdtempSync(join(tmpdir(), 'anode-render-'))
const card = {
  root: 'c',
  elements: {
    c: { type: 'Card', props: { title: 'Health' }, children: ['s'] },
    s: { type: 'StatusLine', props: { text: 'API 漢字', status: 'success' }, children: [] },
  },
}

beforeAll(() => {
  if (!existsSync(anode)) throw new Error('dist/ is missing: run npm run build')
  writeFileSync(join(dir, 'ok.json'), JSON.stringify(card))
  const script = `#!/bin/sh\nexec "${process.execPath}" "${anode}" "$@"\n`
  writeFileSync(join(dir, 'anode'), script, { mode: 0o755 })
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Extra {
  input?: string | Buffer
  env?: Record<string, string>
}

function run(args: string[], { input = '', env = {} }: Extra = {}) {
  const done = spawnSync(process.execPath, [anode, ...args], {
    cwd: dir,
    input,
    env: { PATH: process.env['PATH'], HOME: dir, ...env },
    maxBuffer: 1 << 28,
  })
  return { code: done.status, out: done.stdout.toString(), err: done.stderr.toString() }
}

/** Runs a shell command. `anode` is the program. */
function shell(line: string) {
  const done = spawnSync('bash', ['-c', line], {
    cwd: dir,
    env: { PATH: `${dir}:${process.env['PATH']}`, HOME: dir, TERM: 'xterm-256color' },
  })
  return { code: done.status, out: done.stdout.toString(), err: done.stderr.toString() }
}

/** The next step after input that is not a spec. */
const unread = 'anode manual render explains specs; anode render -f FILE reads one\n'
const drawn = ['╭─ Health ─────────╮', '│ ✔ API 漢字       │', '╰──────────────────╯', ''].join('\n')

test.each(
  sampleRows(
    [
      ['a file', ['-f', 'ok.json'], ''],
      ['standard input', [], JSON.stringify(card)],
      ['standard input by name', ['-f', '-'], JSON.stringify(card)],
      ['an argument', ['--spec', JSON.stringify(card)], ''],
      ['the argument of --json', ['--json', JSON.stringify(card)], ''],
      ['a file named by an argument', ['--spec', '@ok.json'], ''],
      ['a file named by --json', ['--json', '@ok.json'], ''],
      ['a byte order mark', [], `\ufeff${JSON.stringify(card)}`],
    ],
    2,
  ),
)('the spec from %s', (_, args, input) => {
  expect(run(['render', '--width', '20', ...args], { input })).toEqual({ code: 0, out: drawn, err: '' })
})

test('the example of the manual', () => {
  const spec =
    '{"root":"c","elements":{"c":{"type":"Card","props":{"title":"Health"},"children":["s"]},"s":{"type":"StatusLine","props":{"text":"API","status":"success"},"children":[]}}}'
  expect(run(['render', '--ascii', '--json', spec, '--width', '24']).out).toBe(
    '+- Health -------------+\n| [ok] API             |\n+----------------------+\n',
  )
})

test('errors go to standard error, one a line, and nothing to standard output', () => {
  const loop =
    '{"root":"a","elements":{"a":{"type":"Box","props":{},"children":["b"]},"b":{"type":"Box","props":{},"children":["a"]}}}'
  expect(run(['render', '--json', loop])).toEqual({
    code: 1,
    out: '',
    err: 'error cycle at elements.a.children[0]: a -> b -> a\n',
  })
  expect(run(['render'], { input: '{"root":"a",\n}' })).toEqual({
    code: 1,
    out: '',
    err: `error bad_json: line 2, column 1: unexpected "}"\n${unread}`,
  })
  expect(run(['render'], { input: Buffer.from([0x22, 0xff, 0x22]) }).err).toBe(
    `error bad_json: not UTF-8 from byte 1 on\n${unread}`,
  )
})

test('warnings go to standard error, the lines are drawn', () => {
  const spec = '{"root":"a","elements":{"a":{"type":"ProgressBar","props":{"progress":2,"width":3}}}}'
  expect(run(['render', '--spec', spec])).toEqual({
    code: 0,
    out: '███ 100%\n',
    err: 'warning clamped at elements.a.props.progress: 2 was taken as 1\n',
  })
  expect(run(['render', '--check', '--spec', spec])).toMatchObject({ code: 0, out: '' })
})

test.each(
  sampleRows(
    [
      [['--wdth', '3'], /unknown flag --wdth, did you mean --width/],
      [['--width', '19', '-f', 'ok.json'], /whole number from 20 to 500/],
      [['--width', '501', '-f', 'ok.json'], /whole number from 20 to 500/],
      [['--width', '30.5', '-f', 'ok.json'], /whole number/],
      [['--color', 'maybe', '-f', 'ok.json'], /--color must be one of/],
      [['-f', 'gone.json'], /cannot read gone\.json: the file does not exist/],
      [['-f', '.'], /cannot read \.: it is a folder/],
      [['--spec', '@gone.json'], /cannot read gone\.json/],
      [['--json', 'x'], /--json takes an object or @FILE/],
      [['--spec', '{}', '-f', 'ok.json'], /give one of/],
      [['word'], /unexpected word: word/],
    ],
    3,
  ),
)('usage: %j', (args, message) => {
  const { code, out, err } = run(['render', ...args])
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(message)
})

/** `script -qec` of util-linux gives a command a pseudo terminal. */
const hasScript = process.platform === 'linux'

test.runIf(hasScript)('a terminal as standard input is a usage error', () => {
  const { out } = shell(`script -qec 'anode render; echo code $?' /dev/null`)
  expect(out).toMatch(/the spec is missing[\s\S]*code 2/)
})

test('JSON output contains lines, problems and the spec, and --json alone selects it', () => {
  for (const args of [['--output', 'json'], ['--json']]) {
    const { code, out } = run(['render', '-f', 'ok.json', '--width', '20', ...args])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      ok: true,
      errors: [],
      warnings: [],
      lines: drawn.trimEnd().split('\n'),
      render_spec: card,
    })
  }
  const bad = run(['render', '--output', 'json'], { input: '{"root":1,"elements":{}}' })
  expect(bad.code).toBe(1)
  expect(JSON.parse(bad.out)).toMatchObject({
    ok: false,
    errors: [{ code: 'missing_root' }],
    lines: [],
    render_spec: { root: 1, elements: {} },
  })
  expect(JSON.parse(run(['render', '--output', 'json'], { input: 'x' }).out)).toMatchObject({
    render_spec: null,
  })
})

test('JSON output has no control character of the data either, and says the same', () => {
  const text = 'a\x1b[31m\x9b\u202e\u2028\x7fb'
  const spec = { root: 'a', elements: { a: { type: 'Text', props: { text } } } }
  const { out } = run(['render', '--output', 'json'], { input: JSON.stringify(spec) })
  expect(out.trimEnd()).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
  expect(JSON.parse(out).render_spec).toEqual(spec)
})

test('a spec nested deeper than JSON.stringify goes comes back as text', () => {
  const deep = `{"root":"a","elements":{"a":{"type":"List","props":{"items":${'['.repeat(20_000)}${']'.repeat(20_000)}}}}}`
  const { code, out } = run(['render', '--output', 'json'], { input: deep })
  expect(code).toBe(1)
  expect(out).toContain('"too_deep"')
  expect(out).toContain(deep)
})

test('no escape byte in a pipe unless asked for', () => {
  expect(run(['render', '-f', 'ok.json']).out).not.toContain('\x1b')
  expect(run(['render', '-f', 'ok.json'], { env: { FORCE_COLOR: '1' } }).out).toContain('\x1b[32m✔')
  expect(run(['render', '-f', 'ok.json', '--color', 'always']).out).toContain('\x1b[32m✔')
})

test.runIf(hasScript)('uses colors on a terminal, and no escape byte with NO_COLOR', () => {
  expect(shell(`script -qec 'NO_COLOR=1 anode render -f ok.json' /dev/null`).out).not.toContain('\x1b')
  const colored = shell(`script -qec 'anode render -f ok.json' /dev/null`).out
  expect(colored).toContain('\x1b[32m✔')
  expect(colored.replace(/\x1b\[[\d;]*m/g, '')).not.toContain('\x1b')
})

test('the width of the terminal, of COLUMNS, and 80 without either', () => {
  const first = (env: Record<string, string>) =>
    [...(run(['render', '-f', 'ok.json'], { env }).out.split('\n')[0] ?? '')].length
  expect([first({}), first({ COLUMNS: '50' }), first({ COLUMNS: '7' })]).toEqual([80, 50, 80])
})

test('ASCII by flag, by locale, and by terminal', () => {
  const surroundings: Record<string, string>[] = [{ LC_ALL: 'C' }, { TERM: 'linux' }]
  for (const env of surroundings) {
    expect(run(['render', '-f', 'ok.json'], { env }).out).toContain('[ok] API 漢字')
  }
})

test('plain text', () => {
  expect(run(['render', '-f', 'ok.json', '--plain']).out).toBe('Health\nAPI 漢字: success\n')
})

test('long tables: cut with a note, whole on request, right borders in one column', () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    a: `row ${i}`,
    b: i % 2 ? '漢字の仕事' : 'work',
    c: 'x'.repeat(40),
    d: String(i),
  }))
  const columns = ['a', 'b', 'c', 'd'].map((key) => ({ header: key, key }))
  const input = JSON.stringify({ root: 't', elements: { t: { type: 'Table', props: { columns, rows } } } })
  const cut = run(['render', '--width', '40'], { input })
  expect(cut.out.split('\n')).toHaveLength(4 + 121 + 1)
  expect(cut.err).toMatch(/^warning truncated_rows at elements\.t: 4,880 of 5,000 rows/)
  const whole = run(['render', '--width', '40', '--all'], { input })
  expect(whole.err).toBe('')
  const lines = whole.out.trimEnd().split('\n')
  expect(lines).toHaveLength(5004)
  // each wide character of these rows is one code unit that takes two cells
  const cells = (line: string) => line.length + (line.match(/[\u3040-\u9fff]/g)?.length ?? 0)
  expect(new Set(lines.map(cells))).toEqual(new Set([40]))
})

test('a closed pipe ends quietly', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ a: `row ${i}` }))
  const spec = {
    root: 't',
    elements: { t: { type: 'Table', props: { columns: [{ header: 'a', key: 'a' }], rows } } },
  }
  writeFileSync(join(dir, 'long.json'), JSON.stringify(spec))
  const { out, err } = shell('anode render -f long.json --all | head -1; echo $PIPESTATUS')
  expect(out).toBe('┌───────────┐\n0\n')
  expect(err).toBe('')
})

test.runIf(existsSync('/dev/full'))('reports a full disk in one line, with exit code 1', () => {
  const { out, err } = shell('anode render -f ok.json > /dev/full; echo $?')
  expect(out).toBe('1\n')
  expect(err).toMatch(/^anode: the output could not be written: .*no space left.*\n$/i)
})

test('more than can be read', () => {
  const { code, err } = run(['render'], { input: ' '.repeat(21 * 1024 * 1024) })
  expect([code, err]).toEqual([1, 'error too_large: more than 20971520 bytes of JSON\n'])
})

test('both tools through tools use', () => {
  const shown = run(['tools', 'use', 'render', '--output', 'json', '--json', '@ok.json'])
  expect(JSON.parse(shown.out)).toMatchObject({ ok: true, data: { render_spec: card, errors: [] } })
  const bars = run([
    'tools',
    'use',
    'chart',
    '--json',
    '{"type":"bar","data":{"a":-3,"b":2,"c":0.1},"width":20}',
  ])
  expect(bars).toMatchObject({
    code: 0,
    out: 'a ████████████          -3\nb             ████████   2\nc             ▍        0.1\n',
  })
  expect(
    run(['tools', 'use', 'chart', '--arg', 'type=bar', '--arg-json', 'data={"p50":12,"p95":45}']).code,
  ).toBe(0)
  expect(run(['tools', 'use', 'chart', '--json', '{"type":"bar","data":{}}'])).toMatchObject({
    code: 0,
    out: '(no data)\n',
  })
  expect(run(['tools', 'use', 'chart', '--json', '{"type":"bar"}']).code).toBe(2)
  expect(run(['tools', 'use', 'render', '--json', '{"root":"x","elements":{}}']).code).toBe(1)
})

test('an image of a spec and one of terminal output contain the words and colors', () => {
  const spec = JSON.stringify(card)
  const image = run(['render', '--output', 'svg', '--spec', spec, '--title', 'anode <render>'])
  expect(image).toMatchObject({ code: 0, err: '' })
  expect(image.out).toMatch(/^<svg [^>]*>[\s\S]*<\/svg>\n$/)
  for (const words of ['Health', 'API', '漢字', 'anode &lt;render&gt;', 'fill="#3fb950"'])
    expect(image.out).toContain(words)
  expect(run(['render', '--output', 'svg', '--color', 'never', '--spec', spec]).out).not.toContain('#3fb950')
  expect(run(['render', '--output', 'svg', '--ascii', '--spec', spec]).out).toContain('[ok]')
  const printed = run(['render', '--color', 'always', '--spec', spec]).out
  const screen = run(['render', '--screen', '--output', 'svg'], { input: `\x1b[H${printed}` })
  expect(screen.out).toBe(run(['render', '--output', 'svg', '--spec', spec, '--width', '80']).out)
})

test.each([
  [['--output', 'svg', '--json'], 2, /^anode: --json and --output svg exclude each other/],
  [['--title', 'x', '-f', 'ok.json'], 2, /^anode: --title needs --output svg/],
  [['--screen', '-f', 'ok.json'], 2, /^anode: --screen needs --output svg/],
  [['--screen', '--output', 'svg', '-f', 'long.txt'], 2, /at most 5,000 lines, got 5,001 lines/],
  [['--output', 'svg', '--spec', '{'], 1, /^error bad_json/],
])('rejects an image for %j', (args, code, message) => {
  writeFileSync(join(dir, 'long.txt'), 'x\n'.repeat(5001))
  const done = run(['render', ...args])
  expect(done).toMatchObject({ code, out: '' })
  expect(done.err).toMatch(message)
})

test.each([
  ['Badge', { label: 'fine' }],
  ['Metric', { label: 'fine', value: '12', trend: 'up' }],
  ['BarChart', { data: [{ label: 'fine', value: 3 }] }],
  ['Sparkline', { data: [1, 2, 3], label: 'fine' }],
  ['ProgressBar', { progress: 0.5, label: 'fine' }],
  ['Table', { columns: [{ header: 'fine', key: 'a' }], rows: [{ a: 'x' }] }],
  ['Timeline', { items: [{ title: 'fine' }] }],
  ['Callout', { content: 'fine' }],
])('%s is drawn as an image', (type, props) => {
  const spec = JSON.stringify({ root: 'a', elements: { a: { type, props, children: [] } } })
  expect(run(['render', '--output', 'svg', '--spec', spec])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^<svg [\s\S]*>[^<]*fine[^<]*<\/text>/),
  })
})
