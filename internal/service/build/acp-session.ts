// One session with an agent of another program: it works in the worktree, and Anode is its client.
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClientContext,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable'
import { messageOf } from '../../base/errors.ts'
import type { ReportedCall } from '../../build/entries.ts'
import type { OwnedProcess } from '../../process/process-command.ts'

interface ProgramSessionOptions {
  /** Process of the started program. */
  child: OwnedProcess
  /** Name of the program in messages. */
  name: string
  /** Real path of the worktree. */
  cwd: string
  /** Milliseconds without a message after which the session ends. */
  silenceMs: number
}

export interface ProgramSession {
  /** Sends a prompt. Rejects if the program ends, is silent, sends garbage or refuses. */
  prompt(text: string): Promise<void>
  /** Text of the agent since the last prompt, at most the last 8,000 characters. */
  readonly text: string
  /** Cost in US dollars as the program reports it; undefined without a report. */
  readonly usd: number | undefined
  /** The first 200 calls that the program has reported. */
  readonly calls: readonly ReportedCall[]
  close(): void
}

/**
 * Opens a session in the worktree. Rejects if the program ends, is silent, sends garbage or refuses, and if
 * it needs a login.
 */
export async function openProgramSession({
  child,
  name,
  cwd,
  silenceMs,
}: ProgramSessionOptions): Promise<ProgramSession> {
  const news: ProgramNews = { text: '', usd: undefined, calls: new Map() }
  const watch = watchProgram(child, name, silenceMs)
  const connection = clientApp(news, cwd, child.isSandboxed).connect(
    ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(watch.output) as unknown as ReadableStream<Uint8Array>,
    ),
  )
  const { agent } = connection
  const close = () => {
    watch.stop()
    connection.close()
  }
  try {
    const fs = { readTextFile: true, writeTextFile: true }
    const initialize = { protocolVersion: 1, clientCapabilities: { fs } }
    await watch.guard(agent.request('initialize', initialize))
    const { sessionId } = await watch.guard(openSession(agent, cwd, name))
    return {
      async prompt(text) {
        news.text = ''
        await watch.guard(agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }))
      },
      get text() {
        return news.text
      },
      get usd() {
        return news.usd
      },
      get calls() {
        return [...news.calls.values()]
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** What a program has reported so far. */
interface ProgramNews {
  text: string
  usd: number | undefined
  /** Calls by their id in the protocol. */
  calls: Map<string, ReportedCall>
}

/** Limits of what is stored: the number of calls, and the characters of the title of one. */
const maxCalls = 200
const maxTitle = 200

function noteCall(
  { calls }: ProgramNews,
  { toolCallId, title, kind, status }: Pick<ToolCallUpdate, 'toolCallId' | 'title' | 'kind' | 'status'>,
): void {
  const known = calls.get(toolCallId)
  if (!known && calls.size >= maxCalls) return
  calls.set(toolCallId, {
    title: (title ?? known?.title ?? '').slice(0, maxTitle),
    kind: kind ?? known?.kind ?? null,
    status: status ?? known?.status ?? null,
  })
}

/** Error code of the protocol for a program that needs a login. */
const authRequired = -32_000

async function openSession(agent: ClientContext, cwd: string, name: string) {
  try {
    return await agent.request('session/new', { cwd, mcpServers: [] })
  } catch (error) {
    if ((error as { code?: unknown }).code !== authRequired) throw error
    throw new Error(`${name} needs a login: start the program once and log in (${messageOf(error)})`)
  }
}

/** Longest wait in milliseconds for the end of a program whose connection is closed. */
const endMs = 3_000

/** Watches the output of the program. `guard` rejects as soon as the program fails. */
function watchProgram(child: OwnedProcess, name: string, silenceMs: number) {
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-2_000)
  })
  child.stdin.on('error', () => undefined)
  void child.exited.then(({ exit, signal }) =>
    fail(new Error(`${name} ended (${exit === null ? signal : `exit ${exit}`})\n${errors}`.trim())),
  )
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    const seconds = Math.round(silenceMs / 1000)
    timer = setTimeout(() => fail(new Error(`${name} sent nothing for ${seconds} s`)), silenceMs)
  }
  return {
    output: child.stdout.pipe(checkLines(restart, (line) => fail(garbageError(name, line)))),
    guard<T>(work: Promise<T>): Promise<T> {
      restart()
      // the end of the program is awaited, because a closed connection is reported before it and only the end
      // has the reason
      const explained = work.catch(async (error: unknown) => {
        clearTimeout(timer)
        if (/connection closed/i.test(messageOf(error)))
          await Promise.race([failed, sleep(endMs, undefined, { ref: false })])
        throw error
      })
      return Promise.race([explained, failed]).finally(() => clearTimeout(timer))
    },
    stop: () => clearTimeout(timer),
  }
}

