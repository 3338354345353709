// Which folder may import which: the table is the architecture, and this test holds the code to it.
import { describe, expect, it } from 'vitest'
import { findKnots, importsOf } from '../support/import-graph.ts'
import { read, sources } from '../support/sources.ts'

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
  toolset: ['base', 'event', 'policy', 'tool'],
  sandbox: lower,
  terminal: [...core, 'process'],
  cron: lower,
  undo: core,
  search: lower,
  passages: [...lower, 'search', 'text-analysis', 'document'],
  media: lower,
  document: [...lower, 'media'],
  web: [...lower, 'document'],
  'text-analysis': ['base'],
  model: [...lower, 'text-analysis'],
  profile: lower,
  skill: [...lower, 'tool'],
  hook: [...lower, 'tool'],
  relay: [...lower, 'tool'],
  toolbox: [...lower, 'tool', 'tool-support'],
  lsp: [...lower, 'tool'],
  mcp: [...lower, 'tool', 'tool-support', 'trust'],
  'mcp-server': contract,
  plugin: [...lower, 'tool', 'tool-support', 'trust'],
  tools: [...contract, 'tool-support', 'patch', 'search', 'passages', 'media', 'document', 'web', 'undo'],
  agent,
  otel: core,
  study: [...agent, 'document', 'passages', 'otel'],
  research: agent,
  review: agent,
  session: [...core, 'policy', 'model', 'tool'],
  server: [...core, 'policy', 'session'],
  acp: [...core, 'policy', 'session', 'tool'],
  tui: [...contract, 'agent', 'session'],
  host: 'all',
}

/**
 * Files that import each other in a circle, lazy imports and types included: each circle that is still there. No
 * circle may be added; one of more than three files hides what stands above and what below.
 */
const knots: readonly (readonly string[])[] = []

const folder = (file: string) => file.split('/')[1] as string

/** What the command line may import as values; types it may take from anywhere. */
const commandRow = [
  ...['host', 'render', 'tui', 'base', 'event'],
  // what studies and experiments look like in words: text from data, nothing is read or changed
  ...['research/report', 'study/report', 'study/progress'],
]

/** What the build writes down comes from the rooms that own it. */
const buildRow = [...commandRow, 'config', 'model/catalog', 'profile', 'skill']

/** Folders of internal/ whose values a file imports, lazily or not. */
function valueFolders(file: string): string[] {
  const text = read(file)
  const kept = [...text.matchAll(/^(?:import|export)\s+(?!type\s)([^;']*?)from\s+'([^']+)'/gm)]
    .filter(([, names = '']) => !/^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names))
    .map((match) => match[2] as string)
  const lazy = [...text.matchAll(/import\s*\(\s*'([^']+)'/g)].map((match) => match[1] as string)
  const folders = [...kept, ...lazy].flatMap((path) => /\/internal\/(.+)\/[^/]+$/.exec(path)?.[1] ?? [])
  return [...new Set(folders)].sort()
}

describe('imports of cmd', () => {
  it('take values from few rooms, types from all', () => {
    const crossing: string[] = []
    for (const file of sources().filter((file) => file.startsWith('cmd/'))) {
      const row = file.startsWith('cmd/build/') ? buildRow : commandRow
      const allowed = (path: string) => row.some((one) => path === one || path.startsWith(`${one}/`))
      const folders = valueFolders(file).filter((path) => !allowed(path))
      crossing.push(...folders.map((path) => `${file} imports ${path}`))
    }
    expect(crossing).toEqual([])
  })
})

describe('imports', () => {
  const files = sources()

  it('follow the table', () => {
    const broken = files.flatMap((file) => {
      const from = folder(file)
      return importsOf(file).flatMap((target) => {
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

  it('make no circle of files, lazy ones and those of types included', () => {
    expect(findKnots(files)).toEqual(knots)
  })

  it('never go from one tool to another', () => {
    const tools = files.filter((file) => file.startsWith('internal/tools/') && !file.endsWith('index.ts'))
    const crossing = tools.flatMap((file) =>
      importsOf(file)
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
