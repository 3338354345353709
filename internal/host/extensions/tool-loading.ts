// Tools of MCP servers that would take too much of every request: a model is told of them once it has found them.
import { FailureError } from '../../base/errors.ts'
import { tokensOf } from '../../model/tokens.ts'
import { createGlobMatcher } from '../../profile/tool-filter.ts'
import type { Catalog, ListedTool, ToolEntry } from '../../tool/catalog.ts'
import type { ToolSearchRequest, ToolSearchResult } from '../../tool/tool-search.ts'

/** What the model of a thread has been told of servers' tools; it grows in place. */
export interface ToldTools {
  /** Names that a search has loaded, in their order. */
  found: string[]
  /** Names as they came into the requests, with that of the search where it began: this order stays. */
  told: string[]
}

export const tellNothing = (): ToldTools => ({ found: [], told: [] })

export interface ToolLoading {
  /** All tools: those that were told in their order, the others hidden. The same array until one changes. */
  tools(): readonly ListedTool[]
  /** What a system prompt says of what can be searched for. */
  sections(): string[]
  load(request: ToolSearchRequest): Promise<ToolSearchResult>
}

interface ToolLoadingOptions {
  /** The same array until something has changed. */
  offered: () => readonly ListedTool[]
  runtime: {
    context: { loaded: { config: { tools?: { disabled?: readonly string[] | undefined } | undefined } } }
    catalog(tools: readonly ListedTool[]): Catalog
  }
  profile: { tools: readonly string[] }
  /** Tokens that the model can take. */
  window: number
  state: ToldTools
}

/** More tools of servers than this are not told all at once. */
const maxTold = 20
/** Nor are those whose descriptions take more of the model's window. */
const maxShare = 0.1
const maxLoaded = 10
const maxNamed = 20

const searchName = 'tool_search'

/** A tool of a server that may be used. */
const isOfServer = ({ onDemand, hidden }: ListedTool) => onDemand !== undefined && hidden === undefined

export function openToolLoading(options: ToolLoadingOptions): ToolLoading {
  const { offered, runtime, window, state } = options
  const search = isTurnedOff(options) ? undefined : runtime.catalog(offered()).findNative(searchName)
  let last: readonly ListedTool[] | undefined
  let toldThen = -1
  let made: readonly ListedTool[] = []
  const isSearched = () => state.told.includes(searchName)
  const findable = () => (isSearched() ? offered().filter((one) => isOfServer(one) && one.onDemand) : [])
  const tools = () => {
    const now = offered()
    if (now !== last) tellNew(now.filter(isOfServer), state, search !== undefined, window)
    if (now !== last || state.told.length !== toldThen) made = arrangeTools(now, state, search)
    last = now
    toldThen = state.told.length
    return made
  }
  return {
    tools,
    sections() {
      tools()
      const all = findable()
      return all.length === 0 ? [] : [describeFindable(all)]
    },
    async load(request) {
      const { matchTools } = await import('./tool-matching.ts')
      const fitting = matchTools(findable(), request)
      if (fitting.length === 0) throw nothingFits(request, findable())
      const loaded = fitting.slice(0, maxLoaded)
      for (const { name } of loaded) {
        if (!state.found.includes(name)) state.found.push(name)
        if (!state.told.includes(name)) state.told.push(name)
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
): Promise<ToolSearchResult> {
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

/** What was told stays told: a request repeats the one before to the letter. */
function tellNew(
  ofServers: readonly ListedTool[],
  state: ToldTools,
  canSearch: boolean,
  window: number,
): void {
  const { told, found } = state
  const fresh = ofServers.filter(({ name }) => !told.includes(name))
  const isTooMuch = () => ofServers.length > maxTold || sizeOf(ofServers) > window * maxShare
  if (canSearch && !told.includes(searchName) && fresh.some(({ onDemand }) => onDemand) && isTooMuch())
    told.push(searchName)
  const isSearched = told.includes(searchName)
  const names = fresh.filter(({ onDemand }) => !isSearched || !onDemand).map(({ name }) => name)
  const again = [...new Set(found)].filter((name) => fresh.some((one) => one.name === name) && !names.includes(name))
  told.push(...names, ...again)
}

const sizeOf = (tools: readonly ListedTool[]) =>
  tools.reduce((sum, { name, about, schema }) => sum + tokensOf(name + about + JSON.stringify(schema)), 0)

function arrangeTools(
  now: readonly ListedTool[],
  { told }: ToldTools,
  search: ToolEntry | undefined,
): ListedTool[] {
  const isSearched = told.includes(searchName)
  const own = now.filter(
    ({ name, onDemand }) => onDemand === undefined && !(isSearched && name === searchName),
  )
  const servers = new Map(
    now.flatMap((one) => (one.onDemand === undefined ? [] : [[one.name, one] as const])),
  )
  const shown = told.flatMap((name) => {
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
    all.length > maxListed ? `${prefix}* (${names.length} tools)` : `${prefix}*: ${names.join(', ')}`,
  )
  return `Tools of MCP servers that ${searchName} finds and loads before they can be called:\n${lines.join('\n')}`
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
