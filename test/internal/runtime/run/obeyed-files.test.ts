// The notice at the end of a run about changed files that agents and programs obey: every name, and every
// way to write.

import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Event } from '../../../../internal/event/event.ts'
import type { Mode } from '../../../../internal/policy/level.ts'
import { guardedNames } from '../../../../internal/policy/paths/sensitive-names.ts'
import { runHeadless } from '../../../../internal/runtime/run/headless-run.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { git } from '../../../support/repo.ts'
import { shareRows } from '../../../support/sample.ts'
import { plant, scratchWith } from '../../../support/scratch.ts'

interface Call {
  name: string
  args: Record<string, unknown>
}

/** Files that an instruction file includes, in each form. `docs/later.md` does not exist before. */
const included = ['docs/alone.md', 'docs/in-a-sentence.md', 'docs/later.md']
const instructions = [
  ...['AGENTS.md', 'AGENT.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', 'QWEN.md', 'CRUSH.md', 'WARP.md'],
  ...['CODEBUDDY.md', 'IFLOW.md', 'replit.md', '.cursorrules', '.windsurfrules', '.clinerules/a.md'],
  ...['.goosehints', '.augment-guidelines', '.github/copilot-instructions.md', '.openhands_instructions'],
  ...['.github/instructions/a.b.instructions.md', '.github/prompts/fix.prompt.md', 'x/AGENTS.md'],
  ...['.github/chatmodes/a.chatmode.md', '.github/agents/b.agent.md', 'lib/.rules'],
]
/** Settings files by pattern and by list. A directory is replaced by a file in it. */
const settings = [
  ...['mcp.json', 'tools/mcp-servers.json', '.other/settings.json'],
  ...guardedNames
    .filter((name) => name !== '.git' && name !== '.anode' && name !== 'anode.json')
    .map((name) => (/\.\w+$|rc$|profile$|file$|ignore$/.test(name.slice(1)) ? name : `${name}/x`)),
]
const names = [...instructions, ...settings, ...included]

const plain = ['README.md', 'src/agents.ts', 'settings.json', 'docs/other.md']

interface Setup {
  files?: Record<string, string>
  /** Whether AGENTS.md is a link. */
  isLinked?: boolean
  asked?(): unknown
  sandbox?: 'off'
}

async function run(
  calls: readonly Call[],
  mode: Mode,
  allow: boolean,
  { files = {}, isLinked = false, asked = () => undefined, sandbox }: Setup = {},
): Promise<{ events: Event[]; obeyed: readonly string[]; cwd: string }> {
  const cwd = join(scratchWith({}), 'work')
  const outside = { base: dirname(cwd), script: join(dirname(cwd), 'replies.jsonl') }
  const text = '@docs/alone.md\nRead @docs/in-a-sentence.md, then @docs/later.md.\nold\n'
  const there = { 'docs/alone.md': 'old\n', 'docs/in-a-sentence.md': 'old\n', 'docs/target.md': text }
  plant(cwd, { ...there, 'AGENTS.md': text, ...files })
  if (isLinked) {
    rmSync(join(cwd, 'AGENTS.md'))
    symlinkSync('docs/target.md', join(cwd, 'AGENTS.md'))
  }
  git(cwd, 'init', '-q')
  const batches = Array.from({ length: Math.ceil(calls.length / 25) }, (_, i) => ({
    calls: calls.slice(i * 25, i * 25 + 25),
  }))
  const replies = [...batches, { text: 'done' }]
  writeFileSync(outside.script, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const env = { PATH: process.env['PATH'], HOME: outside.base, ANODE_DATA_DIR: join(outside.base, 'data') }
  const events: Event[] = []
  const { receipts } = await runHeadless({
    ...{ cwd, env, signal: new AbortController().signal, mode, addDirs: [], features, terminal: undefined },
    ...{ prompt: 'go', caps: {}, model: `script:${outside.script}`, maxTurns: 100 },
    toolset: { extra: ['terminal_start', 'terminal_write'] },
    ...(sandbox && { sandbox }),
    ask: async () => {
      asked()
      return { allow, why: 'test' }
    },
    show: (event) => void events.push(event),
    inbox: async () => [],
    note: () => undefined,
  })
  return { events, obeyed: receipts.obeyed ?? [], cwd }
}

const failures = (events: readonly Event[]) =>
  events.flatMap(({ type, payload }) => (type === 'tool.result' && !payload.ok ? [payload.text] : []))

const notices = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'model.notice' && event.payload.code === 'obeyed' ? [event.payload.text] : [],
  )

const create = (path: string): Call => ({
  name: 'create_file',
  args: { path, content: 'new\n', overwrite: true },
})
const edit = (path: string): Call => ({
  name: 'edit_file',
  args: { path, old_string: 'old', new_string: 'new' },
})
const bash = (command: string): Call => ({ name: 'bash', args: { command } })

/** Returns one command for several names at once. Each name is a word of the command. */
const write = (some: readonly string[]) =>
  bash(
    some
      .map((name) =>
        name.includes('/') ? `mkdir -p '${dirname(name)}'; echo x > '${name}'` : `echo x > '${name}'`,
      )
      .join('; '),
  )
const inTens = (all: readonly string[]) =>
  Array.from({ length: Math.ceil(all.length / 10) }, (_, i) => all.slice(i * 10, i * 10 + 10))

