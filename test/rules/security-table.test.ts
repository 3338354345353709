// The table of decisions in manual/security-model.md: each cell equals the decision on a sample call.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveFacts } from '../../internal/policy/call-facts.ts'
import { decide } from '../../internal/policy/decide.ts'
import { type Mode, modes } from '../../internal/policy/level.ts'
import { unconfinedBuild } from '../../internal/policy/policy.ts'
import { loadNativeEntries } from '../../internal/runtime/tools/tool-registry.ts'
import type { Tool } from '../../internal/tool/tool.ts'
import { folder, policyOf, remove, rootsOf } from '../internal/policy/policies.ts'
import { accessOf } from '../support/ctx.ts'
import { git } from '../support/repo.ts'
import { read } from '../support/sources.ts'

interface Sample {
  /** The first cell of the row. */
  row: string
  tool: string
  args: Record<string, unknown>
  untrusted?: true
  /** Whether the agent has changed files since the last approved build. */
  changed?: true
}

const run = (row: string, command: string, more: Partial<Sample> = {}): Sample => ({
  ...{ row, tool: 'bash', args: { command } },
  ...more,
})
const url = (row: string, address: string): Sample => ({ row, tool: 'web_fetch', args: { url: address } })
const write = (row: string, path: string): Sample => ({
  ...{ row, tool: 'create_file', args: { path, content: 'x' } },
})

const samples: readonly Sample[] = [
  run('Run a command that only reads: `git log -1`', 'git log -1'),
  run('Run tests and builds in a trusted workspace: `npm test`', 'npm test'),
  run('The same after the agent has changed files: `npm test`', 'npm test', { changed: true }),
  run('The same in a workspace that is not trusted: `npm test`', 'npm test', { untrusted: true }),
  run('Run another program: `node tool.js`', 'node tool.js'),
  run('Run code that Anode cannot read: `eval "$X"`', 'eval "$X"'),
  run('Commit: `git commit -m x`', 'git commit -m x'),
  run('Publish: `npm publish`', 'npm publish'),
  run('Delete a directory: `rm -r src`', 'rm -r src'),
  { row: 'Read a file in the workspace', tool: 'read', args: { path: 'a.txt' } },
  { row: 'Read a file with the name of a secret: `.env`', tool: 'read', args: { path: '.env' } },
  run('The same with a command: `cat .env`', 'cat .env'),
  { row: 'Read a file outside of the workspace', tool: 'read', args: { path: '/etc/hosts' } },
  run('The same with a command: `cat /etc/hosts`', 'cat /etc/hosts'),
  write('Write a file in the workspace', 'src/b.ts'),
  run('The same with a command: `ls > out.txt`', 'ls > out.txt'),
  write('Write instructions for agents: `AGENTS.md`', 'AGENTS.md'),
  write('Write hooks and CI: `.github/workflows/ci.yml`', '.github/workflows/ci.yml'),
  write('Write in a protected directory', 'vendor/a.ts'),
  write('Write outside of the workspace', '/opt/a.ts'),
  { row: 'Search the web', tool: 'web_search', args: { query: 'node streams' } },
  url('Fetch a page of documentation: `nodejs.org`', 'https://nodejs.org/api/'),
  url('Fetch a page of a new host', 'https://example.com/a'),
  url('Fetch a URL of more than 200 characters', `https://example.com/?q=${'a'.repeat(201)}`),
  run('Use the network in a command: `curl https://example.com`', 'curl https://example.com'),
]

let ws = ''
let tools: ReadonlyMap<string, Tool>
beforeAll(async () => {
  ws = folder('src', 'vendor', '.github/workflows')
  for (const name of ['a.txt', 'src/a.ts', 'tool.js', '.env', 'vendor/a.ts']) {
    mkdirSync(dirname(join(ws, name)), { recursive: true })
    writeFileSync(join(ws, name), 'x\n')
  }
  git(ws, 'init', '-q')
  const entries = await Promise.all((await loadNativeEntries()).map(({ load }) => load()))
  tools = new Map(entries.map((tool) => [tool.name, tool]))
})
afterAll(() => remove(ws))

/** Returns the decision on a sample: yes, asks or denied. */
async function answer(sample: Sample, mode: Mode, sandboxed: boolean): Promise<string> {
  const tool = tools.get(sample.tool) as Tool
  const args = tool.input.parse(sample.args) as Record<string, unknown>
  const roots = rootsOf(ws, {
    protected: [join(ws, 'vendor')],
    openInstructions: mode === 'unrestricted',
  })
  // A protected directory makes commands ask, which has a separate row.
  const isCommand = sample.tool === 'bash'
  const policy = policyOf(ws, {
    ...{ mode, trusted: sample.untrusted !== true },
    roots: isCommand ? { ...roots, protected: [] } : roots,
  })
  const call = {
    ...{ tool: tool.name, level: accessOf(tool, args).level ?? tool.level, args },
    scope: accessOf(tool, args).scope ?? [],
  }
  const facts = await resolveFacts(call, policy, ws, sandboxed && isCommand)
  const unconfined = isCommand && !sandboxed && sample.changed === true
  const { action, reasons } = decide({ ...facts, ...(unconfined && { unconfined }) }, policy)
  const once = reasons.some(({ text }) => text.includes(unconfinedBuild)) ? ' once' : ''
  return { allow: 'yes', ask: `asks${once}`, deny: 'denied' }[action]
}

async function rowOf(sample: Sample): Promise<string> {
  const cells = await Promise.all(
    modes.map(async (mode) => {
      const [inside, outside] = [await answer(sample, mode, true), await answer(sample, mode, false)]
      return inside === outside ? inside : `${inside} / ${outside}`
    }),
  )
  return `| ${[sample.row, ...cells].join(' | ')} |`
}

test('every cell of the table equals the decision of the policy', async () => {
  const rows: string[] = []
  for (const sample of samples) rows.push(await rowOf(sample))
  const page = read('manual/security-model.md')
  const head = '| action | ask | edits | auto | unrestricted |\n|---|---|---|---|---|\n'
  const [, table = ''] = page.split(head)
  const written = table.split('\n\n')[0]?.trimEnd().split('\n')
  expect(written).toEqual(rows)
  expect(new Set(rows.flatMap((row) => row.split(' | ').slice(1))).size).toBeGreaterThan(4)
})
