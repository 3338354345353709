// Terminals that an agent of another program opens. Each runs a command in the worktree and sandbox
// of the agent.
import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type {
  CreateTerminalRequest,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk/unstable'
import { createUlid } from '../../../base/ids.ts'
import type { OwnedProcess } from '../../../process/process-command.ts'
import type { ProgramWorktree } from './program-worktree.ts'

/**
 * Largest number of open terminals. `maxBytes` limits the output of each in bytes, `maxMs` the duration of
 * one command in milliseconds.
 */
const maxTerminals = 16
const maxBytes = 1 << 20
const maxMs = 600_000

interface WorktreeTerminal {
  readonly exited: Promise<WaitForTerminalExitResponse>
  /**
   * Returns the last bytes of the output so far, up to the limit that the program has set, and at most 1 MiB.
   */
  read(): TerminalOutputResponse
  stop(): Promise<void>
}

export class WorktreeTerminals {
  readonly #place: ProgramWorktree
  readonly #open = new Map<string, WorktreeTerminal>()
  #isClosed = false

  constructor(place: ProgramWorktree) {
    this.#place = place
  }

  /**
   * Starts a command. Rejects if its directory is outside of the worktree, if the command cannot start, if 16
   * terminals are open, and after `close`.
   */
  async create(params: CreateTerminalRequest): Promise<{ terminalId: string }> {
    const { cwd, env, spawn } = this.#place
    if (this.#isClosed) throw new Error('the session has ended')
    if (this.#open.size >= maxTerminals) throw new Error(`${maxTerminals} terminals are open: release one`)
    const added = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]))
    const child = await spawn({
      file: params.command,
      args: params.args ?? [],
      cwd: await insideDirectory(cwd, params.cwd ?? cwd),
      env: { ...env, ...added },
    })
    const terminalId = createUlid()
    this.#open.set(terminalId, openTerminal(child, Math.min(params.outputByteLimit ?? maxBytes, maxBytes)))
    // the session may have ended during the start
    if (this.#isClosed) await this.close()
    return { terminalId }
  }

  /** Returns an open terminal. Throws if it does not exist or was released. */
  find(id: string): WorktreeTerminal {
    const terminal = this.#open.get(id)
    if (!terminal) throw new Error(`no terminal ${id}`)
    return terminal
  }

  /** Ends the command. Its output stays readable. */
  async kill(id: string): Promise<Record<string, never>> {
    await this.find(id).stop()
    return {}
  }

  /** Ends the command and forgets the terminal. */
  async release(id: string): Promise<Record<string, never>> {
    const terminal = this.find(id)
    this.#open.delete(id)
    await terminal.stop()
    return {}
  }

  /** Ends all commands. After this call, no further command starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(open.map((terminal) => terminal.stop()))
  }
}

function openTerminal(child: OwnedProcess, limit: number): WorktreeTerminal {
  let output: Buffer = Buffer.alloc(0)
  let truncated = false
  let exitStatus: WaitForTerminalExitResponse | undefined
  const keep = (chunk: Buffer) => {
    output = Buffer.concat([output, chunk])
    if (output.length <= limit) return
    truncated = true
    output = cutBefore(output, output.length - limit)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.stdin.on('error', () => undefined)
  child.stdin.end()
  const timer = setTimeout(() => void child.stop(), maxMs)
  const exited = child.exited.then(async ({ exit, signal }) => {
    clearTimeout(timer)
    await Promise.all([endOf(child.stdout), endOf(child.stderr)])
    exitStatus = { exitCode: exit, signal }
    return exitStatus
  })
  return {
    exited,
    read: () => ({ output: output.toString('utf8'), truncated, exitStatus: exitStatus ?? null }),
    stop: () => child.stop(),
  }
}

/** Milliseconds that a process of an ended command may keep its output open. */
const drainMs = 500

function endOf(stream: NodeJS.ReadableStream & { readableEnded?: boolean }): Promise<void> {
  return new Promise((done) => {
    if (stream.readableEnded) return done()
    const timer = setTimeout(done, drainMs)
    stream.once('end', () => {
      clearTimeout(timer)
      done()
    })
  })
}

/** Returns the bytes from `start`, or from the next whole character after it. */
function cutBefore(bytes: Buffer, start: number): Buffer {
  let at = start
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return bytes.subarray(at)
}

async function insideDirectory(top: string, path: string): Promise<string> {
  const real = await realpath(resolve(top, path))
  if (real === top || real.startsWith(`${top}${sep}`)) return real
  throw new Error(`${path} is outside of the worktree`)
}
