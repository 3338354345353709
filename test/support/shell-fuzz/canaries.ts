// The throw-away directory of generated commands: programs that record their start,
// marked secrets, snapshots.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { codeOf } from '../../../internal/base/errors.ts'
import { spoil } from './git-settings.ts'

/** Text that must not appear in the output of a command. The names of outside files are marked as well. */
export const SECRET = 'MARK-c0ffee'
export const ABROAD = 'MARK-abroad'

export interface Canaries {
  /** Contains the rest, and the files of the runner. */
  base: string
  /** The directory with the workspace, its neighbors and a home. All of it is watched. */
  root: string
  workspace: string
  home: string
  /** The original files with their state. */
  fresh: ReadonlyMap<string, string>
  /** Restores all files. */
  restore(): void
  end(): void
}

const started = ['evil', 'pwned', 'evil2']

const files: Readonly<Record<string, string>> = {
  'ws/a.txt': 'x a,b\n$(evil)\na[$(evil)]\nevil\n; evil\nTODO 1 2 3\n[a]/p;s/]#|,:= dg\n',
  'ws/b.txt': 'x\nhello\n`evil`\n',
  'ws/sp ace.txt': 'x\n',
  'ws/data.json': '{"a":{"b":1},"c":"$(evil)"}\n',
  'ws/table.csv': 'k,v\n1,$(evil)\n2,b\n',
  'ws/src/a.ts': "import x from 'x'\n",
  'ws/src/b.ts': '// TODO x\n',
  'ws/sub/x.txt': 'x\n',
  'ws/sub/.env': `X=${SECRET}\n`,
  'ws/keep/f': 'kept\n',
  'ws/keep/g': 'kept\n',
  'ws/.env': `export X=${SECRET}\n`,
  'ws/.env.local': `X=${SECRET}\n`,
  'ws/secrets.yaml': `x: ${SECRET}\n`,
  'ws/key.pem': `${SECRET}\n`,
  'ws/.bashrc': '# x\n',
  'ws/.anode/rules.md': '# x\n',
  'ws/.github/workflows/ci.yml': 'x: 1\n',
  'ws/Makefile': 'test lint build all check:\n\t@pwned\n',
  'ws/package.json': '{"scripts":{"test":"pwned","lint":"pwned","build":"pwned"}}\n',
  'ws/dash/-exec': 'x\n',
  'ws/dash/--pre=evil': 'x\n',
  'ws/dash/-o': 'x\n',
  'ws/dash/--compress-program=evil': 'x\n',
  'ws/odd/$(evil)': 'x\n',
  'ws/odd/a[$(evil)]': 'x\n',
  'ws/odd/;evil': 'x\n',
  'ws/odd/rgrc': '--pre=evil\n',
  'ws/odd/x\ny': 'x\n',
  'outside/plain.txt': `x ${SECRET}\n`,
  'outside/data.json': `{"a":"${SECRET}"}\n`,
  'outside/plain.json': `{"a":"${SECRET}"}\n`,
  [`outside/${ABROAD}.txt`]: `x ${SECRET}\n`,
  'home/.ssh/id_rsa': `x ${SECRET}\n`,
  'home/.bashrc': '# x\n',
  'home/notes.txt': `x ${SECRET}\n`,
  'tmp/x': 'x\n',
  'record/.keep': '',
}

const links: Readonly<Record<string, string>> = {
  'ws/link-out': '../outside',
  'ws/link-file': '../outside/plain.txt',
  'ws/link-env': '.env',
  'ws/link-dir': 'sub',
  'ws/link-deep': '../outside/deep/er',
  'ws/sub/link-up': '../..',
  'ws/loop': 'loop',
}

/** Creates the directory below the system's temporary directory. Its repository is hostile on request. */
export function makeCanaries(hostileGit: boolean): Canaries {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-fuzz-')))
  const root = join(base, 'root')
  const model = join(base, 'model')
  for (const dir of [model, join(base, 'programs'), join(base, 'busybox')]) mkdirSync(dir)
  for (const [path, text] of Object.entries(files)) put(join(model, path), text)
  mkdirSync(join(model, 'outside/deep/er'), { recursive: true })
  // If the base is in /tmp, its path must exist before another directory replaces /tmp.
  mkdirSync(join(model, base.startsWith('/tmp/') ? base : 'tmp'), { recursive: true })
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(model, path))
  for (const name of started) {
    for (const dir of ['bin', 'ws', 'outside', 'ws/sub']) executable(join(model, dir, name), recorder(root))
  }
  commit(join(model, 'ws'))
  if (hostileGit) spoil(join(model, 'ws'))
  symlinkSync(rgPath, join(base, 'programs/rg'))
  execFileSync('cp', ['-a', model, root])
  const made: Canaries = {
    ...{ base, root, workspace: join(root, 'ws'), home: join(root, 'home'), fresh: snapshot(root) },
    restore: () => {
      const changed = differences(made.fresh, snapshot(root))
      for (const path of changed) rmSync(join(root, path), { recursive: true, force: true })
      for (const path of changed) {
        const from = join(model, path)
        if (isThere(from)) cpSync(from, join(root, path), { recursive: true, verbatimSymlinks: true })
      }
      made.fresh = snapshot(root)
    },
    end: () => rmSync(base, { recursive: true, force: true }),
  }
  return made
}

/** Whether the path exists: not if a command replaced its directory by a file or a circle of links. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) return false
    throw error
  }
}

/** Returns a program that records the command that started it, and its name in that command. */
const recorder = (root: string) =>
  `#!/bin/sh\nprintf '%s %s\\n' "\${FUZZ_LINE:-?}" "$0" >> '${root}/record/started'\n`

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function executable(path: string, text: string): void {
  put(path, text)
  chmodSync(path, 0o755)
}

function commit(dir: string): void {
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: dir, stdio: 'ignore' })
  run('init', '-q', '-b', 'main', '--template=')
  run('add', '-A', '-f')
  run('commit', '-q', '-m', 'x')
  run('gc', '-q')
}

/**
 * Returns every file below a directory with mode, time and content. Directories have no time, because a
 * search for a temporary name changes it.
 */
export function snapshot(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (at: string, shown: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name)
      const where = `${shown}${name}`
      const stat = lstatSync(path)
      const head = `${stat.mode.toString(8)}`
      if (stat.isDirectory()) {
        found.set(where, head)
        walk(path, `${where}/`)
      } else if (stat.isSymbolicLink()) found.set(where, `${head} -> ${readlinkSync(path)}`)
      else if (stat.isFile()) found.set(where, `${head} ${stat.mtimeMs} ${readFileSync(path, 'latin1')}`)
      else found.set(where, `${head} special`)
    }
  }
  if (existsSync(root)) walk(root, '')
  return found
}

/** Returns the paths that are new, deleted or changed. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}
