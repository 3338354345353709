// The built program in an editor with terminals: which commands run there, and how the editor shows them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { type Editor, startEditor } from '../support/acp-client.ts'
import { type EditorTerminals, serveTerminals } from '../support/acp-terminals.ts'
import { type World, withoutBubblewrap, world } from '../support/anode.ts'

let w: World
beforeEach(() => {
  const made = world()
  w = made
  // after the editors that a test has opened
  onTestFinished(() => made.remove())
})

interface Opened {
  editor: Editor
  terminals: EditorTerminals
  session: string
}

async function open(replies: object[], approval: string, config: object, terminal = true): Promise<Opened> {
  const file = join(w.data, '..', 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const settings = join(w.data, '..', 'config.json')
  writeFileSync(settings, JSON.stringify(config))
  const box: { terminals?: EditorTerminals } = {}
  const editor = await startEditor(w, {
    words: ['--model', `script:${file}`, '--approval', approval],
    env: { ANODE_CONFIG: settings, EDITOR: 'true' },
    capabilities: { terminal },
    serve: (app) => {
      box.terminals = serveTerminals(app)
    },
    choose: () => 'once',
  })
  const { terminals } = box
  if (!terminals) throw new Error('no terminals')
  onTestFinished(() => terminals.close())
  return { editor, terminals, session: await editor.open(w.dir) }
}

const call = (name: string, args: object) => ({ calls: [{ name, args }] })
const steps = ({ terminals }: Opened) => terminals.requests.map((one) => one.split(' ')[0])
const updatesOf = ({ editor }: Opened) =>
  editor.updates.flatMap(({ update }) => (update.sessionUpdate === 'tool_call_update' ? [update] : []))
type Update = Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>
const terminalsIn = ({ content }: Update) =>
  (content ?? []).flatMap((one) => (one.type === 'terminal' ? [one.terminalId] : []))

it('runs commands without a sandbox in terminals that their calls show', async () => {
  const opened = await open(
    [
      call('shell', { command: 'echo said; exit 3' }),
      call('shell', { command: ['echo a > a.txt', 'cat a.txt'] }),
      { text: 'Done.' },
    ],
    'ask',
    { sandbox: 'off', toolset: 'hooman' },
  )
  const { editor, session } = opened
  expect(await editor.ask(session, 'Run them')).toBe('end_turn')
  expect(steps(opened).filter((step) => step === 'create')).toHaveLength(3)
  expect(steps(opened).filter((step) => step === 'release')).toHaveLength(3)
  expect(editor.asked.length).toBeGreaterThanOrEqual(2)
  const updates = updatesOf(opened)
  const first = updates.filter((update) => terminalsIn(update).includes('terminal-1'))
  // shown while it runs, and still at its end
  expect(first.some(({ status }) => status === undefined)).toBe(true)
  expect(first.at(-1)).toMatchObject({ status: 'failed', content: [{ terminalId: 'terminal-1' }] })
  expect(terminalsIn(updates.at(-1) as Update)).toEqual(['terminal-2', 'terminal-3'])
  // a call is known to the editor before its terminal is
  for (const { toolCallId } of first) {
    const known = editor.updates.findIndex(
      ({ update }) => update.sessionUpdate === 'tool_call' && update.toolCallId === toolCallId,
    )
    const shown = editor.updates.findIndex(({ update }) => update === first[0])
    expect(known).toBeGreaterThanOrEqual(0)
    expect(known).toBeLessThan(shown)
  }
  expect(editor.stderr()).toBe('')
  const undone = await w.anode(['undo', '--yes'])
  expect(undone.out + undone.err).toContain('a.txt')
})

it.skipIf(withoutBubblewrap().length === 0)('keeps a command with a sandbox in its own process', async () => {
  const opened = await open([call('bash', { command: 'echo said' }), { text: 'Done.' }], 'auto', {})
  expect(await opened.editor.ask(opened.session, 'Run it')).toBe('end_turn')
  expect(opened.terminals.requests).toEqual([])
  expect(JSON.stringify(updatesOf(opened).at(-1)?.content)).toContain('said')
})

it('uses no terminal that is not offered, none for jobs, and none for a command that is denied', async () => {
  const run = call('bash', { command: 'echo said' })
  const none = await open([run, { text: 'Done.' }], 'unrestricted', { sandbox: 'off' }, false)
  expect(await none.editor.ask(none.session, 'Run it')).toBe('end_turn')
  expect(none.terminals.requests).toEqual([])
  const denied = await open(
    [run, call('bash', { command: 'sleep 0.1', background: true }), { text: 'Done.' }],
    'unrestricted',
    { sandbox: 'off', permissions: [{ tool: 'bash', command: 'echo', action: 'deny' }] },
  )
  await denied.editor.ask(denied.session, 'Run it')
  expect(denied.terminals.requests).toEqual([])
})

it('a cancel ends the command in its terminal', async () => {
  const command = 'touch begun; sleep 300'
  const opened = await open([call('bash', { command })], 'unrestricted', { sandbox: 'off' })
  const ended = opened.editor.ask(opened.session, 'Run it')
  await expect.poll(() => steps(opened), { timeout: 20_000 }).toContain('wait_for_exit')
  await opened.editor.agent.notify('session/cancel', { sessionId: opened.session })
  expect(await ended).toBe('cancelled')
  expect(steps(opened).at(-1)).toBe('release')
  expect(updatesOf(opened).at(-1)).toMatchObject({ status: 'failed' })
})
