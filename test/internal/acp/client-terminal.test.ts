// Commands in the terminals of an editor: each ends as a process of Anode does, also with an
// editor that fails.
import { type AnyMessage, agent, client } from '@agentclientprotocol/sdk/unstable'
import { expect, it, onTestFinished } from 'vitest'
import { openClientTerminal } from '../../../internal/acp/client-terminal.ts'
import { FailureError } from '../../../internal/base/errors.ts'
import { runHostedCommand } from '../../../internal/process/hosted-command.ts'
import type { CommandOutcome, ProcessCommand } from '../../../internal/process/process-command.ts'
import { watchPipe } from '../../../internal/tool-support/pipe-status.ts'
import { serveTerminals } from '../../support/acp-terminals.ts'
import { bash, processesWith, runnerIn, scratch } from '../process/scratch.ts'

/** Returns the response of the editor to send for a request. undefined: the response is never sent. */
type Wire = (step: string, reply: AnyMessage) => AnyMessage | undefined

/**
 * Opens the program with its environment, and an editor with another environment, connected by the protocol.
 */
function openEditor(wire: Wire = (_, reply) => reply, replyMs = 20_000) {
  const dir = scratch()
  const env = { PATH: process.env.PATH, HOME: dir, ODD: `it's "odd"\n$HOME\`x\`` }
  const runner = runnerIn(dir, { env, keep: ['ODD'] })
  const app = client({ name: 'editor' })
  const terminals = serveTerminals(app, {
    ...{ PATH: process.env.PATH, EDITOR_SECRET: 'seen', BASH_ENV: `${dir}/missing`, LANG: 'C' },
    'BASH_FUNC_true%%': '() { echo function of the editor; }',
  })
  const asked = new Map<unknown, string>()
  const toEditor = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && 'id' in message) asked.set(message.id, message.method.split('/')[1] ?? '')
      controller.enqueue(message)
    },
  })
  const toProgram = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const step = 'id' in message && !('method' in message) ? asked.get(message.id) : undefined
      const sent = step === undefined ? message : wire(step, message)
      if (sent) controller.enqueue(sent)
    },
  })
  app.connect({ readable: toEditor.readable, writable: toProgram.writable })
  const connection = agent({ name: 'anode' }).connect({
    ...{ readable: toProgram.readable, writable: toEditor.writable },
  })
  onTestFinished(() => {
    terminals.close()
    connection.close()
  })
  const opened: string[] = []
  const host = openClientTerminal(connection.client, true, {
    ...{ session: () => 's1', replyMs },
    opened: (call, terminal) => opened.push(`${call} ${terminal}`),
  })
  if (!host) throw new Error('no host')
  return {
    ...{ dir, runner, terminals, connection, opened },
    runHosted: (command: ProcessCommand) =>
      runner.perform((context, closing) => runHostedCommand(context, command, { host, call: 'c1' }, closing)),
  }
}

/** Returns the outcome that a model can see. A terminal does not separate the streams. */
const shown = ({ exit, signal, ended, leaked, combined, report, whole }: CommandOutcome) => ({
  ...{ exit, signal, ended, leaked, bytes: combined.bytes, cut: combined.cut },
  // a report begins with the process id of its shell
  report: report?.replace(/^\d+\./gm, ''),
  isWhole: whole === undefined,
})

