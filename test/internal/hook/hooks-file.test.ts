// hooks.json: what an entry may say, and everything wrong with one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadHooks, parseHooks } from '../../../internal/hook/hooks-file.ts'

const tools = ['bash', 'read', 'edit_file', 'apply_patch', 'create_file', 'grep', 'task', 'web_fetch']

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-hooks-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const write = (name: string, value: unknown) => {
  const path = join(dir, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

test('reads all files in order, with comments, and fills missing keys', async () => {
  const user = write(
    'user.json',
    '{ // mine\n "PreToolUse": [{"matcher": "bash|edit_.*", "command": "check",}] }',
  )
  const workspace = write('ws.json', {
    PreToolUse: [{ matcher: '*', command: 'all', timeout: 0.5, onError: 'deny' }],
    SessionEnd: [{ command: 'bye' }],
  })
  expect(await loadHooks([user, workspace, join(dir, 'none.json')], tools)).toEqual({
    hooks: [
      {
        event: 'PreToolUse',
        matcher: 'bash|edit_.*',
        matches: expect.any(Function),
        command: 'check',
        timeout: 30,
        onError: 'deny',
        path: user,
      },
      { event: 'PreToolUse', command: 'all', timeout: 0.5, onError: 'deny', path: workspace },
      { event: 'SessionEnd', command: 'bye', timeout: 30, onError: 'warn', path: workspace },
    ],
    diagnostics: [],
  })
})

test.each([
  ['[]', 'must be an object of events'],
  ['{"PreToolUse": [', 'not valid JSON in line 1'],
  ['{\n\n"a" 1}', 'not valid JSON in line 3'],
  [{ PreToolUs: [] }, 'unknown event PreToolUs, did you mean PreToolUse?'],
  [{ PreToolUse: {} }, 'PreToolUse must be a list of hooks'],
  [{ PreToolUse: ['x'] }, 'PreToolUse[0]: must be an object with command'],
  [{ PreToolUse: [{ command: 'a' }, {}] }, 'PreToolUse[1]: command must be a line for bash'],
  [{ PreToolUse: [{ command: 'a', matchr: 'b' }] }, 'unknown key matchr, did you mean matcher?'],
  [{ PreToolUse: [{ command: 'a', matcher: '(' }] }, 'matcher is not a regular expression'],
  [{ PreToolUse: [{ command: 'a', matcher: 3 }] }, 'matcher must be a regular expression'],
  [{ PreToolUse: [{ command: 'a', timeout: 0 }] }, 'timeout must be a number of seconds above 0'],
  [{ PreToolUse: [{ command: 'a', onError: 'ask' }] }, 'onError must be warn or deny'],
])('%j is an error', async (value, message) => {
  const { diagnostics } = await loadHooks([write('bad.json', value)], tools)
  expect(diagnostics).toEqual([
    {
      severity: 'error',
      where: expect.stringContaining(join(dir, 'bad.json')),
      message: expect.stringContaining(message),
    },
  ])
})

test.each([
  [{ SessionStart: [{ command: 'a', matcher: 'bash' }] }, 'matcher has no effect on this event'],
  [{ PostToolUse: [{ command: 'a', onError: 'deny' }] }, 'onError deny has no effect'],
  [{ PostToolUse: [{ command: 'a', timeout: 9999 }] }, 'timeout reduced from 9999 to 600'],
])('%j is used with a warning', async (value, message) => {
  const { hooks, diagnostics } = await loadHooks([write('odd.json', value)], tools)
  expect(hooks).toHaveLength(1)
  expect(diagnostics).toMatchObject([{ severity: 'warning', message: expect.stringContaining(message) }])
})

test('loads the good entries of a file with a bad entry', async () => {
  const path = write('mixed.json', { PreToolUse: [{}, { command: 'good' }], Nothing: [] })
  const { hooks, diagnostics } = await loadHooks([path], tools)
  expect(hooks.map(({ command }) => command)).toEqual(['good'])
  expect(diagnostics).toHaveLength(2)
})

test('accepts the format of other programs', async () => {
  const value = {
    model: 'x',
    hooks: {
      PreToolUse: [
        {
          matcher: 'bash',
          hooks: [
            { type: 'command', command: 'a' },
            { type: 'command', command: 'b', timeout: 5 },
          ],
        },
        { matcher: '', hooks: [{ type: 'command', command: 'all' }] },
      ],
      SessionEnd: [{ hooks: [{ type: 'command', command: 'bye' }] }],
    },
  }
  const { hooks, diagnostics } = parseHooks(value, 'p', tools)
  expect(diagnostics).toEqual([])
  expect(hooks.map(({ event, command, onError, timeout }) => [event, command, onError, timeout])).toEqual([
    ['PreToolUse', 'a', 'deny', 30],
    ['PreToolUse', 'b', 'deny', 5],
    ['PreToolUse', 'all', 'deny', 30],
    ['SessionEnd', 'bye', 'warn', 30],
  ])
  expect(hooks.map(({ matches }) => matches?.('bash'))).toEqual([true, true, undefined, undefined])
  const odd = { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', command: 'x' }, 7] }], Setup: [] } }
  expect(parseHooks(odd, 'p', tools).diagnostics).toHaveLength(3)
})

const guard = { command: 'check' }
const events = ['PreToolUse', 'UserPromptSubmit', 'PreCompact', 'PostToolUse', 'SessionStart', 'SessionEnd']
const misspelt = events.flatMap((event) => [
  ...[
    event.toLowerCase(),
    event.slice(0, -1),
    `${event}s`,
    `${event} `,
    `on${event}`,
    event.replace(/[A-Z]/g, '_$&'),
  ],
])
const forms = (event: string, entry: object): object[] => [
  { [event]: [entry] },
  { hooks: { [event]: [entry] } },
  { hooks: {}, [event]: [entry] },
  { model: 'x', hooks: { [event]: [{ hooks: [entry] }] } },
]
const brokenEntries = [
  ...[
    {},
    { command: '' },
    { command: 7 },
    { ...guard, matcher: '(' },
    { ...guard, matcher: 7 },
    { ...guard, timeout: 'x' },
  ],
  ...[
    { ...guard, onError: 'ask' },
    { ...guard, matchr: 'bash' },
    { ...guard, type: 'prompt' },
    { type: 'agent', prompt: 'x' },
  ],
  ...[
    { ...guard, args: ['x'] },
    { url: 'http://127.0.0.1', type: 'http' },
    { ...guard, hooks: [{ command: 'x' }] },
  ],
]
const lostMatchers = [
  ...[
    'bahs',
    'Bsh',
    'shel',
    'bash(rm:*)',
    'Bash(git *)',
    'Write|Edti',
    'bash|raed',
    'Tool',
    'edit-file',
    'Bash,Edit',
    'BASH',
  ],
  ...['file', '^ash$', 'web_fetc', 'a{3}'],
]

test('reports a hook that Anode cannot run as an error, in every form of the file', async () => {
  const files = [
    ...misspelt.flatMap((event) => forms(event, guard)),
    ...events.flatMap((event) => brokenEntries.flatMap((entry) => forms(event, entry))),
    ...lostMatchers.flatMap((matcher) => forms('PreToolUse', { ...guard, matcher })),
  ]
  expect(files.length).toBeGreaterThanOrEqual(200)
  for (const file of files) {
    // only events of tools have a matcher
    if (/"matcher":["7]/.test(JSON.stringify(file)) && !/ToolUse/.test(JSON.stringify(file))) continue
    const { diagnostics } = parseHooks(file, 'p', tools)
    expect(
      diagnostics.some(({ severity }) => severity === 'error'),
      JSON.stringify(file),
    ).toBe(true)
  }
})

test('the error contains the line of the event', async () => {
  const path = write('line.json', '{\n "SessionEnd": [],\n "PreToolUs": []\n}')
  expect((await loadHooks([path], tools)).diagnostics[0]?.where).toBe(`${path}:3`)
})

test.each(['Notification', 'SubagentStart', 'PostToolUseFailure'])(
  'warns that a hook for %s cannot reject anything',
  (event) => {
    for (const file of forms(event, guard))
      expect(parseHooks(file, 'p', tools).diagnostics).toMatchObject([{ severity: 'warning' }])
  },
)

test.each([
  ['Bash', ['bash', 'bash_batch', 'terminal_start', 'terminal_write', 'run_experiment']],
  ['bash', ['bash', 'bash_batch', 'terminal_start', 'terminal_write', 'run_experiment']],
  ['Write|Edit|MultiEdit', ['create_file', 'edit_file', 'apply_patch']],
  ['Read', ['read', 'multi_read', 'look_at']],
  ['Task', ['task']],
  ['mcp__.*', ['mcp__a__b']],
])('the matcher %s guards %j', (matcher, guarded) => {
  const entry = { description: 'mine', statusMessage: 'x', ...guard, matcher }
  const { hooks, diagnostics } = parseHooks({ PreToolUse: [entry] }, 'p', tools)
  expect(diagnostics).toEqual([])
  for (const tool of guarded) expect(hooks[0]?.matches?.(tool), tool).toBe(true)
  expect(hooks[0]?.matches?.('glob')).toBe(false)
})

test('hooks of one event in both files all run', () => {
  const file = { PreToolUse: [{ command: 'a' }], hooks: { PreToolUse: [{ command: 'b' }] } }
  expect(parseHooks(file, 'p', tools).hooks.map(({ command }) => command)).toEqual(['a', 'b'])
})
