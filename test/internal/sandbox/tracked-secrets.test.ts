// Notices about secrets in the git history: layouts of repositories, and every way to start a command.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import { findFolderPlaces } from '../../../internal/sandbox/folder-places.ts'
import { describeTrackedSecrets } from '../../../internal/sandbox/tracked-secrets.ts'
import { type World, world } from '../../support/anode.ts'
import { git } from '../../support/repo.ts'
import { hasTmux, openTerminal } from '../../support/tmux.ts'

let at: World | undefined
let runner: ProcessRunner
const home = world()
beforeAll(() => {
  runner = createRunner({ dataDir: home.data, env: { PATH: process.env['PATH'] } })
})
afterEach(() => at?.remove())
afterAll(async () => {
  await runner.close()
  home.remove()
})

function commit(dir: string, files: readonly string[], message = 'c'): string {
  mkdirSync(dir, { recursive: true })
  git(dir, 'init', '-q', '-b', 'main')
  for (const name of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), `value of ${name}\n`)
    git(dir, 'add', '-f', name)
  }
  git(dir, 'commit', '-q', '--allow-empty', '-m', message)
  return dir
}

const remove = (dir: string, name: string) => {
  git(dir, 'rm', '-q', name)
  git(dir, 'commit', '-q', '-m', 'remove')
}

interface Layout {
  /** Builds it in a directory. Returns the workspace; default: that directory. */
  make(dir: string): string | undefined
  tracked?: string
  once?: string
}

const many = Array.from({ length: 11 }, (_, i) => `k${String(i).padStart(2, '0')}.pem`)
const layouts: Record<string, Layout> = {
  'no repository': { make: () => undefined },
  'a repository without commits': { make: (dir) => void git(dir, 'init', '-q') },
  'none tracked': { make: (dir) => commit(dir, ['a.ts', '.env.example', 'id_rsa.pub', '.vscode/x.env']) },
  one: { make: (dir) => commit(dir, ['a.ts', '.env']), tracked: '.env' },
  'one that is only staged': {
    make: (dir) => {
      commit(dir, ['a.ts'])
      writeFileSync(join(dir, '.npmrc'), 'x\n')
      git(dir, 'add', '.npmrc')
      return dir
    },
    tracked: '.npmrc',
  },
  many: { make: (dir) => commit(dir, many), tracked: `${many.slice(0, 8).join(', ')}, 3 more files` },
  'in directories': {
    make: (dir) => commit(dir, ['deploy/prod/.env', '.aws/config', 'b c/x.key']),
    tracked: '.aws/config, b c/x.key, deploy/prod/.env',
  },
  'names with hidden characters': {
    make: (dir) => commit(dir, ['a\n\u001b[2J.pem']),
    tracked: String.raw`"a\n\u001b[2J.pem"`,
  },
  'a subdirectory is the workspace': {
    make: (dir) => join(commit(dir, ['.env', 'src/.env', 'src/a.ts']), 'src'),
    tracked: '../.env, .env',
  },
  'a linked worktree': {
    make: (dir) => {
      git(commit(join(dir, 'main'), ['.env']), 'worktree', 'add', '-q', '../linked')
      return join(dir, 'linked')
    },
    tracked: '.env',
  },
  'a submodule': {
    make: (dir) => {
      const inner = commit(join(dir, '../inner'), ['keys/a.pem'])
      const top = commit(dir, ['a.ts'])
      git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'libs/sub')
      return top
    },
    tracked: 'libs/sub/keys/a.pem',
  },
  'a nested repository': {
    make: (dir) => {
      commit(join(commit(dir, ['a.ts']), 'tools/own'), ['.netrc'])
      return dir
    },
    tracked: 'tools/own/.netrc',
  },
  'once tracked': {
    make: (dir) => {
      remove(commit(dir, ['.env', 'a.pem']), 'a.pem')
      return dir
    },
    tracked: '.env',
    once: 'a.pem',
  },
  'on another branch only': {
    make: (dir) => {
      git(commit(dir, ['a.ts']), 'checkout', '-q', '-b', 'side')
      commit(dir, ['credentials.json'])
      git(dir, 'checkout', '-q', 'main')
      return dir
    },
    once: 'credentials.json',
  },
  'in a stash': {
    make: (dir) => {
      writeFileSync(join(commit(dir, ['a.ts']), '.env'), 'x\n')
      git(dir, 'stash', '-q', '--include-untracked')
      return dir
    },
    once: '.env',
  },
}