const garbageError = (name: string, line: string) =>
  new Error(`${name} printed a line that is not a message: ${line.slice(0, 200)}`)

/** Longest line in bytes that is read. */
const maxLine = 32 << 20

/**
 * Passes empty lines and lines with a JSON object or list. Calls `onGarbage` for the first other line and for
 * a line of more than 32 MiB, and passes nothing after it.
 */
function checkLines(onLine: () => void, onGarbage: (line: string) => void): Transform {
  let rest = Buffer.alloc(0)
  let isBroken = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      rest = Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end >= 0 && !isBroken; end = rest.indexOf(10)) {
        const line = rest.subarray(0, end + 1)
        rest = rest.subarray(end + 1)
        if (isMessage(line)) this.push(line)
        else isBroken = true
        if (isBroken) onGarbage(line.toString('utf8').trim())
        else onLine()
      }
      if (rest.length > maxLine && !isBroken) onGarbage('a line of more than 32 MiB')
      if (isBroken || rest.length > maxLine) rest = Buffer.alloc(0)
      done()
    },
  })
}

function isMessage(line: Buffer): boolean {
  const text = line.toString('utf8').trim()
  if (text === '') return true
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/**
 * Returns the client side of the protocol. It answers requests for permissions and for files of the worktree,
 * and stores what the agent reports in `news`: text, cost and calls.
 */
function clientApp(news: ProgramNews, cwd: string, isSandboxed: boolean) {
  const app = client({ name: 'anode' })
  app.onNotification('session/update', ({ params: { update } }) => {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      news.text = `${news.text}${update.content.text}`.slice(-8_000)
    if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
      news.usd = update.cost.amount
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
      noteCall(news, update)
  })
  app.onRequest('session/request_permission', ({ params }) => answerPermission(params, isSandboxed))
  app.onRequest('fs/read_text_file', async ({ params }) => {
    const text = await readFile(await insidePath(cwd, params.path), 'utf8')
    const start = Math.max(0, (params.line ?? 1) - 1)
    const lines = text.split('\n')
    const isWhole = params.line == null && params.limit == null
    return { content: isWhole ? text : lines.slice(start, start + (params.limit ?? lines.length)).join('\n') }
  })
  app.onRequest('fs/write_text_file', async ({ params }) => {
    await writeFile(await insidePath(cwd, params.path), params.content)
    return {}
  })
  return app
}

/**
 * Allows a call once if the program runs in a sandbox, else denies it. If the program offers no such answer,
 * the request is cancelled.
 */
function answerPermission(
  { options }: RequestPermissionRequest,
  isSandboxed: boolean,
): RequestPermissionResponse {
  const wanted = isSandboxed ? 'allow_once' : 'reject_once'
  const option = options.find(({ kind }) => kind === wanted)
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}

/**
 * Returns the absolute path if its directory and the file are in the worktree and not in `.git`. Rejects for
 * any other path.
 */
async function insidePath(cwd: string, path: string): Promise<string> {
  const whole = resolve(cwd, path)
  const real = await realpath(whole).catch(async () => resolve(await realpath(dirname(whole)), whole))
  const folder = await realpath(dirname(whole))
  const isInside = (one: string) => one === cwd || one.startsWith(`${cwd}${sep}`)
  const isGit = whole === `${cwd}${sep}.git` || whole.startsWith(`${cwd}${sep}.git${sep}`)
  if (isInside(folder) && isInside(real) && !isGit) return whole
  throw new Error(`${path} is outside of the worktree`)
}
