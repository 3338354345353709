// The allowed imports between directories: the table is the architecture, and this test enforces it.
import { describe, expect, it } from 'vitest'
import { findKnots, importsOf } from '../support/import-graph.ts'
import { read, sources } from '../support/sources.ts'

const core = ['base', 'event']
const lower = [...core, 'store', 'policy', 'process', 'net']
const contract = [...lower, 'render', 'tool']
const agent = [...contract, 'model', 'text-analysis', 'profile', 'skill', 'agent']
/** The rooms that a session consists of. */
const runtime = [
  ...[...agent, 'runtime', 'config', 'trust', 'hook', 'relay', 'toolbox', 'lsp', 'mcp', 'plugin', 'sandbox'],
  ...['pty', 'proof', 'search', 'retrieval', 'media', 'document', 'web', 'patch', 'undo', 'otel', 'toolset'],
  ...['tool-support', 'tools'],
]
const services = (...names: string[]) => names.map((name) => `service/${name}`)

/** Each room with the other rooms that it may import. Types count. Each directory of `service` is a room. */
const table: Record<string, string[]> = {
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
  pty: [...core, 'process'],
  cron: lower,
  undo: core,
  search: lower,
  retrieval: [...lower, 'search', 'text-analysis', 'document'],
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
  mcp: [...lower, 'tool', 'tool-support', 'trust', 'document'],
  'mcp-server': contract,
  plugin: [...lower, 'tool', 'tool-support', 'trust'],
  tools: [...contract, 'tool-support', 'patch', 'search', 'retrieval', 'media', 'document', 'web', 'undo'],
  agent,
  otel: core,
  study: [...agent, 'document', 'retrieval', 'otel', 'session/board'],
  'study-eval': [...agent, 'document', 'retrieval', 'study'],
  // patch: the replacement of edit_file, which keeps line ends and byte order marks
  research: [...agent, 'patch', 'session/board'],
  review: agent,
  proof: lower,
  build: [...lower, 'proof', 'sandbox', 'model', 'render', 'session/board'],
  session: [...core, 'policy', 'model', 'tool'],
  server: [...core, 'policy', 'session'],
  // render: the parser of inline markup, which every form of a quote shares
  page: [...core, 'render', 'session', 'server'],
  acp: [...core, 'policy', 'process', 'session', 'tool'],
  tui: [...contract, 'agent', 'session'],
  runtime,
  'service/features': [...runtime, 'proof', 'study', 'research', 'review', 'cron', 'tui'],
  'service/models': runtime,
  'service/mcp': runtime,
  'service/permissions': runtime,
  'service/desktop': runtime,
  'service/cron': [...runtime, 'cron'],
  'service/threads': [...runtime, 'session'],
  'service/calls': [...runtime, ...services('features')],
  'service/proof': [...runtime, ...services('calls')],
  'service/library': [...runtime, ...services('features')],
  'service/study': [...runtime, ...services('features'), 'study', 'session', 'server'],
  'service/study-eval': [...runtime, ...services('features', 'study'), 'study', 'study-eval'],
  'service/research': [...runtime, ...services('features'), 'research', 'session', 'server'],
  'service/harness': [...runtime, ...services('threads', 'study')],
  'service/doctor': [...runtime, ...services('calls', 'models', 'mcp'), 'study', 'tui'],
  'service/session': [
    ...[...runtime, 'session', 'study', 'research'],
    ...services('features', 'threads', 'models', 'mcp', 'permissions', 'desktop', 'study', 'research'),
  ],
  'service/runs': [...runtime, ...services('session', 'threads'), 'session', 'server', 'research'],
  'service/build': [
    ...[...runtime, 'build', 'proof', 'research', 'session', 'server', 'study'],
    ...services('features', 'calls', 'proof', 'runs', 'study'),
  ],
  'service/acp': [...runtime, ...services('session', 'models'), 'acp', 'session', 'tui'],
  'service/server': [
    ...[...runtime, 'server', 'session', 'tui'],
    ...services('runs', 'session', 'study', 'research', 'build', 'threads', 'permissions', 'calls', 'models'),
  ],
  'service/mcp-server': [
    ...[...runtime, 'mcp-server', 'server', 'research', 'tui'],
    ...services('features', 'server', 'calls', 'threads', 'study', 'research', 'build'),
  ],
}

/**
 * Files that import each other in a cycle, lazy imports and types included: each remaining cycle. No cycle
 * may be added. A cycle of more than three files hides which file is above the other.
 */
const knots: readonly (readonly string[])[] = []

const roomOf = (file: string) => {
  const [, room = '', feature = ''] = file.split('/')
  return room === 'service' ? `service/${feature}` : room
}

/** Rooms whose values the command line may import. It may import types from anywhere. */
const commandRow = [
  ...['service', 'runtime', 'render', 'tui', 'base', 'event'],
  // text of studies, experiments and builds, made from data without reading or changing anything
  ...['research/report', 'study/report', 'study/progress', 'build/report', 'session/board'],
]

/** Rooms whose values the build may import, because the build writes their files. */
const buildRow = [...commandRow, 'config', 'model/catalog', 'profile', 'skill']

/** Returns the directories of internal/ whose values a file imports, lazily or not. */
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
  it('takes values from few rooms, types from all', () => {
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
      const from = roomOf(file)
      return importsOf(file).flatMap((target) => {
        if (file.startsWith('cmd/')) return []
        if (!target.startsWith('internal/')) return [`${file} imports ${target}, outside of internal/`]
        const allowed = table[from]
        if (allowed === undefined) return [`${from} is not in the table (${file})`]
        const to = roomOf(target)
        const isAllowed = allowed.some((one) => one === to || target.startsWith(`internal/${one}/`))
        return to === from || isAllowed ? [] : [`${file} imports ${target}`]
      })
    })
    expect(broken).toEqual([])
  })

  it('form no cycle of files, including lazy imports and types', () => {
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

  it('use zod in its small form', () => {
    const full = files.filter((file) => /from 'zod'/.test(read(file)))
    expect(full).toEqual([])
  })
})