/** Returns the notice for a layout; undefined for one without secrets. */
function lineOf({ tracked, once }: Layout): string | undefined {
  const parts = [...(tracked ? [`tracks ${tracked}`] : []), ...(once ? [`once tracked ${once}`] : [])]
  return parts.length > 0 ? `git ${parts.join(' and ')}: commands` : undefined
}

test.each(Object.entries(layouts))('finds the checkouts and secrets of %s', async (_, layout) => {
  at = world()
  const folder = layout.make(at.dir) ?? at.dir
  const indexes = new Map()
  const { checkouts } = findFolderPlaces([folder], { folders: new Map(), indexes })
  const line = await describeTrackedSecrets(checkouts, folder, { indexes, run: runner.run })
  const wanted = lineOf(layout)
  expect(line?.slice(0, wanted?.length)).toBe(wanted)
})

test('lists the secrets found so far if the history takes too long', async () => {
  at = world()
  commit(at.dir, ['.env'])
  const slow: typeof runner.run = (one) => runner.run({ ...one, timeoutMs: 0 })
  const memory = { indexes: new Map(), run: slow }
  const { checkouts } = findFolderPlaces([at.dir], { folders: new Map(), indexes: memory.indexes })
  expect(await describeTrackedSecrets(checkouts, at.dir, memory)).toContain('git tracks .env:')
})

const calls = ['git log -p | wc -l', 'git status'].map((command) => ({ name: 'bash', args: { command } }))
const task = { name: 'task', args: { title: 't', goal: 'count', profile: 'craft' } }

/** The text that a user reads for each way to start commands. */
const ways: Record<string, (at: World) => Promise<string>> = {
  execute: async (place) => {
    const { out, err } = await place.anode(['execute', 'go', ...script(place, calls)])
    return out + err
  },
  'execute as JSON events': async (place) => {
    const words = ['execute', 'go', '--stream-json', ...script(place, calls)]
    return (await place.anode(words)).out
  },
  'a run of the profile study': async (place) => {
    const { out, err } = await place.anode(['execute', 'go', '--profile', 'study', ...script(place, calls)])
    return out + err
  },
  'a subagent': async (place) => {
    const { out, err } = await place.anode(['execute', 'go', ...script(place, [task, ...calls, ...calls])])
    return out + err
  },
  'a session': async (place) => {
    const words = [process.execPath, join(process.cwd(), 'dist/anode.cjs'), ...script(place, calls), 'go']
    const env = { HOME: dirname(place.dir), ANODE_DATA_DIR: place.data, ANODE_SCREEN: 'plain' }
    const screen = openTerminal(words.map((word) => `'${word}'`).join(' '), {
      cwd: place.dir,
      env,
      rows: 50,
      columns: 300,
    })
    await screen.until(/finished/)
    screen.press('C-d')
    await screen.exit()
    return screen.screen().join('\n')
  },
  'a direct call': async (place) => {
    const words = ['tools', 'use', 'bash', '--allow-non-read', '--arg', 'command=git status']
    const { out, err } = await place.anode(words)
    return out + err
  },
}

function script(place: World, replies: readonly object[]): string[] {
  const lines = [...replies.map((call) => ({ calls: [call] })), { text: 'finished' }]
  place.put('../replies.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
  return ['--model', `script:${join(place.dir, '..', 'replies.jsonl')}`, '--approval', 'auto']
}

// a direct call does not search commits
const shown = (way: string) => ['none tracked', way === 'a direct call' ? 'one' : 'once tracked'] as const
test.for(Object.keys(ways).flatMap((way) => shown(way).map((layout) => [way, layout] as const)))(
  '%s, %s: prints the notice once',
  { timeout: 60_000 },
  async ([way, name], { skip }) => {
    if (way === 'a session' && !hasTmux()) return skip('tmux is not installed')
    at = world()
    const layout = layouts[name] as Layout
    layout.make(at.dir)
    const text = (await ways[way]?.(at)) ?? ''
    const line = lineOf(layout)
    expect(text.split('can read these secrets in its history')).toHaveLength(line === undefined ? 1 : 2)
    if (line) expect(text).toContain(line)
  },
)
