// Git inside and outside of the sandbox: every layout of a repository gives the same output for everyday commands.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxRequest } from '../../../internal/process/process-command.ts'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { openSessionSandbox } from '../../../internal/runtime/processes/session-sandbox.ts'
import { sampleRows } from '../../support/sample.ts'

let root = ''
let runner: ProcessRunner
let active = false
const identity = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'protocol.file.allow',
  GIT_CONFIG_VALUE_0: 'always',
  GIT_CONFIG_KEY_1: 'gc.auto',
  GIT_CONFIG_VALUE_1: '0',
  GIT_CONFIG_KEY_2: 'init.defaultBranch',
  GIT_CONFIG_VALUE_2: 'main',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'A'],
      [`GIT_${who}_EMAIL`, 'a@example.org'],
      [`GIT_${who}_DATE`, '2026-01-01T00:00:00Z'],
    ]),
  ),
}
const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), LC_ALL: 'C', ...identity })

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-git-')))
  mkdirSync(join(root, 'home'))
  const data = join(root, 'data')
  const probe = createRunner({ dataDir: data, env: env() })
  const sandbox = await openSessionSandbox('auto', { data, env: env(), run: probe.run })
  active = sandbox.active
  runner = createRunner({ dataDir: data, env: env(), sandbox: sandbox.enter })
})
afterAll(async () => {
  await runner.close()
  rmSync(root, { recursive: true, force: true })
})

const git = (dir: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: dir, env: env(), stdio: 'pipe' })
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Creates a repository whose branches main and side change the same line. */
function repository(dir: string, files: Record<string, string> = {}): string {
  mkdirSync(dir, { recursive: true })
  git(dir, 'init', '-q')
  for (const [name, text] of Object.entries({ 'a.txt': 'one\n', 'd/b.txt': 'b\n', ...files }))
    put(join(dir, name), text)
  git(dir, 'add', '-A', '-f')
  git(dir, 'commit', '-qm', 'first')
  git(dir, 'checkout', '-qb', 'side')
  put(join(dir, 'a.txt'), 'side\n')
  git(dir, 'commit', '-qam', 'side')
  git(dir, 'checkout', '-q', 'main')
  return dir
}

interface Place {
  folder: string
  cwd?: string
  /** Commands that the sandbox refuses, by what their output then contains. */
  refused?: Record<string, string>
}

const secrets = {
  ...{ '.env': 'KEY=1\n', '.npmrc': 'x=1\n', '.netrc': 'machine a\n', 'k/x.pem': 'PEM\n' },
  ...{ 'credentials/mod.ts': 'export {}\n', '.aws/config': 'a\n' },
}
const guarded = {
  ...{
    '.github/workflows/ci.yml': 'on: push\n',
    '.vscode/tasks.json': '{}\n',
    'libs/app/.vscode/x.json': '{}\n',
  },
  ...{ '.husky/pre-commit': 'true\n', '.envrc': 'x\n', '.mcp.json': '{}\n' },
}

function withSubmodule(at: string): string {
  const inner = repository(join(at, 'inner'))
  const top = repository(join(at, 'top'))
  git(top, 'submodule', '--quiet', 'add', inner, 'libs/sub')
  git(top, 'commit', '-qm', 'submodule')
  // a rebase that removes .gitmodules is refused by name
  git(top, 'rebase', '-q', 'main', 'side')
  git(top, 'checkout', '-q', 'main')
  git(join(top, 'libs/sub'), 'branch', '-q', 'side', 'origin/side')
  return top
}

