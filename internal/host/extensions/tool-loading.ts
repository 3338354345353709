// Tools of MCP servers that would take too much of every request: a model gets them once it has found them.

import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { tokensOf } from '../../model/tokens.ts'
import { createGlobMatcher } from '../../profile/tool-filter.ts'
import type { Catalog, ListedTool, ToolEntry } from '../../tool/catalog.ts'
import type { ToolSearch } from '../../tool/ctx.ts'
import type { ToolSearchRequest } from './tool-matching.ts'

/** What the model of a thread has been offered of servers' tools; it grows in place. */
export interface LoadedTools {
  /** Names that a search has loaded, in their order. */
  found: string[]
  /** Names as they came into the requests, with that of the search where it began: this order stays. */
  offered: string[]
}

export const createLoadedTools = (): LoadedTools => ({ found: [], offered: [] })

export interface ToolLoading {
  /** All tools: those that were told in their order, the others hidden. The same array until one changes. */
  tools(): readonly ListedTool[]
  /** What a system prompt says of what can be searched for. */
  sections(): string[]
  readonly load: ToolSearch['load']
}

interface ToolLoadingOptions {
  /** The same array until something has changed. */
  all: () => readonly ListedTool[]
  runtime: {
    context: { loaded: { config: { tools?: { disabled?: readonly string[] | undefined } | undefined } } }
    catalog(tools: readonly ListedTool[]): Catalog
  }
  profile: { tools: readonly string[] }
  /** Tokens that the model can take. */
  window: number
  state: LoadedTools
}

/** More tools of servers than this are not told all at once. */
const maxOffered = 20
/** Nor are those whose descriptions take more of the model's window. */
const maxShare = 0.1
const maxLoaded = 10
const maxNamed = 20

const searchName = 'tool_search'

/** A tool of a server that may be used. */
const isOfServer = ({ onDemand, hidden }: ListedTool) => onDemand !== undefined && hidden === undefined

export function openToolLoading(options: ToolLoadingOptions): ToolLoading {
  const { all, runtime, window, state } = options
  const search = isTurnedOff(options) ? undefined : runtime.catalog(all()).findNative(searchName)
  let last: readonly ListedTool[] | undefined
  let lastCount = -1
  let made: readonly ListedTool[] = []
  const isSearched = () => state.offered.includes(searchName)
  const findable = () => (isSearched() ? all().filter((one) => isOfServer(one) && one.onDemand) : [])
  const tools = () => {
    const now = all()
    if (now !== last) offerNew(now.filter(isOfServer), state, search !== undefined, window)
    if (now !== last || state.offered.length !== lastCount) made = arrangeTools(now, state, search)
    last = now
    lastCount = state.offered.length
    return made
  }
  return {
    tools,
    sections() {
      tools()
      const found = findable()
      return found.length === 0 ? [] : [describeFindable(found)]
    },
    async load(request) {
      const { matchTools } = await import('./tool-matching.ts')
      const fitting = matchTools(findable(), request)
      if (fitting.length === 0) throw nothingFits(request, findable())
      const loaded = fitting.slice(0, maxLoaded)
      for (const { name } of loaded) {
        if (!state.found.includes(name)) state.found.push(name)
        if (!state.offered.includes(name)) state.offered.push(name)
      }
      return {
        loaded: loaded.map(({ name, summary }) => ({ name, summary: summary.slice(0, 200) })),
        more: fitting.slice(maxLoaded, maxLoaded + maxNamed).map(({ name }) => name),
      }
    },
  }
}

/** Throws FailureError also where no servers are. */
export async function searchTools(
  loading: ToolLoading | undefined,
  request: ToolSearchRequest,
): ReturnType<ToolSearch['load']> {
  if (!loading) throw nothingFits(request, [])
  return loading.load(request)
}

/** Where the search may not be used, everything is told as long as there is room. */
function isTurnedOff({ runtime, profile }: ToolLoadingOptions): boolean {
  const disabled = runtime.context.loaded.config.tools?.disabled ?? []
  return (
    profile.tools.includes(`!${searchName}`) || disabled.some((one) => createGlobMatcher(one)(searchName))
  )
}

/** What was offered stays so: a request repeats the one before to the letter. */
function offerNew(
  ofServers: readonly ListedTool[],
  state: LoadedTools,
  canSearch: boolean,
  window: number,
): void {
  const { offered, found } = state
  const fresh = ofServers.filter(({ name }) => !offered.includes(name))
  const isTooMuch = () => ofServers.length > maxOffered || sizeOf(ofServers) > window * maxShare
  if (canSearch && !offered.includes(searchName) && fresh.some(({ onDemand }) => onDemand) && isTooMuch())
    offered.push(searchName)
  const isSearched = offered.includes(searchName)
  const names = fresh.filter(({ onDemand }) => !isSearched || !onDemand).map(({ name }) => name)
  const loaded = [...new Set(found)].filter(
    (name) => fresh.some((one) => one.name === name) && !names.includes(name),
  )
  offered.push(...names, ...loaded)
}

const sizeOf = (tools: readonly ListedTool[]) =>
  tools.reduce((sum, { name, about, schema }) => sum + tokensOf(name + about + JSON.stringify(schema)), 0)

function arrangeTools(
  now: readonly ListedTool[],
  { offered }: LoadedTools,
  search: ToolEntry | undefined,
): ListedTool[] {
  const isSearched = offered.includes(searchName)
  const own = now.filter(
    ({ name, onDemand }) => onDemand === undefined && !(isSearched && name === searchName),
  )
  const servers = new Map(
    now.flatMap((one) => (one.onDemand === undefined ? [] : [[one.name, one] as const])),
  )
  const shown = offered.flatMap((name) => {
    if (name === searchName) return search ? [{ ...search, hidden: undefined }] : []
    const entry = servers.get(name)
    servers.delete(name)
    return entry ? [entry] : []
  })
  const hidden = `its parameters are not known yet: ${searchName} with its name loads it for the next turn`
  const rest = [...servers.values()].map((one) => (one.hidden === undefined ? { ...one, hidden } : one))
  return [...own, ...shown, ...rest]
}

/** Names that a system prompt holds; of more there is only the number. */
const maxListed = 150

/** The same however many of them are loaded. */
function describeFindable(all: readonly ListedTool[]): string {
  const byServer = new Map<string, string[]>()
  for (const { name } of all) {
    const [, prefix = '', rest = name] = /^(mcp__.+?__)(.+)$/.exec(name) ?? []
    byServer.set(prefix, [...(byServer.get(prefix) ?? []), rest])
  }
  const lines = [...byServer].map(([prefix, names]) =>
    all.length > maxListed
      ? `${prefix}* (${countNoun(names.length, 'tool')})`
      : `${prefix}*: ${names.join(', ')}`,
  )
  const head = `Tools of MCP servers that ${searchName} finds and loads before they can be called:`
  return [head, ...lines].join('\n')
}

function nothingFits({ name, query }: ToolSearchRequest, all: readonly ListedTool[]): FailureError {
  const prefixes = new Set(all.map((one) => one.name.replace(/^(mcp__.+?__).+$/, '$1*')))
  const wanted = [name, query].filter((one) => one !== undefined).join(' ')
  return new FailureError({
    code: 'not_found',
    message: `no tool of a server fits ${JSON.stringify(wanted.slice(0, 200))}`,
    hint:
      prefixes.size > 0
        ? `there are ${[...prefixes].slice(0, maxNamed).join(', ')}; try other words`
        : 'none has to be loaded here',
  })
}
