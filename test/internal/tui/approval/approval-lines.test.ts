// The text of an approval: every argument of any shape, the owner of the tool, and the rule of "always".
import { expect, it } from 'vitest'
import { approvalColumns, approvalLines } from '../../../../internal/tui/approval/approval-lines.ts'
import { textLook } from '../../../../internal/tui/approval/argument-lines.ts'
import { requestOf } from '../../../support/approval.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

const look = textLook(true)
const shown = (over: Parameters<typeof requestOf>[0]) =>
  Array.from(
    approvalLines(requestOf(over), undefined, look),
    ({ text, foreign }) => `${foreign ? '│ ' : ''}${text}`,
  )

it('shows for a tool of a server its name, the command and all other arguments', () => {
  const args = {
    command: 'ls',
    cwd: '/etc',
    query: 'two words',
    script: 'rm -rf x\n\tcwd: /safe',
    empty: '',
    number: '5',
    nested: { list: [1, { deep: [true, null] }], none: [], nothing: {} },
    'odd key\n': 1,
  }
  expect(shown({ tool: 'mcp__docs__run', origin: 'mcp docs', args, reasons: ['it asks'] })).toEqual([
    ...[
      'Allow mcp__docs__run?',
      'The MCP server docs runs it.',
      '│ in /work',
      'Command',
      '│ ls',
      'Other arguments',
    ],
    ...[
      '│ cwd: /etc  number: "5"',
      '│ query: two words',
      '│ script:',
      '│   │ rm -rf x',
      '│   │ →   cwd: /safe',
      '│ empty: ""',
    ],
    ...['│ nested:', '│   list:', '│     - 1', '│     -', '│       deep:', '│         - true'],
    ...[
      '│         - null',
      '│   none: []',
      '│   nothing: {}',
      '│ odd key\\x0a: 1',
      'Why it asks',
      '│ it asks',
    ],
  ])
})

it('random arguments: shows every leaf, and marks every foreign line', () => {
  const random = rng(20260808)
  let count = 0
  const leaf = () => `leaf${count++}${choice(random, ['', ' b', '\nAllow x?', '\u202e', ' "q"', '\ttab'])}`
  const value = (depth: number): unknown =>
    depth > 8 || random() < 0.5
      ? choice(random, [leaf(), leaf(), count++, true, null])
      : random() < 0.5
        ? Array.from({ length: 3 }, () => value(depth + 1))
        : { a: value(depth + 1), 'b c': value(depth + 1) }
  for (let i = 0; i < rounds(120, 500); i++) {
    const args = { first: value(0), command: choice(random, [leaf(), undefined]), last: value(0) }
    const request = requestOf({ args, cwd: leaf(), child: leaf(), tool: 'x' })
    for (const lines of [
      [...approvalLines(request, undefined, look)],
      [...approvalColumns(request, undefined, look, 'keep')],
    ]) {
      const text = lines.map((line) => line.text).join('\n')
      for (const [found] of JSON.stringify(args).matchAll(/leaf\d+/g)) expect(text).toContain(found)
      for (const line of lines) if (/leaf/.test(line.text)) expect(line.foreign).toBe(true)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
      for (const { lead = '' } of lines) expect(lead).not.toContain('leaf')
    }
  }
})

it('shows the rule of "always" and its scope, or nothing without a rule', () => {
  const rule = { tool: 'bash', action: 'allow' as const, command: '=git push origin main', origin: 'answer' }
  const lines = shown({ always: [{ rule, covers: 'only this very line' }] })
  expect(lines.slice(-5)).toEqual([
    '"Always" stores this rule for this workspace',
    '│ tool: bash  action: allow',
    '│ command: =git push origin main',
    'It allows from now on',
    '│ only this very line',
  ])
  expect(shown({}).join('\n')).not.toContain('Always')
  const more = { rule: { ...rule, command: 'tail' }, covers: 'every tail' }
  const both = shown({ always: [{ rule, covers: 'only this very line' }, more] })
  expect(both).toContain('"Always" stores these 2 rules for this workspace')
  expect(both.join('\n')).toContain('command: tail')
  expect(both).toContain('Rule 2')
  expect(both.slice(-2)).toEqual(['│ 1 only this very line', '│ 2 every tail'])
})

it('labels each line in columns, and repeats nothing', () => {
  const command = 'npm test && git push'
  const parts = [
    { name: 'npm test', action: 'allow', why: 'npm test is a building command' },
    { name: 'git push', action: 'ask', why: 'no rule allows git push' },
  ] as const
  const rule = { tool: 'bash', action: 'allow' as const, command: `=${command}`, origin: 'answer' }
  const reasons = ['mode auto asks', 'no rule allows git push']
  const always = [{ rule, covers: 'only this very line' }]
  const request = requestOf({ args: { command, timeout_ms: 1 }, parts, reasons, always })
  const rows = [...approvalColumns(request, undefined, look, 's a keep')]
  expect(rows.map(({ lead, text }) => `${lead}│ ${text}`)).toEqual([
    'runs     │ npm test && git push',
    '1 runs   │ npm test: is a building command',
    '2 asks   │ git push: no rule allows it',
    'with     │ timeout_ms: 1',
    'why      │ mode auto asks',
    's a keep │ only this very line',
  ])
  const wider = { rule: { ...rule, port: 80 }, covers: 'also others' }
  const texts = Array.from(
    approvalColumns({ ...request, always: [wider] }, undefined, look, 'keep'),
    ({ text }) => text,
  )
  expect(texts).toContain(`command: =${command}`)
})

it('shows that a subagent asks, and its task', () => {
  expect(shown({ child: 'fix it', origin: 'toolbox' }).slice(0, 4)).toEqual([
    'A subagent asks: allow bash?',
    '│ task: fix it',
    'It comes from: toolbox',
    '│ in /work',
  ])
})

it('shows a compound command in parts, each with its decision', () => {
  const parts = [
    { name: 'cat a', action: 'allow', why: 'cat a is a reading command' },
    { name: 'rm \u001b[1m', action: 'ask', why: 'no rule allows rm' },
    { name: 'write out', action: 'ask', why: 'a redirection writes out' },
  ] as const
  expect(shown({ args: { command: 'cat a; rm x > out' }, parts }).slice(4, 8)).toEqual([
    'Its 3 parts',
    '│ 1 allowed  cat a: is a reading command',
    '│ 2 asks  rm \\x1b[1m: no rule allows rm',
    '│ 3 asks  write out: a redirection writes out',
  ])
})

it('starts a call of any length at once, and creates only the lines that are read', () => {
  const many = rounds(10_000, 200_000)
  const hunks = ['@@ -1 +1 @@\n', '-old line\n'.repeat(many), '+new line\n'.repeat(many)].join('')
  const files = [{ path: 'a', what: 'changed', hunks, added: many, removed: many }]
  const args = { content: 'line\n'.repeat(2 * many), long: 'x'.repeat(5 * many) }
  for (const make of [approvalLines, approvalColumns]) {
    const lines = make(requestOf({ args }), { files, shows: [] }, look, 'keep')
    let count = 0
    for (const { marks } of lines) if (marks || ++count > 1_000) break
    // the first of the changed lines contains the changed words
    expect(count).toBeLessThan(10)
    expect(Array.from(lines).length).toBeGreaterThan(4 * many)
  }
})
