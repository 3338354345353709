// hooks.json: what an entry may say, and everything wrong with one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadHooks, parseHooks } from '../../../internal/hook/hooks-file.ts'

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

test('reads all files in order, with comments, and fills what is left out', async () => {
  const user = write(
    'user.json',
    '{ // mine\n "PreToolUse": [{"matcher": "bash|edit_.*", "command": "check",}] }',
  )
  const workspace = write('ws.json', {
    PreToolUse: [{ matcher: '*', command: 'all', timeout: 0.5, onError: 'deny' }],
    SessionEnd: [{ command: 'bye' }],
  })
  expect(await loadHooks([user, workspace, join(dir, 'none.json')])).toEqual({
    hooks: [
      {
        event: 'PreToolUse',
        matcher: /^(?:bash|edit_.*)$/,
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
  const { diagnostics } = await loadHooks([write('bad.json', value)])
  expect(diagnostics).toEqual([
    { severity: 'error', where: join(dir, 'bad.json'), message: expect.stringContaining(message) },
  ])
})

test.each([
  [{ SessionStart: [{ command: 'a', matcher: 'bash' }] }, 'matcher has no effect on this event'],
  [{ PostToolUse: [{ command: 'a', onError: 'deny' }] }, 'onError deny has no effect'],
  [{ PostToolUse: [{ command: 'a', timeout: 9999 }] }, 'timeout reduced from 9999 to 600'],
])('%j is used with a warning', async (value, message) => {
  const { hooks, diagnostics } = await loadHooks([write('odd.json', value)])
  expect(hooks).toHaveLength(1)
  expect(diagnostics).toMatchObject([{ severity: 'warning', message: expect.stringContaining(message) }])
})

test('one bad entry does not cost the others', async () => {
  const path = write('mixed.json', { PreToolUse: [{}, { command: 'good' }], Nothing: [] })
  const { hooks, diagnostics } = await loadHooks([path])
  expect(hooks.map(({ command }) => command)).toEqual(['good'])
  expect(diagnostics).toHaveLength(2)
})

test('the form of other programs means the same', async () => {
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
  const { hooks, diagnostics } = parseHooks(value, 'p')
  expect(diagnostics).toEqual([])
  expect(hooks.map(({ event, command, onError, timeout }) => [event, command, onError, timeout])).toEqual([
    ['PreToolUse', 'a', 'deny', 30],
    ['PreToolUse', 'b', 'deny', 5],
    ['PreToolUse', 'all', 'deny', 30],
    ['SessionEnd', 'bye', 'warn', 30],
  ])
  expect(hooks.map(({ matcher }) => matcher?.test('bash'))).toEqual([true, true, undefined, undefined])
  const odd = { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', command: 'x' }, 7] }], Stop: [] } }
  expect(parseHooks(odd, 'p').diagnostics).toHaveLength(3)
})
