// Session with an agent of another program, which works in a worktree of a build. Anode is its client.
import { Readable, Transform, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ClientContext,
  ndJsonStream,
  type PromptResponse,
  type StopReason,
} from '@agentclientprotocol/sdk/unstable'
import { messageOf } from '../../../base/errors.ts'
import type { ReportedCall } from '../../../build/entries.ts'
import type { OwnedProcess } from '../../../process/process-command.ts'
import { clientApp, type ProgramNews } from './acp-client.ts'
import { WorktreeTerminals } from './acp-terminals.ts'
import type { ProgramWorktree } from './program-worktree.ts'

interface ProgramSessionOptions {
  /** Process of the started program. */
  child: OwnedProcess
  /** Name of the program in messages. */
  name: string
  /** The worktree of the program, with functions to run commands in it. */
  place: ProgramWorktree
  /** Milliseconds without a message after which the session ends. */
  silenceMs: number
}

export interface ProgramSession {
  /**
   * Sends a prompt. Resolves to the reason why the turn ended. Rejects if the program ends, sends nothing for
   * `silenceMs`, sends a line that is not a message, or refuses.
   */
  prompt(text: string): Promise<StopReason>
  /** Text of the agent since the last prompt, at most the last 8,000 characters. */
  readonly text: string
  /** Cost in US dollars as the program reports it; undefined without a report. */
  readonly usd: number | undefined
  /** Calls that the program has reported, at most the first 200. */
  readonly calls: readonly ReportedCall[]
  /** Asks the program to end its turn. The open `prompt` resolves when the program does so. */
  cancel(): void
  /** Closes the connection and ends the terminals. The process of the program is not stopped. */
  close(): Promise<void>
}

/**
 * Opens a session in the worktree. Rejects if the program ends, sends nothing for `silenceMs`, sends a line
 * that is not a message, refuses, or needs a login.
 */
export async function openProgramSession({
  child,
  name,
  place,
  silenceMs,
}: ProgramSessionOptions): Promise<ProgramSession> {
  const news: ProgramNews = { text: '', usd: undefined, calls: new Map(), waiting: 0 }
  const terminals = new WorktreeTerminals(place)
  const isWaiting = () => news.waiting > 0
  const watch = watchProgram(child, { name, silenceMs, isWaiting })
  const connection = clientApp(news, place, terminals).connect(
    ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(watch.output) as unknown as ReadableStream<Uint8Array>,
    ),
  )
  const { agent } = connection
  const close = async () => {
    watch.stop()
    connection.close()
    await terminals.close()
  }
  try {
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
    const initialize = { protocolVersion: 1, clientCapabilities }
    await watch.guard(agent.request('initialize', initialize))
    const { sessionId } = await watch.guard(openSession(agent, place.cwd, name))
    return {
      async prompt(text) {
        news.text = ''
        const prompt = [{ type: 'text' as const, text }]
        const turn = agent.request<PromptResponse>('session/prompt', { sessionId, prompt })
        return (await watch.guard(turn)).stopReason
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
      cancel: () => void agent.notify('session/cancel', { sessionId }).catch(() => undefined),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
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

interface WatchedProgram {
  name: string
  silenceMs: number
  /** Returns true while the program waits for a reply of Anode, so that its silence does not count. */
  isWaiting(): boolean
}

/** Watches the output of the program. `guard` wraps a promise and rejects as soon as the program fails. */
function watchProgram(child: OwnedProcess, { name, silenceMs, isWaiting }: WatchedProgram) {
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
    const end = () => (isWaiting() ? restart() : fail(new Error(`${name} sent nothing for ${seconds} s`)))
    timer = setTimeout(end, silenceMs)
  }
  return {
    output: child.stdout.pipe(checkLines(restart, (line) => fail(garbageError(name, line)))),
    guard<T>(work: Promise<T>): Promise<T> {
      restart()
      // the closed connection is reported before the end of the program, but only the end has the reason
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

/** Longest line in bytes. A longer one ends the session. */
const maxLine = 32 << 20

/**
 * Returns a stream that passes empty lines and lines with a JSON object, list or null. Calls `onGarbage` for
 * the first other line or a line of more than 32 MiB, and passes nothing after it.
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
      if (rest.length > maxLine && !isBroken) {
        isBroken = true
        onGarbage('a line of more than 32 MiB')
      }
      if (isBroken) rest = Buffer.alloc(0)
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
