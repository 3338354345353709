// Calls in the names and forms of other agents come out as the tool declares them.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { isObject } from '../../../internal/base/untrusted-json.ts'
import { adaptArguments } from '../../../internal/tool/argument-aliases.ts'
import { canonicalToolName } from '../../../internal/tool/catalog.ts'
import { metaOf } from '../../../internal/tool/field.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'
import type { Tool } from '../../../internal/tool/tool.ts'
import { nativeTools } from '../../../internal/tools/index.ts'
import { rng } from '../../support/rng.ts'

const tools = new Map<string, Tool>()
for (const [name, load] of Object.entries(nativeTools)) tools.set(name, await load())

function read(calledAs: string, raw: unknown) {
  const tool = tools.get(canonicalToolName(calledAs)) as Tool
  const { args, notes } = adaptArguments(tool, calledAs, raw)
  const parsed = parseArguments(tool.input, args)
  return parsed.ok
    ? { args: parsed.args, notes: [...notes, ...parsed.notes] }
    : { issues: parsed.issues, notes }
}

/** Tool, arguments as another agent writes them, the arguments that are meant. */
const calls: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['read', { file_path: 'a', offset: 10, limit: 5 }, { path: 'a', start_line: 10, end_line: 14 }],
  ['read', { filePath: 'a', offset: '0', limit: '3' }, { path: 'a', start_line: 1, end_line: 3 }],
  ['read', { path: 'a', limit: 20 }, { path: 'a', start_line: 1, end_line: 20 }],
  ['read', { path: 'a', offset: null, limit: null }, { path: 'a', start_line: 1 }],
  ['read', { path: 'a', offset: 7 }, { path: 'a', start_line: 7 }],
  ['read', { path: 'a', read_range: '2-3' }, { path: 'a', read_range: [2, 3] }],
  ['read', { path: 'a', view_range: [4, -1] }, { path: 'a', read_range: [4] }],
  ['read', { path: 'a', read_range: '[2, 3]' }, { path: 'a', read_range: [2, 3] }],
  [
    'read',
    { target_file: 'a', start_line_one_indexed: 2, end_line_one_indexed_inclusive: 4 },
    { path: 'a', start_line: 2, end_line: 4 },
  ],
  [
    'multi_read',
    { files: ['a', 'b'], offset: 2, limit: 2 },
    { paths: ['a', 'b'], start_line: 2, end_line: 3 },
  ],
  ['multi_read', { paths: 'a.ts' }, { paths: ['a.ts'] }],
  [
    'edit_file',
    { file_path: 'a', old_string: 'x', new_string: 'y' },
    { path: 'a', old_str: 'x', new_str: 'y' },
  ],
  ['edit_file', { path: 'a', oldText: 'x', newText: 'y' }, { path: 'a', old_str: 'x', new_str: 'y' }],
  [
    'edit_file',
    { path: 'a', edits: [{ old_str: 'x', new_str: 'y' }] },
    { path: 'a', edits: [{ old: 'x', new: 'y', occurrence: 0 }] },
  ],
  [
    'edit_file',
    { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] },
    { path: 'a', edits: [{ old: 'x', new: 'y', occurrence: 0 }] },
  ],
  [
    'edit_file',
    { path: 'a', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] },
    { path: 'a', edits: [{ old: 'x', new: 'y', occurrence: 0, replace_all: true }] },
  ],
  [
    'edit_file',
    { path: 'a', edits: { search: 'x', replace: 'y' } },
    { path: 'a', edits: [{ old: 'x', new: 'y', occurrence: 0 }] },
  ],
  [
    'edit_file',
    { path: 'a', edits: '[{"old_string":"x","new_string":"y"}]' },
    { path: 'a', edits: [{ old: 'x', new: 'y', occurrence: 0 }] },
  ],
  ['grep', { pattern: 'x', include: '*.ts' }, { pattern: 'x', glob: '*.ts' }],
  ['grep', { pattern: 1234 }, { pattern: '1234' }],
  ['grep', { pattern: 'x', '-i': true, '-n': true }, { pattern: 'x', case_sensitive: false }],
  ['grep', { pattern: 'x', '-C': 2 }, { pattern: 'x', context: 2 }],
  [
    'grep',
    { pattern: 'x', output_mode: 'files_with_matches', head_limit: 5 },
    { pattern: 'x', output: 'files', limit: 5 },
  ],
  ['grep', { query: 'x', fixed_strings: false }, { pattern: 'x', regex: true }],
  ['Grep', { pattern: 'a|b', output_mode: 'content' }, { pattern: 'a|b', regex: true }],
  ['glob', { glob_pattern: '*.ts', directory: 'src' }, { pattern: '*.ts', path: 'src' }],
  ['bash', { cmd: 'ls', workdir: 'src', timeout: 60 }, { command: 'ls', cwd: 'src', timeout_ms: 60_000 }],
  ['bash', { command: 'ls', timeout: 120_000 }, { command: 'ls', timeout_ms: 120_000 }],
  ['bash', { command: 'ls', timeout: '2m' }, { command: 'ls', timeout_ms: 120_000 }],
  ['bash', { command: 'ls', timeout_seconds: 5 }, { command: 'ls', timeout_ms: 5000 }],
  ['bash', { command: ['bash', '-lc', 'cd x && ls'] }, { command: 'cd x && ls' }],
  ['bash', { command: ['/bin/sh', '-c', 'ls | wc'] }, { command: 'ls | wc' }],
  ['bash', { command: ['bash', '-lc', 'ls', 'extra'] }, { command: 'bash -lc ls extra' }],
  ['bash', { command: ['ls', '-l', 'a b'] }, { command: "ls -l 'a b'" }],
  [
    'bash',
    { command: 'ls', run_in_background: true, description: 'Lists' },
    { command: 'ls', background: true },
  ],
  ['Bash', { command: 'ls', timeout: 9 }, { command: 'ls', timeout_ms: 9000 }],
  ['shell_command', { command: 'ls', workdir: 'src' }, { command: 'ls', cwd: 'src' }],
  ['shell', { command: 'ls', justification: 'why', login: true }, { command: 'ls' }],
  ['task', { description: 'T', prompt: 'do', subagent_type: 'general-purpose' }, { title: 'T', goal: 'do' }],
  [
    'task',
    { prompt: 'do', subagent_type: 'Explore', timeout: 60 },
    { goal: 'do', profile: 'find', timeout_seconds: 60 },
  ],
  ['task', { goal: 'do', timeout: 600_000 }, { goal: 'do', timeout_seconds: 600 }],
  [
    'todo_write',
    { todos: [{ content: 'a', priority: 'high', activeForm: 'Doing a' }] },
    { todos: [{ content: 'a', active_form: 'Doing a', id: '', status: 'pending' }] },
  ],
  [
    'todo_write',
    { items: [{ task: 'a', status: 'done' }] },
    { todos: [{ content: 'a', id: '', status: 'completed' }] },
  ],
  ['create_file', { file_path: 'a', file_text: 'x', description: 'why' }, { path: 'a', content: 'x' }],
  ['apply_patch', { command: ['apply_patch', 'P'] }, { patch: 'P' }],
  ['apply_patch', { input: 'P' }, { patch: 'P' }],
  ['web_search', { search_term: 'x', allowed_domains: ['a.org'] }, { query: 'x', domains: ['a.org'] }],
  ['look_at', { image_path: 'a.png', prompt: 'what' }, { path: 'a.png', question: 'what' }],
  ['jobs', { action: 'output', shell_id: 'job_1' }, { action: 'output', job_id: 'job_1' }],
  ['finder', { pattern: 'x', max_results: 3 }, { query: 'x', limit: 3 }],
]

