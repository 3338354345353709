// `anode acp` as an editor starts it: the built program with the client library of the protocol.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEditor } from '../support/acp-client.ts'
import { program, type World, world } from '../support/anode.ts'

let w: World
beforeEach(() => {
  w = world()
  w.put('a.txt', 'one\ntwo\n')
})
afterEach(() => w.remove())

/** Returns the flags for a model with these scripted responses. */
function script(...replies: object[]): string[] {
  const file = join(w.data, '..', 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  return ['--model', `script:${file}`]
}

const edit = {
  name: 'edit_file',
  args: { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] },
}
const kinds = (updates: readonly { update: SessionUpdate }[]) =>
  updates.map(({ update }) => update.sessionUpdate)

it('answers a prompt with its calls, its plan and its text', async () => {
  const todos = [{ id: '1', content: 'Look', status: 'in_progress' }]
  const editor = await startEditor(w, {
    words: script(
      { calls: [{ name: 'read', args: { path: 'a.txt', start_line: 2 } }] },
      {
        calls: [
          { name: 'todo_write', args: { todos } },
          { name: 'bash', args: { command: 'echo said' } },
        ],
      },
      { text: 'It holds **two** lines.' },
    ),
  })
  const session = await editor.open(w.dir)
  expect(await editor.ask(session, 'What does it hold?')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toBe('It holds **two** lines.')
  expect(editor.words('user_message_chunk')).toBe('')
  const calls = editor.updates.flatMap(({ update }) => (update.sessionUpdate === 'tool_call' ? [update] : []))
  expect(calls.map(({ kind, title, locations }) => ({ kind, title, locations }))).toEqual([
    { kind: 'read', title: 'read a.txt', locations: [{ path: join(w.dir, 'a.txt'), line: 2 }] },
    { kind: 'other', title: 'todo_write', locations: [] },
    { kind: 'execute', title: 'bash echo said', locations: [] },
  ])
  const ends = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'tool_call_update' ? [update] : [],
  )
  expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  expect(JSON.stringify(ends.at(-1)?.content)).toContain('```\\nsaid')
  expect(editor.updates.map(({ update }) => update)).toContainEqual({
    sessionUpdate: 'plan',
    entries: [{ content: 'Look', priority: 'medium', status: 'in_progress' }],
  })
  expect(editor.stderr()).toBe('')
})

it('asks before a change, shows the whole change, and stores a rule for the session only if the user chooses it', async () => {
  const again = { name: 'edit_file', args: { path: 'a.txt', edits: [{ old: 'three', new: 'four' }] } }
  const third = { name: 'edit_file', args: { path: 'a.txt', edits: [{ old: 'four', new: 'five' }] } }
  const chosen = ['once', 'session:0', 'deny']
  const editor = await startEditor(w, {
    words: [
      ...script({ calls: [edit] }, { calls: [again] }, { calls: [third] }, { text: 'Done.' }),
      '--approval',
      'ask',
    ],
    choose: () => chosen.shift(),
  })
  const session = await editor.open(w.dir)
  expect(await editor.ask(session, 'Change it')).toBe('end_turn')
  const [first] = editor.asked
  expect(editor.asked).toHaveLength(2)
  expect(first?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual([
    ['once', 'allow_once'],
    ['session:0', 'allow_always'],
    ['workspace:0', 'allow_always'],
    ['deny', 'reject_once'],
    ['stop', 'reject_once'],
  ])
  expect(first?.toolCall.content).toContainEqual({
    ...{ type: 'diff', path: join(w.dir, 'a.txt') },
    ...{ oldText: 'one\ntwo\n', newText: 'one\nthree\n' },
  })
  expect(JSON.stringify(first?.toolCall.content)).toContain('Why it asks')
  expect(readFileSync(join(w.dir, 'a.txt'), 'utf8')).toBe('one\nfive\n')
})

it('shows what a command prints while it runs', async () => {
  const command = 'echo first; while [ ! -e go ]; do sleep 0.05; done; echo last'
  const editor = await startEditor(w, {
    words: [
      ...script({ calls: [{ name: 'bash', args: { command } }] }, { text: 'Ran.' }),
      '--approval',
      'unrestricted',
    ],
  })
  const session = await editor.open(w.dir)
  const ended = editor.ask(session, 'Run it')
  const printed = () =>
    editor.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'tool_call_update' && update.status === undefined ? [update.content] : [],
    )
  await expect
    .poll(() => JSON.stringify(printed().at(-1)), { timeout: 15_000 })
    .toContain('```\\nfirst\\n```')
  w.put('go', '')
  expect(await ended).toBe('end_turn')
  const last = editor.updates.findLast(({ update }) => update.sessionUpdate === 'tool_call_update')
  expect(JSON.stringify(last?.update)).toMatch(/first.*last/)
})

