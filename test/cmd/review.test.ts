// `anode review` and the tool code_review as the built program: streams, exit codes, formats.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { grantTrust } from '../../internal/trust/trust.ts'
import { repoWith } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'
import { plant, scratch } from '../support/scratch.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

const anode = join(import.meta.dirname, '..', '..', 'dist', 'anode.cjs')

beforeAll(() => {
  if (!existsSync(anode)) throw new Error('dist/ is missing: run npm run build')
})

/**
 * Returns a changed repository and a function that runs the program in it. `lines` are the responses
 * of the model.
 */
function desk(files: Record<string, string> = {}) {
  const dir = repoWith({ 'src/a.ts': 'one\ntwo\n', ...files })
  const home = scratch()
  const anodeIn = (args: readonly string[], lines?: readonly object[]) => {
    const script = join(home, 'script.jsonl')
    if (lines) writeFileSync(script, lines.map((line) => JSON.stringify(line)).join('\n'))
    const model = lines ? ['--model', `script:${script}`] : []
    const done = spawnSync(process.execPath, [anode, ...args, ...model], {
      cwd: dir,
      encoding: 'utf8',
      input: '',
      env: { PATH: process.env['PATH'], HOME: home },
    })
    return { code: done.status, out: done.stdout, err: done.stderr }
  }
  return { dir, home, anode: anodeIn, change: () => plant(dir, { 'src/a.ts': 'one\nTWO\n' }) }
}

const reply = (severity: string, title = 'Shouts') => ({
  task: 'review',
  text: JSON.stringify({
    findings: [{ file: 'src/a.ts', line: 2, severity, title, detail: 'Why.\nAnd how.' }],
  }),
})

