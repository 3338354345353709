// Anode's own directories cannot be workspaces, however they are named; checkouts that Anode made can.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { judgePath, resolvePath } from '../../../internal/policy/paths/path-jail.ts'
import { resolveAddedDir } from '../../../internal/runtime/session-policy.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { createServerBackend } from '../../../internal/service/server/server-backend.ts'
import { openLocalService } from '../../../internal/service/session/local-service.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import { refuseOwnDirectory } from '../../../internal/trust/is-trusted.ts'
import { scratch } from '../../support/scratch.ts'

const refusal = /where Anode keeps its own files/

function ownPlaces() {
  const home = scratch()
  const env = {
    HOME: home,
    ANODE_DATA_DIR: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
  }
  const dirs = [env.ANODE_DATA_DIR, join(env.XDG_CONFIG_HOME, 'anode'), join(env.XDG_CACHE_HOME, 'anode')]
  const workspace = join(home, 'work')
  for (const dir of [workspace, ...dirs.map((dir) => join(dir, 'server', 'deep'))])
    mkdirSync(dir, { recursive: true })
  mkdirSync(join(env.ANODE_DATA_DIR, 'worktrees', 'loose', 'src'), { recursive: true })
  mkdirSync(join(env.ANODE_DATA_DIR, 'research', 'id', 'session', 'wt', 'loose'), { recursive: true })
  mkdirSync(join(env.ANODE_DATA_DIR, 'worktrees', '.git'), { recursive: true })
  return { home, env, dirs, workspace }
}

/**
 * Returns every spelling of a directory: unchanged, with dots, below, and through links to it and above it.
 */
function spellings(dir: string, home: string): string[] {
  const link = join(home, `link-${dir.replaceAll('/', '_')}`)
  const above = `${link}-above`
  symlinkSync(dir, link)
  symlinkSync(join(dir, '..'), above)
  const name = dir.slice(dir.lastIndexOf('/') + 1)
  return [
    ...[dir, `${dir}/`, `${dir}/.`, `${dir}//server/..`, join(home, 'work', '..', dir.slice(home.length))],
    ...[join(dir, 'server'), join(dir, 'server', 'deep'), `${dir}/server/deep/../..`],
    ...[link, `${link}/`, join(link, 'server'), join(link, 'server', 'deep'), join(above, name)],
  ]
}

const loose = (data: string) => [
  ...[join(data, 'worktrees'), join(data, 'worktrees', 'loose'), join(data, 'worktrees', 'loose', 'src')],
  ...[join(data, 'worktrees', '.git'), join(data, 'research'), join(data, 'research', 'id', 'session')],
  ...[join(data, 'research', 'id', 'session', 'wt'), join(data, 'research', 'id', 'session', 'wt', 'loose')],
]

describe('a workspace in a directory of Anode', () => {
  it('is rejected in every spelling, by every entry point', async () => {
    const { home, env, dirs, workspace } = ownPlaces()
    const store = await openStore(env.ANODE_DATA_DIR)
    onTestFinished(() => store.close())
    const backend = createServerBackend(env.ANODE_DATA_DIR, store, { env, program: '/nowhere' })
    const { signal } = new AbortController()
    const direct = {
      env,
      signal,
      mode: 'ask',
      approval: 'none',
      record: 'changes',
      terminal: undefined,
    } as const
    const entries: Record<string, (path: string) => unknown> = {
      '-C, cron and ACP': (path) => readWorkspaceContext(path, env),
      'tools use': (cwd) => openDirectCalls({ ...direct, cwd, addDirs: [] }),
      '--add-dir': (path) => openDirectCalls({ ...direct, cwd: workspace, addDirs: [path] }),
      'add_dir of a session': async (path) => resolveAddedDir(workspace, path, env, ''),
      session: (cwd) => openLocalService({ cwd, env, addDirs: [], note: () => undefined }),
      'GET /v1/tools': (path) => backend.tools.list({ workspace: path, profile: undefined, signal }),
      'GET /v1/choices': (path) => backend.readChoices({ workspace: path }),
      'POST /v1/tools': (path) =>
        backend.tools.use('read', { workspace: path, args: { path: 'token' }, allow: false, signal }),
    }
    const paths = [...dirs.flatMap((dir) => spellings(dir, home)), ...loose(env.ANODE_DATA_DIR)]
    const accepted: string[] = []
    let tried = 0
    for (const [name, enter] of Object.entries(entries))
      for (const path of paths) {
        tried++
        const message = await Promise.resolve()
          .then(() => enter(path))
          .then(() => '', String)
        if (!refusal.test(message)) accepted.push(`${name} ${path}: ${message}`)
      }
    expect(accepted).toEqual([])
    expect(tried).toBeGreaterThan(300)
  })

  it('is accepted if it is a parent or a neighbor of such a directory', async () => {
    const { home, env, workspace, dirs } = ownPlaces()
    const beside = `${dirs[0]}-2`
    mkdirSync(beside)
    for (const path of [home, workspace, beside, '/'])
      expect((await readWorkspaceContext(path, env)).workspace).toBe(path)
  })

  it('is accepted if it is a checkout of a recorded worktree, and other directories stay rejected', async () => {
    const { env } = ownPlaces()
    const data = env.ANODE_DATA_DIR
    writeFileSync(
      join(data, 'worktrees', 'sess_loose.json'),
      JSON.stringify({ path: join(data, 'worktrees', 'loose') }),
    )
    writeFileSync(join(data, 'research', 'id', 'session', 'ledger.jsonl'), '')
    const run = join(data, 'worktrees', 'loose')
    const candidate = join(data, 'research', 'id', 'session', 'wt', 'loose')
    for (const workspace of [run, join(run, 'src'), candidate]) {
      refuseOwnDirectory(workspace, env)
      const roots = { workspace, added: [], protected: [], own: [data] }
      for (const path of ['server/token', 'worktrees/sess_loose.json', 'research/id/session/ledger.jsonl'])
        for (const access of ['read', 'write'] as const) {
          const place = resolvePath(workspace, roots, join(data, path))
          expect(judgePath(place, access, roots).action, path).not.toBe('allow')
        }
    }
    writeFileSync(join(data, 'worktrees', 'sess_other.json'), JSON.stringify({ path: run }))
    expect(() => refuseOwnDirectory(join(data, 'worktrees', 'other'), env)).toThrow(refusal)
  })
})
