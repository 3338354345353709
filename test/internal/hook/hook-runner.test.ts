// Hooks as real processes: their input, their refusals, and hooks that must not block a session.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HookCommand, HookEvent } from '../../../internal/hook/hook.ts'
import { bindHooks } from '../../../internal/hook/hook-runner.ts'
import { readMatcher } from '../../../internal/hook/tool-matcher.ts'
import { run } from '../../support/run.ts'

let cwd: string
let warnings: string[]
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'anode-hook-'))
  warnings = []
})
afterEach(() => rmSync(cwd, { recursive: true }))

const hook = (command: string, over: Partial<HookCommand> = {}): HookCommand => ({
  event: 'PreToolUse',
  command,
  timeout: 10,
  onError: 'warn',
  path: '/h.json',
  ...over,
})
const bind = (hooks: HookCommand[], signal = new AbortController().signal) =>
  bindHooks(hooks, { run, cwd, thread: 'sess_1', signal, warn: (message) => warnings.push(message) })
const before = (hooks: HookCommand[], tool = 'bash') =>
  bind(hooks).middleware?.before?.(tool, { command: 'ls' })

test('runs the hook in the workspace with one JSON object as input', async () => {
  const { middleware: around, fire } = bind([
    hook('cat > pre.json'),
    hook('cat > end.json', { event: 'SessionEnd' }),
  ])
  expect(await around?.before?.('bash', { command: 'ls "ä"' })).toBeUndefined()
  expect(JSON.parse(readFileSync(join(cwd, 'pre.json'), 'utf8'))).toMatchObject({
    event: 'PreToolUse',
    cwd,
    thread: 'sess_1',
    tool: 'bash',
    args: { command: 'ls "ä"' },
    hook_event_name: 'PreToolUse',
    session_id: 'sess_1',
    workspace_root: cwd,
    tool_name: 'bash',
    tool_args: { command: 'ls "ä"' },
    tool_input: { command: 'ls "ä"' },
    command: 'ls "ä"',
  })
  await around?.before?.('edit_file', { path: 'a.ts' })
  expect(JSON.parse(readFileSync(join(cwd, 'pre.json'), 'utf8'))).toMatchObject({ file_path: 'a.ts' })
  await fire('SessionEnd', { end: 'done' })
  expect(JSON.parse(readFileSync(join(cwd, 'end.json'), 'utf8'))).toMatchObject({
    event: 'SessionEnd',
    end: 'done',
  })
  expect(warnings).toEqual([])
})

test.each([
  ['echo no >&2; exit 2', 'no'],
  ['echo said; exit 2', 'said'],
  ['exit 2', 'a hook refused without giving a reason'],
  [`echo '{"decision":"deny","reason":"not today"}'`, 'not today'],
  [`echo '{"decision":"deny"}'`, 'a hook refused without giving a reason'],
  [`echo '{"decision":"deny","reason":"even so"}'; exit 1`, 'even so'],
])('%s refuses', async (command, deny) => {
  expect(await before([hook(command)])).toEqual({ deny })
  expect(warnings).toEqual([])
})

test.each([
  'true',
  'echo hello',
  `echo '{"decision":"allow"}'`,
  `echo '{"decision":'`,
  `echo '{}'`,
  'exec <&-; true',
])('%s allows the call', async (command) => {
  expect(await before([hook(command)])).toBeUndefined()
  expect(warnings).toEqual([])
})

test.each([
  ['echo broken >&2; exit 1', 'ended with exit code 1: broken'],
  ['kill -9 $$', 'was ended by SIGKILL'],
  ['no-such-program-anywhere', 'ended with exit code 127'],
])('%s is a warning, or a refusal if the hook is configured so', async (command, why) => {
  expect(await before([hook(command)])).toBeUndefined()
  expect(warnings).toEqual([expect.stringContaining(why)])
  expect(await before([hook(command, { onError: 'deny' })])).toMatchObject({
    deny: expect.stringContaining(why),
  })
})

test('ends a hook that hangs at its timeout, with its child processes', async () => {
  const hang = hook('sleep 60 & echo $! > pid; wait', { timeout: 0.3 })
  expect(await before([hang, hook('echo next > next')])).toBeUndefined()
  expect(warnings).toEqual([expect.stringContaining('took longer than 0.3 s and was ended')])
  expect(readFileSync(join(cwd, 'next'), 'utf8')).toBe('next\n')
  const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
  const state = () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]
    } catch {
      return 'gone'
    }
  }
  expect(['gone', 'Z']).toContain(state())
})

