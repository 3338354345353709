// One shell on a terminal of its own, with what it has written and what was typed into it.
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnedTerminal } from '../process/owned-terminal.ts'
import { readShellActivity } from './shell-process.ts'
import { UnreadOutput } from './unread-output.ts'

/** Shells whose command lines are judged as such, with the words that make them read a terminal quietly. */
const lineShells: Readonly<Record<string, string>> = {
  bash: '--noprofile --norc --noediting -i',
  sh: '-i',
  dash: '-i',
  ksh: '-i',
}
/** Their words also keep the shell from writing a history: its start-up files can set where that goes. */
const otherShells: Readonly<Record<string, string>> = {
  zsh: '-f -i',
  // without the first word, which versions before 3.4 refuse, fish makes a directory for its settings
  fish: '$("$0" --no-config -c : 2>/dev/null && echo --no-config) --private -i',
}

/**
 * A control character that is removed from the output. A shell of `lineShells` prints it as its prompt: then
 * nothing is echoed, and Ctrl-C interrupts a program instead of ending a shell that is still starting.
 */
const readySign = '\x06'
/** A start that takes longer goes on without the sign. */
const readyMs = 5_000

/** Before version 3.13 Python has no variable for this: it runs a file first, in the private TMPDIR. */
const pythonWithoutHistory = `if [ -n "$TMPDIR" ] && [ -z "$PYTHONSTARTUP" ]; then
  export PYTHONSTARTUP="$TMPDIR/.python-startup.py"
  printf '%s\\n' 'try:' ' import readline' ' readline.write_history_file = lambda *_: None' \\
    'except ImportError:' ' pass' >"$PYTHONSTARTUP"
fi`

/** Nothing is echoed, the shell shows no prompts, and neither it nor its programs write a history. */
export function shellArguments(shell: string): string[] {
  const name = basename(shell)
  const prompts = Object.hasOwn(lineShells, name)
  const words = lineShells[name] ?? otherShells[name] ?? ''
  const settings = `PS1=${prompts ? `"$(printf '\\6')"` : ''} PS2= ENV= HISTFILE=/dev/null`
  const start = `${prompts ? '' : `printf '\\6'; `}exec env ${settings} "$0" ${words}`
  return ['-c', `stty -echo; ${pythonWithoutHistory}; ${start}`, shell]
}

interface ShellEnd {
  exit: number | null
  signal: string | null
}

/** Longer texts are not judged anyway. */
const maxTypedChars = 20_000

export class TerminalSession {
  readonly unread = new UnreadOutput()
  readonly shell: string
  readonly cwd: string
  end: ShellEnd | undefined
  #process: OwnedTerminal | undefined
  /** What the shell may still hold of a command that has not ended. */
  #typed = ''
  #isReady = false
  readonly #waiting = new Set<() => void>()

  constructor(shell: string, cwd: string) {
    this.shell = shell
    this.cwd = cwd
  }

  /**
   * To be called once, with the process that writes to this session. Resolves when it can be typed into.
   * Rejects like RunCommand if the sandbox could not be started.
   */
  async attach(process: OwnedTerminal): Promise<void> {
    this.#process = process
    void process.exited.then((end) => {
      this.end = end
      this.#wake()
    })
    await this.#until(() => this.#isReady, readyMs)
    const failure = this.end && !this.#isReady ? await process.refused : undefined
    if (failure !== undefined) throw failure
  }

  get process(): OwnedTerminal {
    if (!this.#process) throw new Error('a terminal without a process')
    return this.#process
  }

  /** Output as it arrives. */
  take(piece: string): void {
    this.#isReady ||= piece.includes(readySign)
    this.unread.push(piece)
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  /** See TerminalTable.lookAtInput. */
  lookAtInput(): { folder: string | undefined; typed: string } {
    const { isReading, folder } = readShellActivity(this.process.pid)
    const takesLines = Object.hasOwn(lineShells, basename(this.shell))
    return { folder: isReading && takesLines ? folder : undefined, typed: this.#typed }
  }

  /** The text counts as typed until a whole command ends with it. */
  async write(text: string, isWhole: (typed: string) => Promise<boolean>): Promise<void> {
    const typed = (this.#typed + text).slice(-maxTypedChars)
    this.#typed = typed
    this.process.write(text)
    if (typed.endsWith('\n') && (await isWhole(typed)) && this.#typed === typed) this.#typed = ''
  }

  interrupt(): void {
    this.#typed = ''
    this.process.write('\x03')
  }

  /** Until the time is over, the shell has ended or `maxChars` wait. */
  wait(ms: number, maxChars: number, signal: AbortSignal): Promise<void> {
    return this.#until(() => this.unread.length >= maxChars, ms, signal)
  }

  async #until(isEnough: () => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController()
    const leave = () => over.abort()
    const look = () => {
      if (this.end || isEnough()) leave()
    }
    this.#waiting.add(look)
    signal?.addEventListener('abort', leave, { once: true })
    look()
    if (signal?.aborted) leave()
    // leaving early is the usual way out
    await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)
    signal?.removeEventListener('abort', leave)
    this.#waiting.delete(look)
  }
}