test('reports no changes, in every format', () => {
  const { anode } = desk()
  const model = ['--model', 'builtin/extract']
  expect(anode(['review', ...model])).toMatchObject({ code: 0, out: 'Nothing to review.\n', err: '' })
  expect(JSON.parse(anode(['review', '--output', 'json', ...model]).out)).toMatchObject({
    empty: true,
    findings: [],
  })
  const log = anode(['review', '--checks', '--output', 'sarif', ...model])
  expect([log.code, log.err]).toEqual([0, 'Nothing to review.\n'])
  expect(JSON.parse(log.out)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
})

test('exits with code 2 without a model, also when nothing has changed', () => {
  const { anode, change } = desk({ '.agents/checks/a.md': '---\nname: a\n---\nLook.\n' })
  expect(anode(['review', '--fail-on', 'high'])).toMatchObject({ code: 2, out: '' })
  change()
  for (const more of [[], ['--checks'], ['--output', 'json'], ['--fail-on', 'high'], ['--stream-json']]) {
    const { code, out, err } = anode(['review', ...more])
    expect([code, out]).toEqual([2, ''])
    expect(err.match(/no model is configured/g)).toHaveLength(1)
    expect(err).toContain('anode login')
  }
})

test('fails with a model that cannot judge, and never prints "No findings."', () => {
  const { anode, change } = desk({ '.agents/checks/a.md': '---\nname: a\n---\nLook.\n' })
  change()
  const extract = ['--model', 'builtin/extract']
  const plain = anode(['review', '--checks', ...extract])
  expect([plain.code, plain.out]).toEqual([1, ''])
  expect(plain.err).toContain('cannot judge code')
  const log = JSON.parse(anode(['review', '--checks', '--output', 'sarif', ...extract]).out)
  expect(log.runs[0].results).toEqual([])
  expect(JSON.stringify(log.runs[0].invocations)).toContain('cannot judge code')
})

test('prints a table, then each finding in full, and progress on standard error', () => {
  const { anode, change } = desk()
  change()
  const { code, out, err } = anode(['review', 'loud', 'names'], [reply('high', 'Shouts \u001b[31mloud')])
  expect(code).toBe(0)
  expect(out).toBe(
    [
      '┌──────────┬────────────┬───────┬─────────────┐',
      '│ SEVERITY │ PLACE      │ CHECK │ TITLE       │',
      '├──────────┼────────────┼───────┼─────────────┤',
      '│ high     │ src/a.ts:2 │ —     │ Shouts loud │',
      '└──────────┴────────────┴───────┴─────────────┘',
      '',
      'src/a.ts:2 Shouts loud',
      '  Why.',
      '  And how.',
      '',
    ].join('\n'),
  )
  expect(err).toMatch(/^> review {2}sess_\w+\n✔ review {2}done/)
  expect(anode(['review', '--quiet'], [reply('high')]).err).toBe('')
})

test.each(
  sampleRows(
    [
      ['high', 'high', 1],
      ['critical', 'high', 1],
      ['medium', 'high', 0],
      ['low', 'low', 1],
    ],
    2,
  ),
)('a %s finding with --fail-on %s exits with %i', (severity, limit, code) => {
  const { anode, change } = desk()
  change()
  expect(anode(['review', '--fail-on', limit], [reply(severity)]).code).toBe(code)
})

test('prints JSON and SARIF of the same finding, with a check of a trusted workspace', async () => {
  const { anode, change, dir, home } = desk({
    '.agents/checks/loud.md': '---\nname: loud\n---\nNo shouting.\n',
  })
  change()
  await grantTrust(dir, join(home, '.local', 'share', 'anode'))
  const lines = [
    { task: 'review', text: '{"findings": []}' },
    { ...reply('low'), task: 'check loud' },
  ]
  const json = anode(['review', '--checks', '--output', 'json'], lines)
  expect(JSON.parse(json.out)).toMatchObject({
    end: 'done',
    findings: [{ file: 'src/a.ts', line: 2, severity: 'low', check: 'loud' }],
  })
  const log = JSON.parse(anode(['review', '--checks-only', '--output', 'sarif'], lines).out)
  expect(log.runs[0].results[0]).toMatchObject({ ruleId: 'check/loud', level: 'note' })
})

test('an incomplete review exits with code 3, a review without any answer with code 1', () => {
  const { anode, change } = desk({ '.agents/checks/a.md': '---\nname: a\n---\nLook.\n' })
  change()
  const untrusted = anode(['review', '--checks'], [reply('low')])
  expect(untrusted.code).toBe(3)
  expect(untrusted.out).toContain('Shouts')
  expect(untrusted.err).toContain('not trusted')
  expect(anode(['review'], [{ text: 'fine' }, { text: 'fine' }])).toMatchObject({ code: 1, out: '' })
})

test.each(
  sampleRows(
    [
      [['review', '--base', 'nowhere', '--model', 'builtin/extract'], 'not a revision'],
      [['review', '--output', 'xml'], 'must be one of'],
      [['review', '--fail-on', 'bad'], 'must be one of'],
      [['review', '--approval', 'never'], 'must be one of'],
      [['review', '--stream-json', '--output', 'json'], 'exclude each other'],
      [['review', '--allow-tool', 'raed'], 'did you mean read'],
    ],
    2,
  ),
)('rejects %j', (args, why) => {
  const { anode, change } = desk()
  change()
  const { code, out, err } = anode(args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(why)
})

test('fails outside of a repository', () => {
  const { anode } = desk()
  const { code, err } = anode(['review', '-C', scratch(), '--model', 'builtin/extract'])
  expect(code).toBe(2)
  expect(err).toContain('not a git repository')
})

test('an agent requests a review and continues with its result', () => {
  const { anode, change } = desk()
  change()
  const args = { diff_description: 'shouting', files: ['src/a.ts'] }
  const { code, out } = anode(
    ['execute', 'review it', '--stream-json'],
    [{ calls: [{ name: 'code_review', args }] }, { text: 'It shouts.' }, reply('medium')],
  )
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const result = events.find(({ type }) => type === 'tool.result')
  expect(result.payload).toMatchObject({ tool: 'code_review', ok: true })
  expect(result.payload.text).toContain('medium  src/a.ts:2  Shouts')
  expect(events.filter(({ type }) => type.startsWith('child.'))).toHaveLength(2)
})

test('runs the tool in a direct call, without a language model', () => {
  const { anode, change } = desk()
  change()
  const { code, err } = anode(['tools', 'use', 'code_review', '--arg', 'diff_description=x'])
  expect(code).toBe(2)
  expect(err).toContain('no model is configured')
})

test('--stream-json prints subagents as events, and the review once, last', () => {
  const { anode, change } = desk()
  change()
  const { code, out } = anode(['review', '--stream-json', '--approval', 'auto'], [reply('high')])
  expect(code).toBe(0)
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type)).toEqual(['child.started', 'child.ended', 'run.ended'])
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(events[2]).toMatchObject({
    status: 'done',
    payload: { end: 'done', findings: [{ severity: 'high' }] },
  })
})

test.skipIf(spawnSync('tmux', ['-V']).status !== 0).each([40, 80])(
  'on a terminal of %d columns shows a finding with its code, within the width (needs tmux)',
  async (columns) => {
    const { dir, home, change } = desk({ 'src/a.ts': 'one\ntwo\nthree\n' })
    change()
    const detail =
      'Why it matters is told at a length that no row holds. ' +
      `${'And so on. '.repeat(8)}\n\nAnd \u001b[2Jhow.`
    const finding = { file: 'src/a.ts', line: 2, severity: 'high', title: 'Shouts', detail }
    const script = join(home, 'script.jsonl')
    writeFileSync(script, JSON.stringify({ task: 'review', text: JSON.stringify({ findings: [finding] }) }))
    const line = anodeLine('review', '--model', `script:${script}`)
    const terminal = openTerminal(line, { cwd: dir, env: { HOME: home }, columns, rows: 60 })
    expect(await terminal.exit()).toBe(0)
    const rows = (await terminal.until(/And how\./)).map((row) => row.trimEnd())
    expect(rows.join('\n')).toMatch(/^src\/a\.ts:2 Shouts\n {4}1 {2}one\n {2}▸ 2 {2}TWO\n {2}Why it matters/m)
    const words = rows.slice(rows.indexOf('src/a.ts:2 Shouts')).join(' ').replace(/ +/g, ' ')
    expect(words).toContain(
      `Why it matters is told at a length that no row holds. ${'And so on. '.repeat(8)}And how.`,
    )
  },
)
