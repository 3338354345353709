// The editor's terminals as a command host, through its `terminal/…` requests.
import {
  type AgentContext,
  type CreateTerminalResponse,
  RequestError,
  type TerminalOutputResponse,
  type WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk/unstable'
import { FailureError, messageOf } from '../base/errors.ts'
import { waitAtMost } from '../base/time-limit.ts'
import type { CommandHost, HostedCommand } from '../process/process-command.ts'

/**
 * Default time in milliseconds to wait for the editor's answer to one request. The request that waits for the
 * exit of a command has no limit.
 */
const usualReplyMs = 10_000
const methodNotFound = -32_601

interface TerminalOptions {
  session(): string
  /** Called with the id of each opened terminal and of the call that uses it. */
  opened(call: string, terminal: string): void
  replyMs?: number
}

/**
 * Sends the request `terminal/METHOD` to the editor; `step` describes it in error messages, such as "send the
 * output". Rejects with FailureError `io` on an error, and if `replyMs` pass without a reply.
 */
type AskEditor = <T>(method: string, params: object, step: string) => Promise<Partial<T>>

/** Returns a command host, or undefined if the editor offers no terminals. */
export function openClientTerminal(
  peer: AgentContext,
  isOffered: boolean | undefined,
  { session, opened, replyMs = usualReplyMs }: TerminalOptions,
): CommandHost | undefined {
  if (isOffered !== true) return undefined
  const send = <T>(method: string, params: object) =>
    peer.request<T>(`terminal/${method}`, { sessionId: session(), ...params })
  const ask: AskEditor = async (method, params, step) => {
    const answer = await waitAtMost(send<object>(method, params).catch(refuseStep(step)), replyMs)
    if (typeof answer === 'string') throw lateReply(step, replyMs)
    return Object(answer.value)
  }
  return {
    async start({ file, args, cwd }, { call, maxBytes, signal }) {
      const params = { command: file, args: [...args], cwd, outputByteLimit: maxBytes }
      const reply = send<CreateTerminalResponse>('create', params)
      const answer = await waitAtMost(reply, replyMs, signal).catch((error) => {
        if (error instanceof RequestError && error.code === methodNotFound) return undefined
        return refuseStep('open a terminal')(error)
      })
      if (answer === undefined) return undefined
      if (typeof answer === 'string') {
        // a terminal that is opened too late is closed at once
        reply.then(({ terminalId }) => ask('release', { terminalId }, 'close it')).catch(() => undefined)
        if (answer === 'late') throw lateReply('open a terminal', replyMs)
        throw new FailureError({ code: 'cancelled', message: 'the command was cancelled' })
      }
      const { terminalId } = Object(answer.value) as Partial<CreateTerminalResponse>
      if (typeof terminalId !== 'string' || terminalId === '')
        throw brokenTerminal('the editor opened a terminal without an id')
      opened(call, terminalId)
      const exited = send<WaitForTerminalExitResponse>('wait_for_exit', { terminalId })
        .catch(refuseStep('report how the command ended'))
        .then(readExit)
      exited.catch(() => undefined)
      return { exited, ...openTerminal(terminalId, maxBytes, ask) }
    },
  }
}

function openTerminal(terminalId: string, maxBytes: number, ask: AskEditor): Omit<HostedCommand, 'exited'> {
  return {
    async readOutput() {
      const reply = await ask<TerminalOutputResponse>('output', { terminalId }, 'send the output')
      const { output, truncated } = reply
      if (typeof output !== 'string') throw brokenTerminal('the editor sent output that is not text')
      const bytes = Buffer.from(output)
      if (bytes.length <= maxBytes) return { text: output, isTruncated: truncated === true }
      return { text: bytes.subarray(-maxBytes).toString(), isTruncated: true }
    },
    async kill() {
      await ask('kill', { terminalId }, 'end the command').catch(() => undefined)
    },
    async release() {
      await ask('release', { terminalId }, 'close the terminal').catch(() => undefined)
    },
  }
}

/**
 * Returns the exit code and the signal of a reply; each is null if it is missing or invalid, because a
 * missing code must not count as a success.
 */
function readExit(reply: unknown): { exit: number | null; signal: string | null } {
  const { exitCode, signal } = Object(reply) as Partial<WaitForTerminalExitResponse>
  const exit = typeof exitCode === 'number' && Number.isInteger(exitCode) ? exitCode : null
  return { exit, signal: typeof signal === 'string' && signal !== '' ? signal : null }
}

const refuseStep =
  (step: string) =>
  (error: unknown): never => {
    const verb = error instanceof RequestError ? 'refused to' : 'did not'
    throw brokenTerminal(`the editor ${verb} ${step}: ${messageOf(error)}`, error)
  }

const lateReply = (step: string, ms: number) =>
  brokenTerminal(`the editor did not ${step} within ${ms / 1_000} seconds`)

const brokenTerminal = (message: string, cause?: unknown) =>
  new FailureError(
    { code: 'io', message, hint: 'check whether the command has run before you call it again' },
    cause,
  )
