// A runner of the built program as a user runs it, with a separate workspace and home.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeTree } from './removal.ts'
import { root } from './sources.ts'

export interface Done {
  code: number | null
  out: string
  err: string
}

export interface World {
  /** The workspace. */
  dir: string
  data: string
  /** A program with arguments that starts Anode. Empty: Anode starts directly. */
  through: readonly string[]
  put(path: string, text: string): void
  anode(words: readonly string[], more?: { input?: string; env?: Record<string, string> }): Promise<Done>
  remove(): void
}

export const program = join(root, 'dist', 'anode.cjs')

/** Returns a prefix that runs a program without bubblewrap on its PATH; [] if the machine has none. */
export function withoutBubblewrap(): string[] {
  const dirs = new Set([...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/bin'])
  const places = [...dirs].map((dir) => join(dir, 'bwrap')).filter((path) => existsSync(path))
  const [bwrap] = places
  if (bwrap === undefined) return []
  // a device in its place is not a program
  const covers = [...new Set(places.map((path) => realpathSync(path)))].flatMap((path) => [
    ...['--dev-bind', '/dev/null', path],
  ])
  return [bwrap, '--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc', ...covers, '--']
}

/** Creates a world. Throws if the program has not been built. */
export function world(): World {
  if (!existsSync(program)) throw new Error('dist/ is missing: run `npm run build` first')
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'w-')))
  const dir = join(base, 'work')
  const data = join(base, 'data')
  mkdirSync(dir)
  const made: World = {
    dir,
    data,
    through: [],
    put(path, text) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    },
    anode(words, { input, env = {} } = {}) {
      const [file = '', ...before] = [...made.through, process.execPath]
      const child = spawn(file, [...before, program, ...words], {
        cwd: dir,
        env: { PATH: process.env.PATH, HOME: base, ANODE_DATA_DIR: data, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      child.stdin.on('error', () => undefined)
      child.stdin.end(input ?? '')
      return new Promise((resolve, reject) => {
        let out = ''
        let err = ''
        child.stdout.on('data', (chunk) => {
          out += chunk
        })
        child.stderr.on('data', (chunk) => {
          err += chunk
        })
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, out, err }))
      })
    },
    remove: () => removeTree(base),
  }
  return made
}
