// The terminals of one session of Anode: started, found by their IDs, ended.
import { join, resolve } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { isRunnable } from '../base/files/open-file.ts'
import type { OpenTerminal } from '../process/owned-terminal.ts'
import type { ProcessCommand } from '../process/process-command.ts'
import { startRepeatedly } from '../process/run-command.ts'
import { loadPseudoTerminals } from './pseudo-terminal.ts'
import { shellArguments, TerminalSession } from './terminal-session.ts'

/** Largest number of open terminals. The start of a further one fails. */
export const maxTerminals = 8

interface TerminalStart {
  shell: string
  cwd: string
  env: Readonly<Record<string, string>>
  sandbox: NonNullable<ProcessCommand['sandbox']>
  rows: number
  columns: number
}

export const createTerminalSessions = (openTerminal: OpenTerminal): TerminalSessions =>
  new TerminalSessions(openTerminal)

/**
 * The terminals of a session, see TerminalTable. The session's process runner starts the shells, and ends
 * them when it is closed.
 */
class TerminalSessions {
  readonly #openTerminal: OpenTerminal
  readonly #sessions = new Map<string, TerminalSession>()
  #count = 0
  #starting = 0

  constructor(openTerminal: OpenTerminal) {
    this.#openTerminal = openTerminal
  }

  async start({ shell, cwd, env, sandbox, rows, columns }: TerminalStart) {
    const open = await loadPseudoTerminals()
    const program = findShell(shell, cwd, env.PATH ?? '')
    this.#makeRoom()
    const command = { file: 'bash', args: shellArguments(program), cwd, env, sandbox }
    this.#starting++
    const session = await startRepeatedly(async () => {
      const session = new TerminalSession(program, cwd)
      const onOutput = (piece: string) => session.take(piece)
      await session.attach(await this.#openTerminal({ ...command, rows, columns, onOutput, open }))
      return session
    }).finally(() => this.#starting--)
    const id = `term_${++this.#count}`
    this.#sessions.set(id, session)
    return describeTerminal(id, session)
  }

  /**
   * Throws FailureError `limit_reached` if `maxTerminals` terminals are open or starting. Forgets the ended
   * terminals except the latest `maxTerminals`.
   */
  #makeRoom(): void {
    const endedSessions = [...this.#sessions].filter(([, session]) => session.end)
    const open = [...this.#sessions].filter(([, session]) => !session.end).map(([id]) => id)
    if (open.length + this.#starting >= maxTerminals) {
      const message = `${maxTerminals} terminals are open already: ${open.join(', ')}`
      throw new FailureError({ code: 'limit_reached', message, hint: 'End one with `terminal_kill`.' })
    }
    for (const [id] of endedSessions.slice(0, -maxTerminals)) this.#sessions.delete(id)
  }

  #take(id: string): TerminalSession {
    const session = this.#sessions.get(id)
    if (session) return session
    throw new FailureError({ code: 'not_found', message: `unknown terminal ${id}` })
  }

  find(id: string) {
    const session = this.#sessions.get(id)
    return session && describeTerminal(id, session)
  }

  list() {
    return [...this.#sessions].map(([id, session]) => describeTerminal(id, session))
  }

  lookAtInput(id: string) {
    return this.#take(id).lookAtInput()
  }

  async write(id: string, text: string, isWhole: (typed: string) => Promise<boolean>): Promise<void> {
    await this.#take(id).write(text, isWhole)
  }

  async interrupt(id: string, firstOutputMs: number, signal: AbortSignal): Promise<void> {
    await this.#take(id).interrupt(firstOutputMs, signal)
  }

  async read(id: string, { ms, maxChars, signal }: { ms: number; maxChars: number; signal: AbortSignal }) {
    const session = this.#take(id)
    await session.wait(ms, maxChars, signal)
    const { text, left: remainingChars, dropped } = session.unread.take(maxChars)
    return { text, remaining: remainingChars, dropped }
  }

  async kill(id: string, force: boolean) {
    const session = this.#take(id)
    const isCutOff = force && session.end === undefined
    await session.process.stop(force)
    this.#sessions.delete(id)
    const state = describeTerminal(id, session)
    // With `force` the shell gets a hang-up and KILL at once, and either may end it, so its exit code
    // has no meaning.
    return isCutOff ? { ...state, returncode: null } : state
  }
}

const describeTerminal = (id: string, { process, cwd, shell, end }: TerminalSession) => ({
  id,
  pid: process.pid,
  cwd,
  shell,
  alive: end === undefined,
  returncode: end?.exit ?? null,
})

function findShell(shell: string, cwd: string, path: string): string {
  const folders = shell.includes('/') ? [] : path.split(':').filter((folder) => folder.startsWith('/'))
  const files = shell.includes('/') ? [resolve(cwd, shell)] : folders.map((folder) => join(folder, shell))
  const shellFile = files.find(isRunnable)
  if (shellFile !== undefined) return shellFile
  throw new FailureError({ code: 'not_found', message: `shell not found: ${shell}` })
}