test.each(calls)('%s %j', (name, raw, meant) => {
  const { args, issues } = read(name, raw)
  expect(issues).toBeUndefined()
  expect(args).toMatchObject(meant)
  const extra = Object.keys(args as object).filter((key) => !Object.hasOwn(meant, key))
  const defaults = read(name, meant).args as Record<string, unknown>
  for (const key of extra) expect([key, (args as Record<string, unknown>)[key]]).toEqual([key, defaults[key]])
})

test.each([
  ['bash', { command: 'ls', timeout: 60 }, ['timeout 60 is read as 60 seconds (timeout_ms 60000)']],
  ['bash', { command: 'ls', description: 'Lists' }, ['description: not a parameter of bash; ignored']],
  ['read', { path: 'a', offset: 0 }, ['offset counts lines from 1; 0 is read as 1']],
  [
    'todo_write',
    {
      todos: [
        { content: 'a', comment: 'x' },
        { content: 'b', comment: 'y' },
      ],
    },
    ['todos[].comment: not a parameter of todo_write; ignored'],
  ],
  ['read', { file_path: 'a', offset: 3 }, []],
])('%s %j: the result says %j', (name, raw, notes) => {
  expect(read(name, raw).notes).toEqual(notes)
})

test.each([
  ['read', { path: 'a', wobble: 3 }, /^unknown parameter wobble; known: path, /],
  ['read', { path: 'a', start_lien: 3 }, /^unknown parameter start_lien, did you mean start_line\? \(.*\)$/],
  ['read', { path: 'a', file_path: 'b' }, /^unknown parameter file_path/],
  ['read', { path: 'a', start_line: 'x' }, /^start_line must be a number, got a string \(.+\)$/],
  ['grep', {}, /^missing required parameter pattern \(.+\)$/],
  ['grep', { pattern: null }, /^missing required parameter pattern \(.+\)$/],
  ['edit_file', { path: 'a', edits: [{ old: 'x' }] }, /^missing required parameter edits\[0\]\.new \(.+\)$/],
])('%s %j is refused with the description of the parameter', (name, raw, wording) => {
  const { issues = [] } = read(name, raw)
  expect(issues).toHaveLength(1)
  expect(issues[0]).toMatch(wording)
  expect(issues.join()).not.toMatch(/anode tools|`/)
})

/** Every way to write the names of a tool's parameters that differs from the name only in its form. */
const forms: readonly ((name: string) => string)[] = [
  (name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll('_', '-'),
  (name) => name[0]?.toUpperCase() + name.slice(1),
  (name) => name.toUpperCase(),
]

const rows = [...tools.values()].flatMap((tool) =>
  Object.keys(tool.example).map((name) => [tool.name, name] as const),
)

test(`each parameter of an example in ${forms.length} forms (${rows.length * forms.length} rows)`, () => {
  expect(rows.length * forms.length).toBeGreaterThan(200)
  const wrong: string[] = []
  for (const [name, parameter] of rows) {
    const { example } = tools.get(name) as Tool
    const meant = read(name, example)
    for (const form of forms) {
      const entries = Object.entries(example).map(([key, value]) => [
        key === parameter ? form(key) : key,
        value,
      ])
      const result = read(name, Object.fromEntries(entries))
      if (JSON.stringify(result) !== JSON.stringify(meant)) wrong.push(`${name} ${form(parameter)}`)
    }
  }
  expect(wrong).toEqual([])
})

type Def = { innerType?: z.core.$ZodType; element?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> }
const isOptional = (schema: z.core.$ZodType) => ['optional', 'default'].includes(schema._zod.def.type)

/** Objects like `value` with `null` for one optional parameter each, in lists too. */
function withNulls(shape: Record<string, z.core.$ZodType>, value: Record<string, unknown>): unknown[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (metaOf(schema)?.hidden) return []
    let def = schema._zod.def as unknown as Def
    while (def.innerType) def = def.innerType._zod.def as unknown as Def
    const inner = (def.element?._zod.def as unknown as Def | undefined)?.shape
    const items = value[name]
    const below =
      inner && Array.isArray(items) && isObject(items[0])
        ? withNulls(inner, items[0] as Record<string, unknown>).map((item) => ({ ...value, [name]: [item] }))
        : []
    return isOptional(schema) ? [{ ...value, [name]: null }, ...below] : below
  })
}

test('null is accepted for every optional parameter of every tool', () => {
  let tried = 0
  const wrong: string[] = []
  for (const tool of tools.values()) {
    const shape = tool.input.shape as Record<string, z.core.$ZodType>
    for (const raw of withNulls(shape, tool.example as Record<string, unknown>)) {
      tried++
      const { issues } = read(tool.name, raw)
      if (issues) wrong.push(`${tool.name} ${JSON.stringify(raw)}: ${issues}`)
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(100)
})

test('a list of any words is read by bash as the same words', () => {
  const next = rng(11)
  const letters = ['a', ' ', "'", '"', '$', '`', '\\', '*', '\n', ';', '#', '~', 'é', '!', '(', '&', '=']
  for (let i = 0; i < 60; i++) {
    const words = Array.from({ length: 1 + Math.floor(next() * 4) }, () =>
      Array.from({ length: Math.floor(next() * 6) }, () => letters[Math.floor(next() * letters.length)]).join(
        '',
      ),
    )
    const { command: line } = read('shell', { command: ['printf', '%s\\0', ...words] }).args as {
      command: string
    }
    expect(execFileSync('bash', ['-c', line]).toString().split('\0').slice(0, -1)).toEqual(words)
  }
})