const piped = watchPipe('true | false | true')
const commands: [name: string, line: string, more?: Partial<ProcessCommand>][] = [
  ['output', 'echo one; echo two >&2'],
  ['no output', 'true'],
  ...[1, 2, 3, 77, 126, 127, 255].map((code): (typeof commands)[number] => [`exit ${code}`, `exit ${code}`]),
  ...['TERM', 'SEGV', 'KILL'].map((name): (typeof commands)[number] => [
    `signal ${name}`,
    `kill -${name} $$`,
  ]),
  ['environment', 'env | grep -v -e ^TMP -e ^TEMP -e ^ANODE_RUN -e ^_= -e ^SHLVL | sort'],
  ['odd value', 'printf %s "$ODD"'],
  ['TMPDIR that is there', 'touch "$TMPDIR/a" && ls "$TMPDIR"'],
  ['input', 'cat; echo end', { input: 'line 1\nline 2' }],
  ['no input', 'cat; echo end'],
  ['quotes', `echo 'a  b' "c\\"d" $'e\\tf' \\$HOME`],
  ['Unicode', 'echo größe 漢字 🙂'],
  ['pipe report', piped?.command ?? '', { report: piped?.report ?? '' }],
  ['process left behind', 'sleep 300 & echo started'],
  ['process in a session of its own', 'setsid sleep 300 >/dev/null 2>&1 & sleep 0.2; echo started'],
  ['timeout', 'echo before; sleep 300', { timeoutMs: 1_500 }],
  ['timeout with descendants', 'sleep 300 & setsid sleep 300 & sleep 300', { timeoutMs: 1_500 }],
  ['directory', 'pwd', { cwd: '/' }],
  ['long output', 'seq 1 400000', { whole: true }],
  ['long output in memory', 'seq 1 400000'],
]

it.each(commands)(
  '%s is the same as in a process of Anode',
  async (_, line, more = {}) => {
    const { dir, runner, runHosted, terminals } = openEditor()
    const command = {
      ...bash(line, dir, more),
      sandbox: {
        ...{ kind: 'workspace' as const, folders: [dir], protected: [], network: [], write: [] },
        ...{ revealed: [], history: false, opened: [] },
      },
    }
    const hosted = (await runHosted(command)) as CommandOutcome
    const own = await runner.run(command)
    expect(shown(hosted)).toEqual(shown(own))
    expect(hosted.combined.text).toBe(own.combined.text)
    expect(terminals.requests.at(-1)).toMatch(/^release /)
    expect(processesWith(`ANODE_RUN`).filter((pid) => processesWith(dir).includes(pid))).toEqual([])
  },
  60_000,
)

const result = (value: unknown): Wire => {
  return (_, reply) => ({ jsonrpc: '2.0', id: (reply as { id: number }).id, result: value }) as AnyMessage
}
const refusal = (code: number, message: string): Wire => {
  return (_, reply) =>
    ({ jsonrpc: '2.0', id: (reply as { id: number }).id, error: { code, message } }) as AnyMessage
}
const at =
  (step: string, wire: Wire): Wire =>
  (now, reply) =>
    now === step ? wire(now, reply) : reply
const silent: Wire = () => undefined

const failing: [name: string, wire: Wire, expected: RegExp][] = [
  ['refuses a terminal', at('create', refusal(-32_000, 'not now')), /refused to open a terminal: not now/],
  ['never opens one', at('create', silent), /did not open a terminal within 0.3 seconds/],
  ...[null, 7, 'id', {}, { terminalId: 7 }, { terminalId: '' }].map((value): (typeof failing)[number] => [
    `opens ${JSON.stringify(value)}`,
    at('create', result(value)),
    /without an id/,
  ]),
  [
    'refuses the end',
    at('wait_for_exit', refusal(-32_603, 'gone')),
    /refused to report how the command ended/,
  ],
  ['refuses the output', at('output', refusal(-32_603, 'gone')), /refused to send the output/],
  ['never sends the output', at('output', silent), /did not send the output within 0.3 seconds/],
  ...[null, {}, { output: 7 }, { output: ['a'] }].map((value): (typeof failing)[number] => [
    `sends the output ${JSON.stringify(value)}`,
    at('output', result(value)),
    /output that is not text/,
  ]),
]

