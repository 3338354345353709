// Hooks of sessions and prompts as a user writes them, through the built program.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { eventsOf } from '../support/events.ts'
import { repoWith } from '../support/repo.ts'
import { plant } from '../support/scratch.ts'
import { quoteWord } from '../support/shell-word.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const hooks = (events: object) => at.put('../.config/anode/hooks.json', JSON.stringify(events))
const script = (...replies: object[]) =>
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
const run = (...words: string[]) => at.anode(['execute', '--model', 'script:../replies.jsonl', ...words])
const log = () => join(at.dir, '..', 'log')
/** The file as a word of a shell. */
const logWord = () => quoteWord(log())
const told = () =>
  existsSync(log())
    ? readFileSync(log(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
const note = () => ({ command: `cat >> ${logWord()}; echo >> ${logWord()}` })

test('sends the events of a session from start to end, in order', async () => {
  at.put('a.txt', 'hello\n')
  const all = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SessionEnd']
  hooks(Object.fromEntries(all.map((event) => [event, [note()]])))
  script({ calls: [{ name: 'read', args: { path: 'a.txt' } }] }, { text: 'done' })
  expect((await run('look at it')).code).toBe(0)
  const events = told()
  expect(events.map(({ event }) => event)).toEqual(all)
  expect(events[0]).toMatchObject({
    source: 'new',
    model: 'script:../replies.jsonl',
    thread: expect.stringMatching(/^sess_/),
  })
  expect(events[1]).toMatchObject({ prompt: 'look at it' })
  expect(events.at(-1)).toMatchObject({ end: 'done' })
  expect((await run('--resume', 'last', 'again')).code).toBe(0)
  expect(told()[5]).toMatchObject({ event: 'SessionStart', source: 'resume' })
})

test('a prompt that a hook rejects is not sent, and the run ends once, as denied', async () => {
  hooks({
    UserPromptSubmit: [{ command: 'grep -q secret && { echo no secrets here >&2; exit 2; }; exit 0' }],
    SessionEnd: [note()],
  })
  script({ text: 'done' })
  const { code, out } = await run('tell the secret', '--stream-json')
  expect(code).toBe(4)
  const events = eventsOf(out)
  expect(events.map(({ type }) => type)).toEqual(['system.init', 'run.ended'])
  expect(events.at(-1)?.payload).toMatchObject({
    end: 'failed',
    reason: 'denied',
    message: expect.stringContaining('no secrets here'),
  })
  expect(told()[0]).toMatchObject({ event: 'SessionEnd', end: 'failed' })
  expect((await run('tell a joke')).code).toBe(0)
})

test('compaction can be refused', async () => {
  const long = `${'word '.repeat(20)}\n`.repeat(100)
  at.put('a.txt', long)
  const read = { calls: [{ name: 'read', args: { path: 'a.txt' } }] }
  const replies = [{ window: 4_000 }, read, read, { text: 'in between' }, { text: 'done' }]
  hooks({ PreCompact: [note()] })
  script(...replies)
  const free = await run('go', '--stream-json')
  expect(free.out).toContain('"role":"summary"')
  expect(told()[0]).toMatchObject({ event: 'PreCompact', forced: false, tokens: expect.any(Number) })
  hooks({ PreCompact: [{ command: 'echo keep it all >&2; exit 2' }] })
  script(...replies)
  expect((await run('go', '--stream-json')).out).not.toContain('"role":"summary"')
})

test('doctor counts the hooks and lists the broken ones', async () => {
  hooks({ PreToolUse: [{ command: 'true' }, { matcher: '(' }], PreTool: [] })
  const { code, out } = await at.anode(['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(/hooks +ok +1 from /)
  expect(out).toMatch(/hooks +broken .*PreToolUse\[1\]/)
  expect(out).toMatch(/hooks +broken .*unknown event PreTool/)
})

test('hooks list shows the active hooks, and hooks test prints the output of each', async () => {
  hooks({
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [{ type: 'command', command: 'grep -q push && { echo no push >&2; exit 2; }; exit 0' }],
        },
        { matcher: 'create_file', hooks: [{ type: 'command', command: 'exit 1' }] },
      ],
      UserPromptSubmit: [{ command: 'grep -q secret && exit 2; exit 0' }],
      Notification: [{ command: 'true' }],
    },
  })
  const listed = JSON.parse((await at.anode(['hooks', 'list', '--json'])).out)
  expect(listed.hooks.map((row: { event: string; matcher: string }) => [row.event, row.matcher])).toEqual([
    ['PreToolUse', 'Bash'],
    ['PreToolUse', 'create_file'],
    ['UserPromptSubmit', '*'],
  ])
  expect(listed.problems).toEqual([expect.objectContaining({ severity: 'warning' })])
  const attempt = async (event: string, json: object, ...tool: string[]) => {
    const words = ['hooks', 'test', event, ...tool, '--json', JSON.stringify(json), '--output', 'json']
    const { code, out } = await at.anode(words)
    return [code, ...JSON.parse(out).map((row: { verdict: string }) => row.verdict)]
  }
  expect(await attempt('PreToolUse', { command: 'git push' }, '--tool', 'bash')).toEqual([4, 'refuse'])
  expect(await attempt('PreToolUse', { command: 'git log' }, '--tool', 'bash')).toEqual([0, 'pass'])
  expect(await attempt('PreToolUse', { path: 'x' }, '--tool', 'create_file')).toEqual([4, 'refuse'])
  expect(await attempt('PreToolUse', { path: 'x' }, '--tool', 'read')).toEqual([0])
  expect(await attempt('UserPromptSubmit', { prompt: 'a secret' })).toEqual([4, 'refuse'])
  expect(existsSync(join(at.dir, 'x'))).toBe(false)
})

test.each([
  [['PreToolUs', '--tool', 'bash'], /unknown event "PreToolUs"[\s\S]*PreToolUse/],
  [['PreToolUse'], /PreToolUse needs a tool[\s\S]*--tool/],
  [['PreToolUse', '--tool', 'bash', '--json', '[1]'], /--json must be an object/],
  [['PreToolUse', '--tool', 'bash', '--json', '{'], /--json is not valid JSON/],
])('hooks test %j prints the error', async (words, message) => {
  const { code, err } = await at.anode(['hooks', 'test', ...words])
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
})

test('an invalid hooks file is an error of hooks list and of hooks test', async () => {
  at.put('../.config/anode/hooks.json', '{"PreToolUse": [{"matcher": "[", "command": "true"}]}')
  const listed = await at.anode(['hooks', 'list'])
  expect([listed.code, listed.err]).toEqual([2, expect.stringContaining('hooks.json')])
  const tried = await at.anode(['hooks', 'test', 'PreToolUse', '--tool', 'bash'])
  expect([tried.code, tried.err]).toEqual([2, expect.stringContaining('anode hooks list')])
})

test.each([
  ['hooks', '../.config/anode/hooks.json', 'broken{'],
  ['hooks', '../.config/anode/hooks.json', '{"hooks": {"PreToolUze": [{"command": "true"}]}}'],
  ['plugins', '../.config/anode/config.json', '{"plugins": {"paths": ["/no/such/plugin"]}}'],
])('anode %s list reports a broken entry instead of an empty list', async (what, path, text) => {
  expect((await at.anode([what, 'list'])).err).toMatch(/^No (hooks are configured|plugin is in use)\./)
  at.put(path, text)
  const { code, err } = await at.anode([what, 'list'])
  expect(code).toBe(2)
  expect(err).toMatch(/not valid JSON|unknown event PreToolUze|the file does not exist/)
  expect(err).not.toMatch(/^No /m)
})

const stopWith = (command: string, more: object = {}) => hooks({ Stop: [{ command, ...more }] })
const answers = (count: number) =>
  script(...Array.from({ length: count }, (_, i) => ({ text: `answer ${i}` })))
const outcome = async () => {
  const { code, out } = await run('go', '--json')
  const { end, reason, text } = JSON.parse(out)
  return { code, end, reason, text }
}

test('a Stop hook sends its reason to the model until it agrees', async () => {
  answers(3)
  stopWith(
    `cat >> ${logWord()}; echo >> ${logWord()}; test $(wc -l < ${logWord()}) -gt 2 || { echo not yet >&2; exit 2; }`,
  )
  expect(await outcome()).toMatchObject({ code: 0, end: 'done', text: 'answer 2' })
  expect(told().map(({ stop_hook_count: count }) => count)).toEqual([0, 1, 2])
  const thread = (await at.anode(['threads', 'show', 'last'])).out
  expect(thread.match(/A hook for Stop continues the work: not yet/g)).toHaveLength(2)
})

const block = `echo '{"decision":"block","reason":"more"}'`

test.each([
  ['blocks every time', block, {}, { code: 3, end: 'partial', reason: 'hook', text: 'answer 8' }],
  [
    'ends the run',
    `echo '{"continue":false,"stopReason":"enough"}'`,
    {},
    { code: 3, reason: 'hook', text: 'answer 0' },
  ],
  ['prints {}', 'echo {}', {}, { code: 0, end: 'done' }],
  ['prints that the run may continue', `echo '{"continue":true}'`, {}, { code: 0, end: 'done' }],
  ['prints nothing', 'true', {}, { code: 0, end: 'done' }],
  ['fails', 'exit 7', {}, { code: 0, end: 'done' }],
  ['fails and must not', 'exit 7', { onError: 'deny' }, { code: 3, reason: 'hook' }],
] as const)('a Stop hook that %s', async (_, command, more, expected) => {
  answers(10)
  stopWith(command, more)
  expect(await outcome()).toMatchObject(expected)
})

test('a SubagentStop hook continues a subagent alone', async () => {
  script(
    { calls: [{ name: 'task', args: { title: 'look', goal: 'look' } }] },
    { text: 'a' },
    { text: 'b' },
    { text: 'c' },
  )
  hooks({
    SubagentStop: [{ command: `test -e ${logWord()} || { cat > ${logWord()}; echo again >&2; exit 2; }` }],
  })
  expect(await outcome()).toMatchObject({ code: 0, end: 'done', text: 'c' })
  expect(told()).toMatchObject([{ event: 'SubagentStop', last_assistant_message: 'a' }])
})

test('anode prove --stop-hook blocks until the check passes', async () => {
  const dir = repoWith({ 'check.sh': 'test -e done\n' })
  const prove = (command = 'bash check.sh') => at.anode(['prove', '--stop-hook', command, '-C', dir])
  const blocked = await prove()
  expect([blocked.code, JSON.parse(blocked.out)]).toMatchObject([
    0,
    { decision: 'block', reason: expect.stringMatching(/NOT proven: bash check.sh fails/) },
  ])
  plant(dir, { done: '' })
  expect(await prove()).toMatchObject({ code: 0, out: '{}\n' })
  const { code, out } = await prove('no-such-program')
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { continue: false, stopReason: expect.stringMatching(/no-such-program/) },
  ])
})
