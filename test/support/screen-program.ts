// The built program on a real pseudo terminal, with an emulator that can be stopped, resized and hung up.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { expect, onTestFinished } from 'vitest'
import { program, type World, world } from './anode.ts'

interface ScreenSize {
  columns?: number
  rows?: number
  /** Whether the emulator truncates rows that become too wide. Default: it wraps them. */
  doesCut?: boolean
}

export interface ScreenProgram {
  program: IPty
  /** Resolves to the exit code, or to 128 and the signal's number, as a shell reports it. */
  exit: Promise<number>
  bytes(): string
  terminal: xterm.Terminal
  /** Returns all rows with the scrollback. */
  screen(): string
  /** Returns the rows that the terminal shows now, without its scrollback. */
  rows(): string
  /** Returns all rows with wrapped rows joined. */
  lines(): string
  type(keys: string): void
  /** Resizes after the terminal has drawn the earlier output. */
  resize(columns: number, rows: number): Promise<void>
  /** Closes the other end of the terminal, as a closed window does. */
  hangUp(): void
  /** Returns true once no process has the terminal open, so that a window closes. */
  isClosed(): boolean
  /** Waits for a condition. A frame counts only after the terminal has received all of it. */
  until(seen: RegExp | (() => boolean), ms?: number): Promise<void>
}

export interface ScreenWorld extends World {
  /** The flags that select the script of responses. */
  model: readonly string[]
  start(words: readonly string[], size?: ScreenSize, env?: Readonly<Record<string, string>>): ScreenProgram
  /** Starts Node with these arguments in place of the built program. */
  startNode(args: readonly string[], env: Readonly<Record<string, string>>): ScreenProgram
  /**
   * Starts the program below a shell, which alone gets the hangup of the terminal. `exit` is the code that
   * the shell saw.
   */
  startInShell(
    words: readonly string[],
    size?: ScreenSize,
    env?: Readonly<Record<string, string>>,
  ): ScreenProgram
  /** Returns the stored drafts. */
  drafts(): string[]
  /** Returns the bytes of the store, in which recorded text can be searched. */
  stored(): string
}

/** Opens a world. `replies` are the lines of a scripted model. */
export function openScreenWorld(replies: readonly object[]): ScreenWorld {
  const here = world()
  onTestFinished(() => here.remove())
  here.put('../replies.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const home = dirname(here.dir)
  const run = (
    file: string,
    words: readonly string[],
    { columns = 80, rows = 24, doesCut = false }: ScreenSize,
    more: object,
  ) => {
    const env = { PATH: String(process.env.PATH), HOME: home, ANODE_DATA_DIR: here.data }
    const pty = spawn(file, [...words], {
      ...{ cwd: here.dir, env: { ...env, TERM: 'xterm-256color', ...more }, cols: columns, rows },
    })
    return watchScreen(pty, { columns, rows, doesCut })
  }
  const folder = join(here.data, 'drafts')
  return {
    ...here,
    model: ['--model', `script:${join(home, 'replies.jsonl')}`],
    start: (words, size = {}, env = {}) => run(process.execPath, [program, ...words], size, env),
    startNode: (args, env) => run(process.execPath, args, {}, env),
    startInShell(words, size = {}, env = {}) {
      const code = join(home, 'code')
      // a trapped signal is not passed on to the program
      const line = `trap : HUP INT; node "$@"; echo $? > '${code}'`
      const screen = run('/bin/sh', ['-c', line, 'sh', program, ...words], size, env)
      let isHungUp = false
      const exit = waitForFile(code).then(async (text) => {
        // The terminal has shown all output only when the shell has ended too.
        if (!isHungUp) await screen.exit
        return Number(text)
      })
      const hangUp = () => {
        isHungUp = true
        screen.hangUp()
      }
      return { ...screen, exit, hangUp }
    },
    drafts: () =>
      existsSync(folder)
        ? readdirSync(folder)
            // a file whose name begins with a dot is still written
            .filter((name) => !name.startsWith('.'))
            .map((name) => readFileSync(join(folder, name), 'utf8'))
        : [],
    stored: () =>
      ['anode.db', 'anode.db-wal']
        .map((name) => join(here.data, name))
        .map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : ''))
        .join(''),
  }
}

/** Types a text, and Enter once the screen shows it, because keys that arrive together count as pasted. */
export async function typeLine(screen: ScreenProgram, text: string): Promise<void> {
  const count = () => screen.lines().split(text).length
  const before = count()
  screen.type(text)
  await screen.until(() => count() > before)
  screen.type('\r')
}

async function waitForFile(path: string): Promise<string> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (text !== '') return text
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return 'never ended'
}

/** The marks of a frame that the terminal shows at once. The emulator shows its parts. */
const frameBegin = '\x1b[?2026h'
const frameEnd = '\x1b[?2026l'

function watchScreen(pty: IPty, { columns, rows, doesCut }: Required<ScreenSize>): ScreenProgram {
  const terminal = new xterm.Terminal({
    ...{ cols: columns, rows, scrollback: 20_000, allowProposedApi: true },
    ...(doesCut && { windowsPty: { backend: 'winpty' as const, buildNumber: 19_000 } }),
  })
  let bytes = ''
  let isOver = false
  /** Whether the terminal has received only a part of a frame. */
  let isTorn = false
  pty.onData((data) => {
    bytes += data
    const drawn = bytes.length
    terminal.write(data, () => {
      isTorn = bytes.lastIndexOf(frameBegin, drawn) > bytes.lastIndexOf(frameEnd, drawn)
    })
  })
  terminal.onData((answer) => pty.write(answer))
  const exit = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      // The emulator processes output in later turns. Only then does the screen show the end.
      terminal.write('', () => resolve(signal ? 128 + signal : exitCode))
    }),
  )
  void exit.then(() => {
    isOver = true
  })
  onTestFinished(async () => {
    if (isOver) return
    killQuietly(pty.pid)
    // output of a running program would prevent the removal of its directory
    await exit
  })
  const read = (isJoined: boolean) => {
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, i) => {
      const line = active.getLine(i)
      const isBroken = isJoined && active.getLine(i + 1)?.isWrapped === true
      // The emulator stores cells to the right of a screen that became narrower; a terminal hides them.
      return `${line?.translateToString(!isBroken, 0, terminal.cols) ?? ''}${isBroken ? '' : '\n'}`
    }).join('')
  }
  // the row of the cursor may end with a space
  const screen = () => read(false).replace(/ +$/gm, '')
  return {
    ...{ program: pty, terminal, exit, screen, lines: () => read(true), bytes: () => bytes },
    rows: () =>
      screen()
        .split('\n')
        .slice(-terminal.rows - 1)
        .join('\n'),
    type: (keys) => pty.write(keys),
    async resize(cols, height) {
      await new Promise<void>((resolve) => terminal.write('', resolve))
      terminal.resize(cols, height)
      pty.resize(cols, height)
    },
    hangUp() {
      isOver = true
      socketOf(pty).destroy()
    },
    isClosed: () => socketOf(pty).destroyed,
    async until(seen, ms = 100_000) {
      const end = Date.now() + ms
      const isSeen = () => (!isTorn || isOver) && (typeof seen === 'function' ? seen() : seen.test(screen()))
      while (!isSeen()) {
        if (Date.now() > end) expect.fail(`never seen: ${seen}\n${screen().trimEnd().slice(-2_000)}`)
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
    },
  }
}

const socketOf = (pty: IPty) =>
  (pty as unknown as { _socket: { destroy(): void; destroyed: boolean } })._socket

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}
