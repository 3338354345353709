// One shell in a pseudo terminal, with its output and its typed input.
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnedTerminal } from '../process/owned-terminal.ts'
import { readShellActivity } from './shell-process.ts'
import { UnreadOutput } from './unread-output.ts'

/** Shells whose typed command lines are checked, with the arguments that start them interactively. */
const lineShells: Readonly<Record<string, string>> = {
  bash: '--noprofile --norc --noediting -i',
  sh: '-i',
  dash: '-i',
  ksh: '-i',
}
/** Other shells, with arguments that also prevent a history file, because start-up files can set its path. */
const otherShells: Readonly<Record<string, string>> = {
  zsh: '-f -i',
  // The argument `--no-config` keeps fish from creating a directory of settings. Versions before 3.4 reject
  // it, so it is tried first.
  fish: '$("$0" --no-config -c : 2>/dev/null && echo --no-config) --private -i',
}

/**
 * A control character that a shell of `lineShells` prints as its prompt, and that is removed from the
 * output. From then on input is not echoed, and Ctrl-C interrupts a program; before, it could end the shell
 * while it is starting.
 */
const readySign = '\x06'
/** Milliseconds after which a starting shell counts as ready even if it has not printed its prompt. */
const readyMs = 5_000

/**
 * Python before version 3.13 has no variable that turns off its history, so it runs a file in the private
 * TMPDIR first that does it.
 */
const pythonWithoutHistory = `if [ -n "$TMPDIR" ] && [ -z "$PYTHONSTARTUP" ]; then
  export PYTHONSTARTUP="$TMPDIR/.python-startup.py"
  printf '%s\\n' 'try:' ' import readline' ' readline.write_history_file = lambda *_: None' \\
    'except ImportError:' ' pass' >"$PYTHONSTARTUP"
fi`

/**
 * Returns the arguments for `bash` to turn off the echo and start `shell` without visible prompts, and
 * without a history of the shell and its programs.
 */
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

/**
 * Largest number of typed characters that are remembered of an unfinished command; only the last ones stay. A
 * command of this length counts as doubtful anyway, so its beginning is not needed.
 */
const maxTypedChars = 20_000

export class TerminalSession {
  readonly unread = new UnreadOutput()
  readonly shell: string
  readonly cwd: string
  end: ShellEnd | undefined
  #process: OwnedTerminal | undefined
  /** Typed text of a command that is not complete, which the shell may still buffer. */
  #typed = ''
  #isReady = false
  /** True from a Ctrl-C until the shell prints its prompt, which shows that it has dropped the command. */
  #isDropping = false
  readonly #waiting = new Set<() => void>()

  constructor(shell: string, cwd: string) {
    this.shell = shell
    this.cwd = cwd
  }

  /**
   * Attaches the process that writes to this session; call it once. Resolves when the terminal accepts
   * input, at the latest when the shell ends or after 5 s. Rejects like RunCommand if the sandbox could
   * not be started.
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

  /** Adds output as it arrives. */
  take(piece: string): void {
    const isPrompt = piece.includes(readySign)
    this.#isReady ||= isPrompt
    if (isPrompt && this.#isDropping) {
      this.#isDropping = false
      this.#typed = ''
    }
    this.unread.push(piece)
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  /**
   * Returns the input that the shell has not run yet, and the shell's directory if it reads command lines
   * now. See TerminalTable.
   */
  lookAtInput(): { folder: string | undefined; typed: string } {
    const { isReading, folder } = readShellActivity(this.process.pid)
    const takesLines = Object.hasOwn(lineShells, basename(this.shell))
    return { folder: isReading && takesLines ? folder : undefined, typed: this.#typed }
  }

  /**
   * Types a text. The text is added to the input that `lookAtInput` returns. That input is cleared when it
   * ends with a line feed and `isWhole` says that it is a complete command.
   */
  async write(text: string, isWhole: (typed: string) => Promise<boolean>): Promise<void> {
    const typed = (this.#typed + text).slice(-maxTypedChars)
    this.#typed = typed
    // A prompt after this text does not belong to the Ctrl-C.
    this.#isDropping = false
    this.process.write(text)
    if (typed.endsWith('\n') && (await isWhole(typed)) && this.#typed === typed) this.#typed = ''
  }

  /**
   * Sends Ctrl-C. Resolves once the shell has dropped its typed command, or there is unread output of another
   * program, the shell has ended or the signal aborts, at the latest after `ms`. A shell that ignores Ctrl-C
   * keeps its command.
   */
  async interrupt(ms: number, signal: AbortSignal): Promise<void> {
    const isShell = this.lookAtInput().folder !== undefined
    // Other shells print no sign with their prompt, and their input is always in doubt.
    if (!Object.hasOwn(lineShells, basename(this.shell))) this.#typed = ''
    this.#isDropping = true
    this.process.write('\x03')
    await this.#until(() => (isShell ? !this.#isDropping : this.unread.length > 0), ms, signal)
    // A later sign may be the output of another program.
    if (isShell) this.#isDropping = false
  }

  /** Waits until the time is over, the shell has ended, `maxChars` are unread, or the signal aborts. */
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
    // The wait usually ends early, by an abort of its signal, which is not an error.
    await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)
    signal?.removeEventListener('abort', leave)
    this.#waiting.delete(look)
  }
}
