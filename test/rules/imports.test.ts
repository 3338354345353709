// Which folder may import which: the table is the architecture, and this test holds the code to it.
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root, sources } from '../support/sources.ts'

const core = ['base', 'event']
const lower = [...core, 'store', 'policy', 'process', 'net']
const contract = [...lower, 'render', 'tool']
const agent = [...contract, 'model', 'text-analysis', 'profile', 'skill', 'agent']

/** Folder of internal/ to the folders it may import besides itself; types count. */
const table: Record<string, string[] | 'all'> = {
  base: [],
  event: ['base'],
  store: core,
  policy: core,
  process: core,
  net: core,
  render: core,
  patch: core,
  trust: lower,
  config: lower,
  tool: [...lower, 'render'],
  'tool-support': contract,
  search: lower,
  media: lower,
  'text-analysis': ['base'],
  model: [...lower, 'text-analysis'],
  profile: lower,
  skill: [...lower, 'tool'],
  hook: [...lower, 'tool'],
  toolbox: [...lower, 'tool', 'tool-support'],
  lsp: [...lower, 'tool'],
  mcp: [...lower, 'tool', 'tool-support', 'trust'],
  plugin: [...lower, 'tool', 'tool-support', 'trust'],
  tools: [...contract, 'tool-support', 'patch', 'search', 'media'],
  agent,
  study: agent,
  research: agent,
  review: agent,
  tui: [...contract, 'agent'],
  host: 'all',
}

const specifiers = /(?:from\s+|import\s*\(\s*|^import\s+)'(\.{1,2}\/[^']+)'/gm

function imports(file: string): string[] {
  return [...read(file).matchAll(specifiers)].map((match) =>
    relative(root, join(root, dirname(file), match[1] as string)),
  )
}

const folder = (file: string) => file.split('/')[1] as string

describe('imports', () => {
  const files = sources()

  it('follow the table', () => {
    const broken = files.flatMap((file) => {
      const from = folder(file)
      return imports(file).flatMap((target) => {
        if (file.startsWith('cmd/')) return []
        if (!target.startsWith('internal/')) return [`${file} imports ${target}, outside of internal/`]
        const allowed = table[from]
        if (allowed === undefined) return [`${from} is not in the table (${file})`]
        const to = folder(target)
        return allowed === 'all' || to === from || allowed.includes(to) ? [] : [`${file} imports ${target}`]
      })
    })
    expect(broken).toEqual([])
  })

  it('make no cycle', () => {
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (file: string, path: string[]) => {
      if (state.get(file) === 'done') return
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
        return
      }
      state.set(file, 'open')
      for (const target of staticImports(file)) visit(target, [...path, file])
      state.set(file, 'done')
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('never go from one tool to another', () => {
    const tools = files.filter((file) => file.startsWith('internal/tools/') && !file.endsWith('index.ts'))
    const crossing = tools.flatMap((file) =>
      imports(file)
        .filter((target) => tools.includes(target))
        .map((target) => `${file} imports ${target}`),
    )
    expect(crossing).toEqual([])
  })

  it('take zod in its small form', () => {
    const full = files.filter((file) => /from 'zod'/.test(read(file)))
    expect(full).toEqual([])
  })
})

/** Types count; a lazy import does not, it is how a cycle of folders is taken apart. */
function staticImports(file: string): string[] {
  return [...read(file).matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.{1,2}\/[^']+\.ts)'/gm)].map((match) =>
    relative(root, join(root, dirname(file), match[1] as string)),
  )
}