/** Builds each layout below a directory. */
const layouts: Record<string, (at: string) => Place> = {
  plain: (at) => ({ folder: repository(join(at, 'r')) }),
  'a subdirectory of the repository': (at) => {
    const top = repository(join(at, 'r'))
    // a rebase writes files of the repository that are outside of the workspace
    return { folder: join(top, 'd'), refused: { 'rebase --abort': "'a.txt': Read-only file system" } }
  },
  'a linked worktree beside the repository': (at) => {
    git(repository(join(at, 'r')), 'worktree', 'add', '-q', '../wt', '-b', 'work')
    return { folder: join(at, 'wt') }
  },
  'a linked worktree inside, from the top': (at) => {
    const folder = repository(join(at, 'r'), { '.gitignore': 'wt\n' })
    git(folder, 'worktree', 'add', '-q', 'wt', '-b', 'work')
    return { folder, cwd: join(folder, 'wt') }
  },
  'a linked worktree inside, alone': (at) => {
    const top = repository(join(at, 'r'))
    git(top, 'worktree', 'add', '-q', 'wt', '-b', 'work')
    return { folder: join(top, 'wt') }
  },
  'a worktree of a bare repository': (at) => {
    git(at, 'clone', '-q', '--bare', repository(join(at, 'r')), 'bare')
    git(join(at, 'bare'), 'worktree', 'add', '-q', '../wt', 'main')
    return { folder: join(at, 'wt') }
  },
  'a submodule from the top': (at) => {
    const folder = withSubmodule(at)
    return { folder, cwd: join(folder, 'libs/sub') }
  },
  'a submodule, alone': (at) => ({ folder: join(withSubmodule(at), 'libs/sub') }),
  'the top of submodules': (at) => ({ folder: withSubmodule(at) }),
  'a submodule with a directory .git': (at) => {
    const folder = withSubmodule(at)
    const sub = join(folder, 'libs/sub')
    rmSync(join(sub, '.git'))
    renameSync(join(folder, '.git/modules/libs/sub'), join(sub, '.git'))
    git(folder, '-C', sub, '--git-dir=.git', '--work-tree=.', 'config', '--unset', 'core.worktree')
    return { folder, cwd: sub }
  },
  'a submodule within a submodule': (at) => {
    const middle = withSubmodule(join(at, 'm'))
    const folder = repository(join(at, 'top'))
    git(folder, 'submodule', '--quiet', 'add', middle, 'vendor/mid')
    git(folder, 'commit', '-qm', 'submodule')
    git(folder, 'submodule', '--quiet', 'update', '--init', '--recursive')
    const cwd = join(folder, 'vendor/mid/libs/sub')
    git(cwd, 'branch', '-q', 'side', 'origin/side')
    return { folder, cwd }
  },
  'a file .git that leads outside': (at) => {
    const folder = repository(join(at, 'r'))
    git(folder, 'init', '-q', '--separate-git-dir', join(at, 'store'))
    return { folder }
  },
  'a file .git that leads inside': (at) => {
    const folder = repository(join(at, 'r'), { '.gitignore': 'store\n' })
    git(folder, 'init', '-q', '--separate-git-dir', join(folder, 'store'))
    return { folder }
  },
  'a link .git that leads outside': (at) => {
    const folder = repository(join(at, 'r'))
    renameSync(join(folder, '.git'), join(at, 'store'))
    symlinkSync('../store', join(folder, '.git'))
    return { folder }
  },
  'a link .git that leads inside': (at) => {
    const folder = repository(join(at, 'r'), { '.gitignore': 'store\n' })
    renameSync(join(folder, '.git'), join(folder, 'store'))
    symlinkSync('store', join(folder, '.git'))
    return { folder }
  },
  'a second working directory by links': (at) => {
    const origin = repository(join(at, 'r'))
    const folder = join(at, 'second')
    mkdirSync(join(folder, '.git/logs'), { recursive: true })
    for (const name of ['config', 'refs', 'logs/refs', 'objects', 'info', 'hooks', 'packed-refs'])
      symlinkSync(join(origin, '.git', name), join(folder, '.git', name))
    cpSync(join(origin, '.git/HEAD'), join(folder, '.git/HEAD'))
    git(folder, 'checkout', '-q', '-f', 'main')
    return { folder }
  },
  'a clone that borrows objects': (at) => {
    git(at, 'clone', '-q', '--shared', repository(join(at, 'r')), 'c')
    git(join(at, 'c'), 'branch', '-q', 'side', 'origin/side')
    return { folder: join(at, 'c') }
  },
  'tracked files with secret names': (at) => ({ folder: repository(join(at, 'r'), secrets) }),
  'tracked protected files': (at) => ({ folder: repository(join(at, 'r'), guarded) }),
  'a repository inside of another': (at) => {
    const folder = repository(join(at, 'r'))
    return { folder, cwd: repository(join(folder, 'nested')) }
  },
  'configuration of each worktree': (at) => {
    const top = repository(join(at, 'r'))
    git(top, 'config', 'extensions.worktreeConfig', 'true')
    git(top, 'worktree', 'add', '-q', '../wt', '-b', 'work')
    git(join(at, 'wt'), 'config', '--worktree', 'user.name', 'W')
    return { folder: join(at, 'wt') }
  },
  'no commit yet': (at) => {
    const folder = join(at, 'r')
    mkdirSync(folder)
    git(folder, 'init', '-q')
    return { folder }
  },
}

/** `|| true` keeps the script going: refusals of git are part of the output. */
const commands: Record<string, string> = {
  status: 'git status; git status --porcelain=v2 --branch',
  diff: 'echo more >> "$(git ls-files | grep txt | head -1)"; git diff --stat; git diff',
  add: 'echo new > new.txt; git add -A && git status --short && git diff --cached --stat',
  commit: 'git commit -qam second && git log --oneline && git status --short',
  stash:
    'echo third >> "$(git ls-files | grep txt | tail -1)"; git stash && git status --short && git stash pop',
  'rebase --abort':
    'git checkout -q -f; echo mine > a.txt; git add a.txt; git commit -qm mine; git rebase side; git status --short; git rebase --abort; git log --oneline; git status',
}
const script = Object.entries(commands)
  .map(([name, line]) => `echo "=== ${name}"; { ${line}; } 2>&1 || true`)
  .join('\n')

const sections = (text: string) =>
  Object.fromEntries(
    text
      .split(/^=== /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  )

test.each(sampleRows(Object.keys(layouts), 2))(
  '%s',
  async (name) => {
    if (!active) return
    const at = join(root, 'home', 'work')
    const go = async (inside: boolean) => {
      rmSync(at, { recursive: true, force: true })
      mkdirSync(at)
      const { folder, cwd = folder, refused = {} } = (layouts[name] as (typeof layouts)[string])(at)
      const sandbox: SandboxRequest = {
        ...{ kind: 'workspace', folders: [folder], protected: [], network: [], write: [], revealed: [] },
        ...{ opened: [], history: true },
      }
      const base = { file: 'bash', args: ['-c', script], cwd, env: env(), timeoutMs: 60_000 }
      const found = sections((await runner.run({ ...base, ...(inside && { sandbox }) })).stdout.text)
      for (const [command, text] of Object.entries(refused)) {
        if (inside) expect(found[command]).toContain(text)
        delete found[command]
      }
      return { found, refused }
    }
    const { found, refused } = await go(false)
    expect(Object.keys({ ...found, ...refused }).sort()).toEqual(Object.keys(commands).sort())
    expect((await go(true)).found).toEqual(found)
  },
  60_000,
)