test('a program that cannot be started is a warning', async () => {
  const gone = bindHooks([hook('true')], {
    run,
    cwd: join(cwd, 'nowhere'),
    thread: undefined,
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
  })
  expect(await gone.middleware?.before?.('bash', {})).toBeUndefined()
  expect(warnings).toEqual([expect.stringContaining('could not be started')])
})

test('the matcher must match the whole name', async () => {
  const deny = (matcher: string) => hook('exit 2', { matches: readMatcher(matcher) })
  expect(await before([deny('bash|read')], 'read')).toEqual({
    deny: 'a hook refused without giving a reason',
  })
  expect(await before([deny('bash')], 'mcp__x__bash')).toBeUndefined()
})

test('stops at the first refusal, and runs no hooks of other events', async () => {
  const hooks = [
    hook('echo a >> order'),
    hook('echo post >> order', { event: 'PostToolUse' }),
    hook('echo b >> order; exit 2'),
    hook('echo c >> order'),
  ]
  expect(await before(hooks)).toEqual({ deny: 'a hook refused without giving a reason' })
  expect(readFileSync(join(cwd, 'order'), 'utf8')).toBe('a\nb\n')
})

test('a PostToolUse hook reads the result and cannot reject the call', async () => {
  const { middleware: around } = bind([hook('cat > post.json; exit 2', { event: 'PostToolUse' })])
  await around?.after?.('bash', { command: 'ls' }, { text: 'out', data: { exit: 0 } })
  expect(JSON.parse(readFileSync(join(cwd, 'post.json'), 'utf8'))).toMatchObject({
    event: 'PostToolUse',
    tool: 'bash',
    args: { command: 'ls' },
    result: { ok: true, text: 'out', data: { exit: 0 } },
  })
  expect(warnings).toEqual([expect.stringContaining('has no effect here')])
  expect(around?.before).toBeUndefined()
})

const events: [HookEvent, boolean][] = [
  ['UserPromptSubmit', true],
  ['PreCompact', true],
  ['SessionStart', false],
  ['SessionEnd', false],
]
test.each(events)('%s can refuse: %s', async (event, can) => {
  const denied = await bind([hook('echo why >&2; exit 2', { event })]).fire(event, {})
  expect(denied).toEqual(can ? { deny: 'why' } : undefined)
  expect(warnings).toHaveLength(can ? 0 : 1)
})

test('a cancel ends a running hook and starts no other', async () => {
  const abort = new AbortController()
  const { middleware: around } = bind([hook('touch started; sleep 60')], abort.signal)
  const denied = around?.before?.('bash', {})
  setTimeout(() => abort.abort(), 100)
  expect(await denied).toEqual({ deny: 'cancelled' })
  expect(warnings).toEqual([])
})

test('wraps no tools without hooks for tools', () => {
  expect(bind([hook('true', { event: 'SessionStart' })]).middleware).toBeUndefined()
})

const answers = (decision: object | string) => {
  const json = typeof decision === 'string' ? decision : JSON.stringify(decision)
  const pretty = typeof decision === 'string' ? decision : JSON.stringify(decision, null, 2)
  return [
    json,
    pretty,
    `checking\n${json}`,
    `checking\n${pretty}\ndone`,
    `${json}\n{"a":1}`,
    `{"log":1}\n${json}`,
    ` ${json}\n\n`,
  ]
}
const specific = (more: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } })

test('accepts refusals in every format of Claude Code, with logs before and after them', async () => {
  const refusals = [
    specific({ permissionDecision: 'deny', permissionDecisionReason: 'nope' }),
    specific({ permissionDecision: 'ask', permissionDecisionReason: 'nope' }),
    specific({ permissionDecision: 'denied' }),
    ...[{ decision: 'block', reason: 'nope' }, { decision: 'deny', reason: 'nope' }, { decision: 'block' }],
    ...[{ continue: false, stopReason: 'nope' }, { continue: false }, { permissionDecision: 'deny' }],
  ]
  for (const text of refusals.flatMap(answers))
    expect(await before([hook(`cat <<'END'\n${text}\nEND`)], 'read'), text).toMatchObject({
      deny: expect.any(String),
    })
}, 60_000)

test('lets the call run after any other output', async () => {
  const passes = [
    specific({ permissionDecision: 'allow' }),
    ...[
      { decision: 'approve' },
      { continue: true },
      { suppressOutput: true },
      {},
      'plain text',
      '{broken',
      '[1]',
    ],
  ]
  for (const text of passes.flatMap(answers))
    expect(await before([hook(`cat <<'END'\n${text}\nEND`)], 'read'), text).toBeUndefined()
}, 60_000)