it('denies when the user answers no, and ends the run when the user closes the question', async () => {
  const chosen = ['deny', undefined]
  const editor = await startEditor(w, {
    words: [...script({ calls: [edit] }, { calls: [edit] }, { text: 'Never.' }), '--approval', 'ask'],
    choose: () => chosen.shift(),
  })
  const session = await editor.open(w.dir)
  expect(await editor.ask(session, 'Change it')).toBe('cancelled')
  expect(editor.asked).toHaveLength(2)
  expect(readFileSync(join(w.dir, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

it('stops at once when it is cancelled, even before the run has started', async () => {
  const slow = { calls: [{ name: 'bash', args: { command: 'sleep 60' } }] }
  const editor = await startEditor(w, {
    words: [...script(slow, slow, { text: 'End.' }), '--approval', 'unrestricted'],
  })
  const session = await editor.open(w.dir)
  const begun = Date.now()
  const early = editor.ask(session, 'Sleep')
  await editor.agent.notify('session/cancel', { sessionId: session })
  expect(await early).toBe('cancelled')
  const late = editor.ask(session, 'Sleep once more')
  await expect.poll(() => kinds(editor.updates), { timeout: 10_000 }).toContain('tool_call')
  await expect(editor.ask(session, 'And this')).rejects.toThrow('being answered')
  await editor.agent.notify('session/cancel', { sessionId: session })
  expect(await late).toBe('cancelled')
  expect(Date.now() - begun).toBeLessThan(40_000)
})

it('lists sessions, replays one in another process, and continues it', async () => {
  const words = script({ calls: [{ name: 'read', args: { path: 'a.txt' } }] }, { text: 'Two lines.' })
  const one = await startEditor(w, { words })
  const session = await one.open(w.dir)
  await one.ask(session, 'What does it hold?')
  one.child.kill('SIGKILL')
  const two = await startEditor(w, { words: script({ text: 'And more.' }) })
  const { sessions } = await two.agent.request('session/list', { cwd: w.dir })
  expect(sessions).toMatchObject([{ sessionId: session, cwd: w.dir, title: 'What does it hold?' }])
  await two.agent.request('session/load', { sessionId: session, cwd: w.dir, mcpServers: [] })
  expect(kinds(two.updates).filter((kind) => kind !== 'config_option_update')).toEqual([
    ...['user_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'],
  ])
  expect(two.words('agent_message_chunk')).toBe('Two lines.')
  const before = two.updates.length
  await two.agent.request('session/resume', { sessionId: session, cwd: w.dir })
  expect(kinds(two.updates.slice(before))).not.toContain('user_message_chunk')
  await two.agent.request('session/close', { sessionId: session })
  await expect(two.ask(session, 'Still there?')).rejects.toThrow('not found')
  await expect(
    two.agent.request('session/load', { sessionId: 'sess_none', cwd: w.dir, mcpServers: [] }),
  ).rejects.toThrow('no session is named sess_none')
})

it.each(['session/load', 'session/resume'] as const)(
  'keeps a session that %s opens again before its first prompt',
  async (method) => {
    const editor = await startEditor(w, { words: script({ text: 'Here.' }) })
    const sessionId = await editor.open(w.dir)
    for (let i = 0; i < 2; i++) await editor.agent.request(method, { sessionId, cwd: w.dir, mcpServers: [] })
    expect(await editor.ask(sessionId, 'Where are you?')).toBe('end_turn')
    expect(editor.words('agent_message_chunk')).toBe('Here.')
    await editor.agent.request('session/close', { sessionId })
  },
)

it('opens a session only in its workspace, and stores it when the editor opens another one', async () => {
  const editor = await startEditor(w, { words: script({ text: 'One.' }, { text: 'Two.' }) })
  const other = join(w.dir, '..', 'other')
  mkdirSync(other)
  const sessionId = await editor.open(w.dir)
  for (const text of ['First', 'Second']) {
    for (const method of ['session/load', 'session/resume', 'session/fork'] as const) {
      const asked = editor.agent.request(method, { sessionId, cwd: other, mcpServers: [] })
      await expect(asked).rejects.toThrow(`belongs to ${w.dir}, not to ${other}`)
    }
    await expect(
      editor.agent.request('session/load', { sessionId, cwd: join(w.dir, 'none'), mcpServers: [] }),
    ).rejects.toThrow('is not a folder')
    expect(await editor.ask(sessionId, text)).toBe('end_turn')
  }
})

it('forks a session into a copy, and deletes a session for good', async () => {
  const editor = await startEditor(w, { words: script({ text: 'One.' }, { text: 'Two.' }) })
  const sessionId = await editor.open(w.dir)
  const place = { cwd: w.dir, mcpServers: [] }
  const empty = await editor.agent.request('session/fork', { sessionId, ...place })
  expect(empty.sessionId).not.toBe(sessionId)
  await editor.ask(sessionId, 'First')
  const copy = await editor.agent.request('session/fork', { sessionId, ...place })
  expect(await editor.ask(copy.sessionId, 'Second')).toBe('end_turn')
  const listed = async () =>
    (await editor.agent.request('session/list', { cwd: w.dir })).sessions.map((one) => one.sessionId)
  expect(new Set(await listed())).toEqual(new Set([sessionId, copy.sessionId]))
  await editor.agent.request('session/delete', { sessionId })
  expect(await listed()).toEqual([copy.sessionId])
  await expect(editor.ask(sessionId, 'Still there?')).rejects.toThrow('not found')
  // the library treats a missing session as deleted
  await editor.agent.request('session/delete', { sessionId }).catch(() => undefined)
  expect(await listed()).toEqual([copy.sessionId])
})

it.each(['session/load', 'session/resume'] as const)(
  'closes and deletes a session after the %s that was sent before',
  async (open) => {
    const editor = await startEditor(w, { words: script({ text: 'One.' }, { text: 'Two.' }) })
    for (const end of ['session/close', 'session/delete'] as const)
      for (const isOpen of [true, false]) {
        const sessionId = await editor.open(w.dir)
        await editor.ask(sessionId, 'First')
        if (!isOpen) await editor.agent.request('session/close', { sessionId })
        const opening = editor.agent.request(open, { sessionId, cwd: w.dir, mcpServers: [] })
        const ending = editor.agent.request(end, { sessionId })
        await Promise.all([opening, ending])
        await expect(editor.ask(sessionId, 'Still there?'), `${end} ${isOpen}`).rejects.toThrow('not found')
      }
  },
)

it('sends the slash commands after the response with the session id, and runs them', async () => {
  const skill = join(w.dir, '..', '.config', 'anode', 'skills', 'greet')
  mkdirSync(skill, { recursive: true })
  const text = '---\nname: greet\ndescription: Says hello\n---\nSay hello.\n'
  writeFileSync(join(skill, 'SKILL.md'), text)
  const editor = await startEditor(w, { words: script({ text: 'One.' }, { text: 'Hello.' }) })
  const sessionId = await editor.open(w.dir)
  const offered = () =>
    editor.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'available_commands_update' ? update.availableCommands : [],
    )
  await vi.waitFor(() => expect(offered()).not.toEqual([]), 10_000)
  const at = (wanted: RegExp) => editor.said.findIndex((message) => wanted.test(JSON.stringify(message)))
  expect(at(/available_commands_update/)).toBeGreaterThan(at(/"result":\{"sessionId"/))
  const names = offered().map(({ name }) => name)
  expect(names.slice(0, 7)).toEqual(['compact', 'plan', 'undo', 'redo', 'rename', 'effort', 'add-dir'])
  expect(names.slice(7, 10)).toEqual(['goal', 'study', 'review'])
  expect(names).toContain('greet')
  expect(await editor.ask(sessionId, '/rename Two lines')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toContain('The title is now: Two lines')
  await expect(editor.ask(sessionId, '/effort enormous')).rejects.toThrow('/effort needs one of')
  // a path is not a command
  expect(await editor.ask(sessionId, '/etc/hosts is what?')).toBe('end_turn')
  expect(await editor.ask(sessionId, '/greet Ann')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toMatch(/One\.[\s\S]*Hello\./)
})

it('runs until the goal of /goal passes, and refuses a sentence', async () => {
  const editor = await startEditor(w, { words: script({ text: 'It passes.' }) })
  const sessionId = await editor.open(w.dir)
  expect(await editor.ask(sessionId, '/goal')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toContain('no goal is set')
  await expect(editor.ask(sessionId, '/goal all tests pass')).rejects.toThrow(/is a sentence/)
  expect(await editor.ask(sessionId, '/goal test -d .')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toContain('It passes.')
})

it('answers /study with the report of a study', async () => {
  w.put('docs/limits.md', '# Limits\n\nA request may hold at most 512 items.\n')
  const editor = await startEditor(w, { words: ['--model', 'builtin/extract'] })
  const sessionId = await editor.open(w.dir)
  expect(await editor.ask(sessionId, '/study How many items may a request hold?')).toBe('end_turn')
  expect(editor.words('agent_message_chunk')).toContain('at most 512 items')
  await expect(editor.ask(sessionId, '/study')).rejects.toThrow('/study needs the question')
})

it('returns a login method that fits the editor, and requires it when no model is configured', async () => {
  const methods = async (capabilities: ClientCapabilities) => {
    const editor = await startEditor(w, { capabilities })
    return [
      editor,
      (await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities }))
        .authMethods,
    ] as const
  }
  const [, terminal] = await methods({ auth: { terminal: true } })
  expect(terminal).toMatchObject([{ type: 'terminal', id: 'anode-login', args: ['--login'] }])
  const [editor, plain] = await methods({})
  expect(plain).toMatchObject([{ id: 'anode-login', description: expect.stringContaining('anode login') }])
  const logIn = (methodId: string) => editor.agent.request('authenticate', { methodId })
  await expect(logIn('anode-login')).rejects.toMatchObject({ code: -32_000, message: /no model is set up/ })
  await expect(logIn('other')).rejects.toThrow('no way to log in')
  const sessionId = await editor.open(w.dir)
  await expect(editor.ask(sessionId, 'hello')).rejects.toMatchObject({ code: -32_000 })
  const started = await w.anode(['acp', '--login'])
  expect([started.code, started.err]).toEqual([2, expect.stringContaining('anode login PROVIDER')])
})

it('does not ask the editor for a file that does not exist, and reports that the editor rejected a write', async () => {
  const create = { name: 'create_file', args: { path: 'new.txt', content: 'x\n' } }
  const editor = await startEditor(w, {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    words: script({ calls: [create] }, { text: 'Done.' }),
    refused: ['new.txt'],
  })
  const sessionId = await editor.open(w.dir)
  await editor.ask(sessionId, 'Make it')
  expect(JSON.stringify(editor.said)).not.toContain('fs/read_text_file')
  expect(JSON.stringify(editor.updates)).toContain('the editor refused to write')
  expect(existsSync(join(w.dir, 'new.txt'))).toBe(false)
})

it('offers profiles as modes, and profile, model and approval as options', async () => {
  const editor = await startEditor(w, { words: script({ text: 'Yes.' }) })
  const made = await editor.agent.request('session/new', { cwd: w.dir, mcpServers: [] })
  const { sessionId } = made
  expect(made.modes?.currentModeId).toBe('craft')
  expect(made.modes?.availableModes.map(({ id }) => id)).toContain('review')
  expect(made.configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ['mode', 'mode'],
    ['model', 'model'],
    ['approval', '_approval'],
  ])
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'review' })
  expect(editor.updates.map(({ update }) => update)).toContainEqual({
    ...{ sessionUpdate: 'current_mode_update', currentModeId: 'review' },
  })
  const set = (configId: string, value: string) =>
    editor.agent.request('session/set_config_option', { sessionId, configId, value })
  const { configOptions } = await set('approval', 'ask')
  expect(configOptions.map(({ currentValue }) => currentValue)).toMatchObject(['review', {}, 'ask'])
  await expect(set('approval', 'everything')).rejects.toThrow('unknown option')
  await expect(editor.agent.request('session/set_mode', { sessionId, modeId: 'nobody' })).rejects.toThrow(
    'nobody',
  )
  expect((await set('model', 'builtin/extract')).configOptions[1]).toMatchObject({
    currentValue: 'builtin/extract',
  })
})

it('reads and writes the buffers of the editor, and overwrites no changed buffer', async () => {
  const path = join(w.dir, 'a.txt')
  const one = { name: 'edit_file', args: { path: 'a.txt', edits: [{ old: 'unsaved', new: 'fixed' }] } }
  const two = { name: 'edit_file', args: { path: 'a.txt', edits: [{ old: 'fixed', new: 'lost' }] } }
  const editor = await startEditor(w, {
    words: [
      ...script(
        { calls: [{ name: 'read', args: { path: 'a.txt' } }] },
        { calls: [one] },
        { calls: [two] },
        { calls: [{ name: 'create_file', args: { path: 'new.txt', content: 'made\n' } }] },
        { text: 'Done.' },
      ),
      ...['--approval', 'ask'],
    ],
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    choose({ toolCall }) {
      // the user keeps typing while the question is open
      if (JSON.stringify(toolCall.rawInput).includes('lost')) editor.buffers.set(path, 'typed\nmended\n')
      return 'once'
    },
  })
  editor.buffers.set(path, 'one\nunsaved\n')
  const session = await editor.open(w.dir)
  expect(await editor.ask(session, 'Fix it')).toBe('end_turn')
  expect(editor.buffers.get(path)).toBe('typed\nmended\n')
  expect(editor.buffers.get(join(w.dir, 'new.txt'))).toBe('made\n')
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  const results = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'tool_call_update' && ['completed', 'failed'].includes(update.status ?? '')
      ? [update]
      : [],
  )
  expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed', 'completed'])
  expect(JSON.stringify(results[0]?.content)).toContain('unsaved')
  expect(JSON.stringify(results[2]?.content)).toContain('stale_read')
})

it('shows questions to the user as a form or as choices', async () => {
  const options = [
    { id: 'pg', label: 'PostgreSQL' },
    { id: 'lite', label: 'SQLite' },
  ]
  const ask = (more: object) => ({
    calls: [{ name: 'ask_user', args: { question: 'Which?', options, ...more } }],
  })
  const answersOf = async (words: string[], capabilities: object, form?: string) => {
    const editor = await startEditor(w, { words, capabilities, choose: () => 'lite' })
    if (form !== undefined) editor.form.set('q1', form)
    await editor.ask(await editor.open(w.dir), 'Ask me')
    return editor.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'tool_call_update' && update.status === 'completed' ? [update.rawOutput] : [],
    )
  }
  const forms = { elicitation: { form: {} } }
  const replies = script(ask({}), ask({ allow_freeform: true }), { text: 'Good.' })
  expect(await answersOf(replies, {})).toMatchObject([
    { status: 'answered', answers: [{ option: 'lite' }] },
    { status: 'answered', answers: [{ option: 'lite' }] },
  ])
  expect(await answersOf(replies, forms, 'pg')).toMatchObject([
    { answers: [{ option: 'pg' }] },
    { answers: [{ option: 'pg' }] },
  ])
  expect(
    await answersOf(script(ask({ allow_freeform: true }), { text: 'Good.' }), forms, 'Oracle'),
  ).toMatchObject([{ answers: [{ text: 'Oracle' }] }])
  expect(await answersOf(script(ask({}), { text: 'Good.' }), forms)).toMatchObject([{ status: 'dismissed' }])
})

it('stores images, quoted files and links in the workspace', async () => {
  const editor = await startEditor(w, { words: script({ text: 'Seen.' }) })
  const sessionId = await editor.open(w.dir)
  const { stopReason } = await editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'Look at ' },
      { type: 'resource_link', name: 'a.txt', uri: `file://${w.dir}/a.txt#L2` },
      { type: 'resource', resource: { uri: 'file:///x/b.txt', text: 'quoted' } },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  })
  expect(stopReason).toBe('end_turn')
  const shown = await w.anode(['threads', 'show', 'last', '--json'])
  expect(shown.out).toContain('quoted')
  expect(shown.out).toMatch(/2\\ttwo/)
  await expect(
    editor.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'audio', mimeType: 'audio/wav', data: '' }],
    }),
  ).rejects.toThrow('sound')
})