it.each(failing)('an editor that %s fails the call and leaves no process', async (_, wire, expected) => {
  const { dir, runHosted } = openEditor(wire, 300)
  const error = await runHosted(bash(`sleep 0.1; : ${dir}`, dir, { timeoutMs: 20_000 })).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(FailureError)
  expect((error as FailureError).failure).toMatchObject({
    code: 'io',
    hint: expect.stringContaining('check'),
  })
  expect((error as FailureError).message).toMatch(expected)
  await expect.poll(() => processesWith(`sleep 0.1; : ${dir}`)).toEqual([])
})

it.each([
  ['nothing', {}],
  ['null', null],
  ['texts', { exitCode: '0' }],
  ['fractions', { exitCode: 0.5, signal: 7 }],
])('an end of %s is not exit code 0', async (_, value) => {
  const { dir, runHosted } = openEditor(at('wait_for_exit', result(value)))
  expect(await runHosted(bash('echo a', dir))).toMatchObject({ exit: null, signal: null, ended: undefined })
})

it('an editor without terminals starts nothing', async () => {
  const { dir, runHosted, opened } = openEditor(at('create', refusal(-32_601, 'Method not found')))
  expect(await runHosted(bash('echo a', dir))).toBeUndefined()
  expect(opened).toEqual([])
})

it('notes output that an editor drops, and truncates output beyond the limit', async () => {
  const dropped = openEditor(at('output', result({ output: 'end\n', truncated: true })))
  const outcome = (await dropped.runHosted(bash('echo a', dropped.dir))) as CommandOutcome
  expect(outcome.combined.text).toBe('… the beginning of the output was dropped …\nend\n')
  const flood = openEditor(at('output', result({ output: `${'a'.repeat(9_000_000)}z`, truncated: false })))
  const large = (await flood.runHosted(bash('echo a', flood.dir))) as CommandOutcome
  expect(large.combined.bytes).toBeLessThan(4.2 * 1024 * 1024)
  expect(large.combined.text.endsWith('z')).toBe(true)
})

it.each([
  ['that never reports an end', at('wait_for_exit', silent)],
  ['that never ends a command', (step: string, reply: AnyMessage) => (step === 'kill' ? undefined : reply)],
  ['that never answers again', (step: string, reply: AnyMessage) => (step === 'create' ? reply : undefined)],
])(
  'the time limit and a cancel also end a command of an editor %s',
  async (_, wire) => {
    const { dir, runHosted } = openEditor(wire, 300)
    const line = `sleep 300; : ${dir}`
    expect(await runHosted(bash(line, dir, { timeoutMs: 700 }))).toMatchObject({ ended: 'timeout' })
    const stop = new AbortController()
    const cancelled = runHosted(bash(line, dir, { signal: stop.signal }))
    await expect.poll(() => processesWith(line).length).toBeGreaterThan(0)
    stop.abort()
    expect(await cancelled).toMatchObject({ ended: 'cancelled' })
    await expect.poll(() => processesWith(line)).toEqual([])
  },
  40_000,
)

it('closes a terminal that is opened after the cancel', async () => {
  const { dir, runHosted, terminals } = openEditor()
  const stop = new AbortController()
  const cancelled = runHosted(bash('sleep 300', dir, { signal: stop.signal }))
  stop.abort()
  const end = await cancelled.then(
    (outcome) => outcome?.ended,
    (error) => (error as FailureError).failure.code,
  )
  expect(end).toBe('cancelled')
  await expect
    .poll(() => terminals.requests.filter((one) => one.startsWith('release')).length)
    .toBe(terminals.requests.filter((one) => one.startsWith('create')).length)
})

it('a lost connection fails the call and leaves no process', async () => {
  const { dir, runHosted, connection } = openEditor()
  const line = `sleep 300; : ${dir}`
  const broken = runHosted(bash(line, dir)).catch((error) => error)
  await expect.poll(() => processesWith(line).length).toBeGreaterThan(0)
  connection.close()
  expect((await broken).failure).toMatchObject({ code: 'io' })
  await expect.poll(() => processesWith(line)).toEqual([])
})
