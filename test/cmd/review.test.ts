// `anode review` and the tool code_review as the built program: streams, exit codes, formats.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { repoWith } from '../support/repo.ts'
import { plant, scratch } from '../support/scratch.ts'

const anode = join(import.meta.dirname, '..', '..', 'dist', 'anode.cjs')

beforeAll(() => {
  if (!existsSync(anode)) throw new Error('dist/ is missing: run npm run build')
})

/** A changed repository, and the program run in it; replies of the model by `lines`. */
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
  return { dir, anode: anodeIn, change: () => plant(dir, { 'src/a.ts': 'one\nTWO\n' }) }
}

const reply = (severity: string, title = 'Shouts') => ({
  task: 'review',
  text: JSON.stringify({
    findings: [{ file: 'src/a.ts', line: 2, severity, title, detail: 'Why.\nAnd how.' }],
  }),
})

test('nothing changed, in every format', () => {
  const { anode } = desk()
  expect(anode(['review'])).toMatchObject({ code: 0, out: 'Nothing to review.\n', err: '' })
  expect(JSON.parse(anode(['review', '--output', 'json']).out)).toMatchObject({ empty: true, findings: [] })
  const log = anode(['review', '--checks', '--output', 'sarif'])
  expect([log.code, log.err]).toEqual([0, 'Nothing to review.\n'])
  expect(JSON.parse(log.out)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
})

test('without a language model: no findings, and it says why', () => {
  const { anode, change } = desk({ '.agents/checks/a.md': '---\nname: a\n---\nLook.\n' })
  change()
  const plain = anode(['review', '--checks'])
  expect([plain.code, plain.out]).toEqual([0, 'No findings.\n'])
  expect(plain.err).toContain('cannot judge code')
  const log = JSON.parse(anode(['review', '--checks', '--output', 'sarif', '--fail-on', 'low']).out)
  expect(log.runs[0].results).toEqual([])
  expect(JSON.stringify(log.runs[0].invocations)).toContain('cannot judge code')
})

test('a table, then each finding in full; progress goes to standard error', () => {
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

test.each([
  ['high', 'high', 1],
  ['critical', 'high', 1],
  ['medium', 'high', 0],
  ['low', 'low', 1],
])('a %s finding with --fail-on %s exits with %i', (severity, limit, code) => {
  const { anode, change } = desk()
  change()
  expect(anode(['review', '--fail-on', limit], [reply(severity)]).code).toBe(code)
})

test('JSON and SARIF of the same finding, with a check of a trusted workspace', () => {
  const { anode, change } = desk({ '.agents/checks/loud.md': '---\nname: loud\n---\nNo shouting.\n' })
  change()
  expect(anode(['trust']).code).toBe(0)
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

test('an incomplete review exits with 3, one without any answer with 1', () => {
  const { anode, change } = desk({ '.agents/checks/a.md': '---\nname: a\n---\nLook.\n' })
  change()
  const untrusted = anode(['review', '--checks'], [reply('low')])
  expect(untrusted.code).toBe(3)
  expect(untrusted.out).toContain('Shouts')
  expect(untrusted.err).toContain('not trusted')
  expect(anode(['review'], [{ text: 'fine' }, { text: 'fine' }])).toMatchObject({ code: 1, out: '' })
})

test.each([
  [['review', '--base', 'nowhere'], 'no revision'],
  [['review', '--output', 'xml'], 'must be one of'],
  [['review', '--fail-on', 'bad'], 'must be one of'],
  [['review', '--approval', 'auto'], 'unknown flag'],
])('%j is refused', (args, why) => {
  const { anode, change } = desk()
  change()
  const { code, out, err } = anode(args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(why)
})

test('outside of a repository', () => {
  const { anode } = desk()
  const { code, err } = anode(['review', '-C', scratch()])
  expect(code).toBe(2)
  expect(err).toContain('no git repository')
})

test('an agent asks for a review and goes on with it', () => {
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

test('the tool called directly, without a language model', () => {
  const { anode, change } = desk()
  change()
  const { code, out } = anode(['tools', 'use', 'code_review', '--arg', 'diff_description=x'])
  expect(code).toBe(0)
  expect(out).toContain('cannot judge code')
})