const ways: Record<string, (all: readonly string[]) => Call[]> = {
  create_file: (all) => all.map(create),
  edit_file: (all) => all.map(edit),
  bash: (all) => inTens(all).map(write),
}

test.each(Object.keys(ways))('%s: lists every name at the end, and no other', async (way) => {
  expect(names.length).toBeGreaterThan(150)
  const wanted = shareRows(names, Object.keys(ways).indexOf(way), 3).filter(
    (name) => way !== 'edit_file' || name !== 'docs/later.md',
  )
  const all = [...wanted, ...plain]
  // AGENTS.md already has its text, which includes three of the files
  const edited = way === 'edit_file' ? all.filter((name) => name !== 'AGENTS.md') : []
  const files = Object.fromEntries(edited.map((name) => [name, 'old\n']))
  const { events, obeyed } = await run(ways[way]?.(all) ?? [], 'unrestricted', true, { files })
  expect(failures(events)).toEqual([])
  expect([...obeyed].sort()).toEqual([...wanted].sort())
  expect(notices(events)).toHaveLength(1)
  expect(events.at(-1)?.type).toBe('run.ended')
})

test('detects files that a program writes without naming them in the command', async () => {
  const paths = [...instructions, ...included]
  const program = `const fs = require('fs'), path = require('path')
for (const name of ${JSON.stringify(paths)}) {
  fs.mkdirSync(path.dirname(name), { recursive: true })
  fs.writeFileSync(name, 'x')
}`
  const { obeyed } = await run([bash('node w.js')], 'auto', false, { files: { 'w.js': program } })
  expect([...obeyed].sort()).toEqual([...paths].sort())
})

test('prints nothing if nothing was written', async () => {
  const calls = [{ ...edit('AGENTS.md'), args: { path: 'AGENTS.md', old_string: 'absent', new_string: 'x' } }]
  const { events, obeyed } = await run([...calls, bash('cat AGENTS.md'), create('README.md')], 'auto', true)
  expect(failures(events)).toHaveLength(1)
  expect(obeyed).toEqual([])
  expect(notices(events)).toEqual([])
})

test.each(['edits', 'auto'] as const)(
  'mode %s: writing what an instruction file includes or leads to needs approval',
  async (mode) => {
    const some = [...instructions, ...included, 'docs/target.md']
    const calls = [...some.map(create), ...some.map((name) => bash(`echo x > '${name}'`))]
    let count = 0
    const { events, cwd } = await run([...calls, create('docs/other.md')], mode, false, {
      isLinked: true,
      asked: () => count++,
    })
    expect(count).toBe(calls.length)
    expect(failures(events)).toHaveLength(calls.length)
    expect(readFileSync(join(cwd, 'docs/alone.md'), 'utf8')).toBe('old\n')
  },
)

/** Waits for the file in a separate call, because nothing else reports that a terminal has written. */
const until = (name: string) => bash(`until [ -e '${name}' ]; do sleep 0.02; done`)

const backgroundWays: Record<string, (line: string) => Call[]> = {
  'background job': (line) => [{ name: 'bash', args: { command: line, background: true } }, until('done')],
  terminal: (line) => [
    { name: 'terminal_start', args: { shell: 'sh' } },
    { name: 'terminal_write', args: { session_id: 'term_1', input: line } },
    until('done'),
  ],
}

test.each(Object.keys(backgroundWays))('%s: detects every name, and no other', async (way) => {
  const calls = backgroundWays[way] as (line: string) => Call[]
  const all = [...names.filter((name) => !name.includes("'")), ...plain]
  const files = { 'src/w.sh': `${all.map(writeLine).join('\n')}\n: > done\n` }
  const { events, obeyed } = await run(calls('sh src/w.sh'), 'unrestricted', true, { files, sandbox: 'off' })
  expect(failures(events)).toEqual([])
  expect([...obeyed].sort()).toEqual([...names].sort())
  expect(notices(events).at(-1)).toMatch(/^this run changed files that agents or programs obey later: /)
})

const writeLine = (name: string) => `mkdir -p "$(dirname '${name}')"; echo x > '${name}'`

test.each(Object.keys(backgroundWays))('%s: detected at the next call, in the sandbox', async (way) => {
  const calls = backgroundWays[way] as (line: string) => Call[]
  // the sandbox keeps a job from creating the directory of workflows
  const paths = [...instructions, ...included].filter((name) => !name.startsWith('.github/'))
  const files = { 'src/w.sh': `${paths.map(writeLine).join('\n')}\n: > done\n` }
  const steps = [...calls('sh src/w.sh'), bash('true')]
  const { events, obeyed } = await run(steps, 'unrestricted', true, { files })
  expect([...obeyed].sort()).toEqual([...paths].sort())
  const at = (find: (event: Event) => boolean) => events.findIndex(find)
  const noticed = at((event) => event.type === 'model.notice' && /^a background/.test(event.payload.text))
  expect(noticed).toBeGreaterThan(-1)
  expect(noticed).toBeLessThan(at(({ type }) => type === 'run.ended') - 1)
})

test('ignores a job that writes no such file, and does not blame a foreground call for it', async () => {
  const quiet = backgroundWays['background job']?.('echo x > plain.txt; echo x > done') ?? []
  const { events, obeyed } = await run([...quiet, create('AGENTS.md')], 'unrestricted', true)
  expect(obeyed).toEqual(['AGENTS.md'])
  expect(notices(events)).toHaveLength(1)
})
