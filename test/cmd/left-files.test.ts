// What runs, terminals and toolsets leave in a workspace: only files that a result names.
import { copyFileSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isRunnable } from '../../internal/base/files/open-file.ts'
import { type World, world } from '../support/anode.ts'
import { shareRows } from '../support/sample.ts'
import { root } from '../support/sources.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const folders = (process.env.PATH ?? '').split(delimiter)
const isInstalled = (name: string) => folders.some((dir) => isRunnable(join(dir, name)))

const shells = ['bash', 'sh', 'dash', 'zsh', 'fish', 'ksh', 'mksh'].filter(isInstalled)

/** Programs with a prompt, and what is typed to leave them. */
const prompts = Object.entries({
  python3: 'print("typed")\nexit()',
  node: '1+1\n.exit',
  sqlite3: 'select 1;\n.quit',
  'redis-cli -p 1': 'get typed\nexit',
  'gdb -q': 'print 1\nquit',
  lua: 'print(1)\nos.exit()',
  'psql -h 127.0.0.1': '',
  'less /etc/passwd': '/typed\nq',
  'bash --norc': 'echo typed\nexit',
}).filter(([program]) => isInstalled(program.split(' ')[0] as string))

/** The tools of a terminal by the names of each toolset that has them. */
const doors = [
  { toolset: 'researchharness', start: 'TerminalStart', write: 'TerminalWrite', kill: 'TerminalKill' },
  { toolset: 'anode', start: 'terminal_start', write: 'terminal_write', kill: 'terminal_kill' },
]

const filesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))

const rows = doors
  .flatMap((door) => ['auto', 'off'].map((sandbox) => ({ ...door, sandbox })))
  .filter(({ toolset, sandbox }) => toolset !== 'anode' || sandbox === 'off')

/** The environment of a user whose variables lead histories into the workspace. */
const histories = () => ({
  HISTFILE: join(at.dir, '.history'),
  NODE_REPL_HISTORY: join(at.dir, '.node'),
  HOME: at.dir,
})

it.each(rows)(
  'terminals of $toolset, sandbox $sandbox: no shell and no prompt leaves a file',
  async (row) => {
    const { start, write, kill, toolset, sandbox } = row
    const call = (tool: string, args: object) => JSON.stringify({ tool, args })
    const typed = [
      ...shells.map((shell) => ({ shell, text: 'export TOKEN=secret123; echo typed\nexit' })),
      ...prompts.map(([program, text]) => ({ shell: 'bash', text: `${program}\n${text}\nexit` })),
    ]
    const lines = typed.flatMap(({ shell, text }, i) => [
      call(start, { shell }),
      call(write, { session_id: `term_${i + 1}`, input: text, yield_time_ms: 800 }),
      call(kill, { session_id: `term_${i + 1}` }),
    ])
    const own = toolset === 'anode' ? [start, write, kill].flatMap((name) => ['--extra-tool', name]) : []
    const words = ['tools', 'batch', '--toolset', toolset, ...own, '--sandbox', sandbox, '--allow-non-read']
    const { out } = await at.anode(words, { input: lines.join('\n'), env: histories() })
    const results = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(results).toHaveLength(lines.length)
    const isNamed = (path: string) => out.includes(path.slice(at.dir.length + 1))
    expect(filesOf(at.dir).filter((path) => !isNamed(path))).toEqual([])
  },
  60_000,
)

it.each(
  ['hooman', 'ah', 'researchharness', 'swarmie'].flatMap((toolset, i) =>
    shareRows(['auto', 'off'], i, 2).map((sandbox) => [toolset, sandbox]),
  ),
)('a run under %s, sandbox %s, leaves only files that its results name', async (toolset, sandbox) => {
  copyFileSync(join(root, `test/fixtures/scripts/toolset-${toolset}.jsonl`), join(at.dir, 'replies.jsonl'))
  const words = ['--model', 'script:replies.jsonl', '--toolset', toolset, '--approval', 'yolo']
  const { code, out } = await at.anode(['execute', ...words, '--sandbox', sandbox, 'x', '--stream-json'], {
    env: histories(),
  })
  expect(code).toBe(0)
  const isNamed = (path: string) => out.includes(path.slice(at.dir.length + 1))
  const left = filesOf(at.dir).filter((path) => !path.endsWith('/replies.jsonl'))
  expect(left.filter((path) => !isNamed(path))).toEqual([])
})
