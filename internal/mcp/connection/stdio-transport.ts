// Transport to a local server: one JSON object a line over the pipes of a child process.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { FailureError } from '../../base/errors.ts'
import type { OwnedProcess, SandboxRequest, SpawnProcess } from '../../process/process-command.ts'
import type { ServerLaunch } from '../config/server-config.ts'
import { createDelivery } from './message-delivery.ts'

/**
 * Largest number of bytes of one message, and of consecutive output that contains no message. Above this
 * number, the connection is closed.
 */
const maxMessageBytes = 32 << 20
/**
 * Number of characters that are kept of the end of standard error, because they usually explain why
 * a server ended.
 */
const maxStderrChars = 4096

interface StdioTransport extends Transport {
  /** Fields that the client of the protocol expects on a transport to a local server. */
  readonly pid: number | null
  readonly stderr: null
  /** Returns the last 4,096 characters of standard error, without spaces around them. */
  stderrText(): string
}

/**
 * Opens the transport. Lines that are not messages are skipped; if their bytes since the last message exceed
 * the largest size of a message, the transport reports an error and closes. `onclose` is called once, when
 * the process has ended for any reason.
 */
export function openStdioTransport(
  launch: ServerLaunch & { kind: 'stdio' },
  spawn: SpawnProcess,
  sandbox?: SandboxRequest,
): StdioTransport {
  let child: OwnedProcess | undefined
  let tail = ''
  let isClosed = false

  const delivery = createDelivery((message) => transport.onmessage?.(message))
  let passedOver = 0
  const overflow = () => {
    transport.onerror?.(new Error(`there was no message in ${maxMessageBytes} bytes`))
    void transport.close()
  }
  const receive = (line: string) => {
    const message = messageOf(line)
    passedOver = message ? 0 : passedOver + line.length + 1
    if (message) delivery.take(message)
    else if (passedOver > maxMessageBytes) overflow()
  }
  const read = splitLines(receive, overflow)
  const closed = () => {
    if (isClosed) return
    isClosed = true
    delivery.flush()
    transport.onclose?.()
  }
  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null
    },
    stderr: null,
    stderrText: () => tail.trim(),
    async start() {
      const { command: file, args, cwd, env: extraEnv } = launch
      child = await spawn({ file, args, cwd, extraEnv, sandbox })
      child.stdout.on('data', read)
      child.stderr.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString('utf8')).slice(-maxStderrChars)
      })
      // A reset pipe counts as ended, because the exit of the process reports the reason.
      for (const stream of [child.stdout, child.stderr]) stream.on('error', () => stream.destroy())
      void child.exited.then(closed)
    },
    async send(message) {
      const to = child?.stdin
      if (!to?.writable || isClosed) throw new FailureError({ code: 'io', message: 'the server has ended' })
      await new Promise<void>((resolve, reject) => {
        to.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      })
    },
    async close() {
      await child?.stop()
      closed()
    },
  }
  return transport
}

/**
 * Returns a reader of chunks that calls `take` with whole lines, and `overflow` for a line that is longer
 * than a message may be.
 */
function splitLines(take: (line: string) => void, overflow: () => void): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  let size = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8')
      rest = []
      size = 0
      from = end + 1
      take(line)
    }
    if (from === chunk.length) return
    rest.push(chunk.subarray(from))
    size += chunk.length - from
    if (size <= maxMessageBytes) return
    rest = []
    overflow()
  }
}

/** Returns a line as a JSON-RPC message, or undefined for any other output. */
function messageOf(line: string): JSONRPCMessage | undefined {
  // A line that does not start with `{` is rejected first, because a failing JSON.parse is slow.
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    const isMessage =
      typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
    return isMessage ? (value as JSONRPCMessage) : undefined
  } catch {
    // The line is skipped: log output on standard output is the most common defect of servers,
    // and is harmless.
    return undefined
  }
}