it('starts the servers that the editor configures, and asks before their tools run', async () => {
  const server = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')
  const editor = await startEditor(w, {
    words: script({ calls: [{ name: 'mcp__memory__read_graph', args: {} }] }, { text: 'Empty.' }),
  })
  const env = [{ name: 'MEMORY_FILE_PATH', value: join(w.data, '..', '$' + '{HOME}.json') }]
  const sse = { type: 'sse', name: 'old', url: 'http://127.0.0.1:1/', headers: [] }
  const session = await editor.open(w.dir, {
    mcpServers: [{ name: 'memory', command: process.execPath, args: [server], env }, sse],
  })
  expect(await editor.ask(session, 'What do you remember?')).toBe('end_turn')
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual(['mcp__memory__read_graph'])
  expect(editor.words('agent_thought_chunk')).toContain('SSE is not spoken')
}, 30_000)

it('reports an error in the response to a bad request, and keeps running', async () => {
  const editor = await startEditor(w, { words: script({ text: 'Here.' }) })
  await expect(editor.open('relative')).rejects.toThrow('not an absolute path')
  await expect(editor.open('/no/such/folder')).rejects.toThrow('is not a folder')
  editor.child.stdin?.write('garbage\n[1,2]\n{"jsonrpc":"2.0","id":7,"method":"no/such"}\n\xff\xfe\n')
  const session = await editor.open(w.dir)
  expect(await editor.ask(session, 'There?')).toBe('end_turn')
  const codes = editor.said.flatMap((message) =>
    'error' in message ? [(message.error as { code: number }).code] : [],
  )
  expect(codes).toEqual(expect.arrayContaining([-32_700, -32_600, -32_601]))
})

it('ends with its editor, whichever pipe closes first', async () => {
  for (const end of ['stdin', 'stdout'] as const) {
    const child = spawn(process.execPath, [program, 'acp'], {
      cwd: w.dir,
      env: { PATH: process.env.PATH, HOME: w.data, ANODE_DATA_DIR: w.data },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n')
    await once(child.stdout, 'data')
    if (end === 'stdin') child.stdin.end()
    else {
      child.stdout.destroy()
      child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"session/list","params":{}}\n')
    }
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  }
})
