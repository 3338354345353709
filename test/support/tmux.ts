// A real terminal for tests: a separate tmux server, keys in, screen out, ended with the test.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './sources.ts'

export interface TestTerminal {
  /** Returns the rows on the screen. */
  screen(): string[]
  /** Returns all rows with the scrollback, with wrapped rows joined. */
  lines(): string
  /** Presses keys by their names in tmux: `Space`, `Up`, `Escape`, `C-c`, `y`. */
  press(...keys: string[]): void
  /** Sends the whole text at once, as a paste without brackets arrives. */
  paste(text: string): void
  resize(columns: number, rows: number): void
  /** Resolves to the rows when `seen` matches their text. */
  until(seen: RegExp | ((text: string) => boolean)): Promise<string[]>
  /** Resolves when the program has written this, which may have left the screen since. */
  wrote(seen: RegExp): Promise<void>
  /** Resolves to the exit code of the program. */
  exit(): Promise<number>
  /** Returns every byte that the program has written. */
  bytes(): string
}

interface Size {
  columns?: number
  rows?: number
}

let count = 0

export const hasTmux = () => spawnSync('tmux', ['-V']).status === 0

/** Runs a shell command. `env` is its whole environment. Tests that wait give up after `waitMs`. */
export function openTerminal(
  line: string,
  { columns = 80, rows = 24, cwd, env }: Size & { cwd: string; env: Readonly<Record<string, string>> },
): TestTerminal {
  if (!hasTmux()) throw new Error('tmux is not installed (Debian and Ubuntu: apt-get install tmux)')
  const dir = mkdtempSync(join(tmpdir(), 'anode-tmux-'))
  const socket = join(dir, `s${++count}`)
  writeFileSync(
    join(dir, 'conf'),
    // the shell of a user who may not log in ends at once
    'set -g default-shell /bin/sh\nset -g status off\nset -g remain-on-exit on\nset -g history-limit 5000\nset -s escape-time 0\n',
  )
  const given = Object.entries({ TERM: 'tmux-256color', LC_ALL: 'C.UTF-8', ...env })
  const exports = given.map(([key, value]) => `export ${key}=${quote(value)}`).join('; ')
  const log = join(dir, 'bytes')
  const code = join(dir, 'code')
  writeFileSync(join(dir, 'run.sh'), `${exports}\nread -r go\n${line}\nprintf '%s\\n' $? > ${quote(code)}\n`)
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', join(dir, 'conf'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: dir, LC_ALL: 'C.UTF-8' },
    })
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux(
    '-u',
    'new-session',
    '-d',
    '-s',
    't',
    ...size,
    '-c',
    cwd,
    `env -i PATH=${quote(process.env.PATH ?? '')} sh ${quote(join(dir, 'run.sh'))}`,
  )
  onTestFinished(async () => {
    const pane = spawnSync('tmux', ['-S', socket, 'list-panes', '-F', '#{pane_pid}'], { encoding: 'utf8' })
    spawnSync('tmux', ['-S', socket, 'kill-server'])
    await gone(pane.stdout.trim())
    rmSync(dir, { recursive: true, force: true })
  })
  tmux('pipe-pane', '-t', 't', `cat > ${quote(log)}`)
  // the program starts only now, so that none of its output is missed
  tmux('send-keys', '-t', 't', 'Enter')
  const screen = () => tmux('capture-pane', '-p', '-N', '-t', 't').replace(/\n$/, '').split('\n')
  const wait = async <T>(look: () => T | undefined, what: string): Promise<T> => {
    const end = Date.now() + waitMs
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error(`never came: ${what}\n${screen().join('\n')}`)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  return {
    screen,
    lines: () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 't'),
    press: (...keys) => void tmux('send-keys', '-t', 't', ...keys),
    paste: (text) => void tmux('send-keys', '-t', 't', '-l', text),
    resize: (x, y) => void tmux('resize-window', '-t', 't', '-x', String(x), '-y', String(y)),
    until(seen) {
      return wait(() => {
        const now = screen()
        const text = now.join('\n')
        return (typeof seen === 'function' ? seen(text) : seen.test(text)) ? now : undefined
      }, String(seen))
    },
    async wrote(seen) {
      await wait(() => {
        const text = readFileSync(log, 'utf8').replace(/\x1b\[[\d;?]*[A-Za-z]/g, '')
        return seen.test(text) || undefined
      }, String(seen))
    },
    exit: () =>
      wait(() => {
        const text = existsSync(code) ? readFileSync(code, 'utf8') : ''
        return text.endsWith('\n') ? Number(text) : undefined
      }, 'the end of the program'),
    bytes: () => readFileSync(log, 'utf8'),
  }
}

const waitMs = 100_000

/**
 * Waits until all processes of the pane have ended. A program writes its state after a hangup, so its
 * directories must stay until then.
 */
async function gone(pane: string): Promise<void> {
  const isThere = () => pane !== '' && spawnSync('ps', ['-s', pane, '-o', 'pid=']).status === 0
  for (const end = Date.now() + 5_000; isThere() && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the built program as a command for `openTerminal`. */
export const anodeLine = (...words: string[]) =>
  [process.execPath, join(root, 'dist', 'anode.cjs'), ...words].map(quote).join(' ')
