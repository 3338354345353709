// Loading of tools on demand: a model finds rarely used tools with `tool_search`. The search result describes
// their parameters, and the model calls them through the search. So a found tool does not change the tool
// list of later requests, and the provider's cache stays valid.

import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import { tokensOf } from '../../model/tokens.ts'
import { createGlobMatcher } from '../../profile/tool-filter.ts'
import type { Catalog, ListedTool, ToolEntry } from '../../tool/catalog.ts'
import type { ToolSearch } from '../../tool/ctx.ts'
import { searchName } from '../../tool/deferred-call.ts'
import { toOfferedSchema } from '../../tool/describe.ts'
import {
  faultOf,
  isOfLateServer,
  type LateServers,
  reportStarts,
  type StartNews,
} from '../extensions/late-servers.ts'
import type { StartingServers } from '../extensions/starting-servers.ts'
import { deferSurplus, describeSurplus, hasSurplus, listRareTools } from './offered-tools.ts'
import type { ToolSearchRequest } from './tool-matching.ts'

/** Tools that the requests of a thread have contained so far. New ones are added at the end. */
export interface LoadedTools {
  /**
   * Names of server tools and of `tool_search` in the order of their first request. The order never changes.
   */
  offered: string[]
  /** Native tools that the model has to search for. */
  rare?: ReadonlySet<string>
  /** True once the servers had too many tools for a request. Their further tools then need a search. */
  isCrowded?: boolean
  late?: LateServers
}

export const createLoadedTools = (): LoadedTools => ({ offered: [] })

export interface ToolLoading {
  /**
   * Returns all tools: those that belong to no server, then server tools in the order of their first request.
   * Rare native tools, other server tools and tools above the limit of a request are marked as deferred, so
   * the model has to search for them. The array stays the same until a tool changes.
   */
  tools(): readonly ListedTool[]
  /** Returns the sections of the system prompt about searchable tools. */
  sections(): string[]
  /** Returns notices about tools that the configuration wants in each request and that do not fit. */
  notes(): string[]
  /** Returns messages about servers that have begun to start, are ready, or failed since the last call. */
  news(): StartNews
  readonly load: ToolSearch['load']
}

interface ToolLoadingOptions {
  /** Returns all tools. Returns the same array until a tool changes. */
  all: () => readonly ListedTool[]
  runtime: {
    context: {
      loaded: {
        config: {
          tools?: { disabled?: readonly string[] | undefined } | undefined
          lookAt?: { targets?: Readonly<Record<string, string>> | undefined } | undefined
        }
      }
    }
    catalog(tools: readonly ListedTool[]): Catalog
    toolset?: unknown
  }
  profile: { tools: readonly string[] }
  /** Context window of the model in tokens. */
  window: number
  state: LoadedTools
  /** Servers that may still start; undefined if the agent cannot use tools of servers that start later. */
  servers?: StartingServers | undefined
}

/** Largest number of server tools in a request. If there are more, the model has to search for new ones. */
const maxOffered = 20
/**
 * Largest share of the model's context window for the descriptions of server tools. If they need more, the
 * model has to search for new ones.
 */
const maxShare = 0.1
const maxLoaded = 10
const maxNamed = 20

/** Returns true for a usable tool of a server. */
const isOfServer = ({ onDemand, hidden }: ListedTool) => onDemand !== undefined && hidden === undefined

const isLate = ({ late }: LoadedTools, tool: ListedTool) => late !== undefined && isOfLateServer(late, tool)

export function openToolLoading(options: ToolLoadingOptions): ToolLoading {
  const { all, runtime, window, state, servers } = options
  const search = isTurnedOff(options) ? undefined : runtime.catalog(all()).findNative(searchName)
  let last: readonly ListedTool[] | undefined
  let arrangedTools: readonly ListedTool[] = []
  const tools = () => {
    const now = all()
    if (now !== last) {
      if (search && runtime.toolset === undefined) state.rare ??= listRareTools(now, window)
      const isTooMuch = hasSurplus(now.filter(({ name, onDemand }) => !onDemand && !state.rare?.has(name)))
      offerNew(now.filter(isOfServer), state, search !== undefined, window, isTooMuch)
      arrangedTools = arrangeTools(now, state, search)
      if (state.offered.includes(searchName)) arrangedTools = deferSurplus(arrangedTools)
    }
    last = now
    return arrangedTools
  }
  const findable = () => tools().filter(({ deferred, hidden }) => deferred && hidden === undefined)
  return {
    tools,
    sections() {
      const findableTools = findable().filter((one) => !isLate(state, one))
      return findableTools.length === 0 || !state.offered.includes(searchName)
        ? []
        : [describeFindable(findableTools)]
    },
    notes: () => describeSurplus(tools().filter((one) => !isLate(state, one))),
    news() {
      const starting = servers?.list() ?? []
      if (!servers || (starting.length === 0 && !state.late)) return { model: [], user: [] }
      if (search && offerSearch(state, starting)) last = undefined
      state.late ??= { starting: new Set(), all: new Set() }
      const toolAccess = { canSearch: search !== undefined, tools: () => tools().filter(isOfServer) }
      return reportStarts(state.late, starting, servers.find, toolAccess)
    },
    async load(request, signal) {
      const hasTargets = Object.keys(runtime.context.loaded.config.lookAt?.targets ?? {}).length > 0
      const { matchTools } = await import('./tool-matching.ts')
      const names = new Set(tools().map(({ name }) => name))
      let fitting = matchTools(findable(), request)
      const awaited = fitting.length === 0 ? (servers?.list() ?? []) : []
      if (awaited.length > 0) {
        await servers?.wait(request.name, signal)
        fitting = matchTools(findable(), request)
      }
      if (fitting.length === 0) throw nothingFits(request, findable(), awaited)
      return {
        loaded: fitting.slice(0, maxLoaded).map(({ name, about, schema }) => {
          return { name, about, schema: toOfferedSchema(schema, { names, hasTargets }) }
        }),
        more: fitting.slice(maxLoaded, maxLoaded + maxNamed).map(({ name }) => name),
        starting: (servers?.list() ?? []).map(({ server }) => server.name),
      }
    },
  }
}

/** Adds `tool_search` to the request if servers are still starting. Returns true if it was added now. */
function offerSearch({ offered }: LoadedTools, starting: readonly McpMember[]): boolean {
  if (starting.length === 0 || offered.includes(searchName)) return false
  offered.push(searchName)
  return true
}

/** Searches for tools. Throws FailureError if no tool matches, and always without `loading`. */
export async function searchTools(
  loading: ToolLoading | undefined,
  request: ToolSearchRequest,
  signal: AbortSignal,
): ReturnType<ToolSearch['load']> {
  if (!loading) throw nothingFits(request, [])
  return loading.load(request, signal)
}

/**
 * Returns true if the user or the profile has disabled `tool_search`. Each request then contains all tools.
 */
function isTurnedOff({ runtime, profile }: ToolLoadingOptions): boolean {
  const disabled = runtime.context.loaded.config.tools?.disabled ?? []
  return (
    profile.tools.includes(`!${searchName}`) || disabled.some((one) => createGlobMatcher(one)(searchName))
  )
}

/**
 * Adds new server tools to the offered ones, without those that the model has to search for, and
 * `tool_search` if it is needed. It never removes a tool, because each request has to repeat the
 * previous one exactly.
 */
function offerNew(
  ofServers: readonly ListedTool[],
  state: LoadedTools,
  canSearch: boolean,
  window: number,
  hasTooMany: boolean,
): void {
  const { offered, rare } = state
  const fresh = ofServers.filter(({ name }) => !offered.includes(name))
  const isTooMuch = () => ofServers.length > maxOffered || sizeOf(ofServers) > window * maxShare
  if (!state.isCrowded && fresh.some(({ onDemand }) => onDemand)) state.isCrowded = isTooMuch()
  // for a single deferred tool, the search is not added, because the model can call that tool by its name
  const isNeeded = (rare?.size ?? 0) > 1 || state.isCrowded || hasTooMany
  if (canSearch && !offered.includes(searchName) && isNeeded) offered.push(searchName)
  const waits = (tool: ListedTool) => canSearch && ((state.isCrowded && tool.onDemand) || isLate(state, tool))
  offered.push(...fresh.filter((tool) => !waits(tool)).map(({ name }) => name))
}

const sizeOf = (tools: readonly ListedTool[]) =>
  tools.reduce((sum, { name, about, schema }) => sum + tokensOf(name + about + JSON.stringify(schema)), 0)

function arrangeTools(
  now: readonly ListedTool[],
  { offered, rare }: LoadedTools,
  search: ToolEntry | undefined,
): ListedTool[] {
  const isSearched = offered.includes(searchName)
  const permanentTools = now
    .filter(({ name, onDemand }) => onDemand === undefined && !(isSearched && name === searchName))
    .map((one) => (rare?.has(one.name) ? { ...one, deferred: true } : one))
  const servers = new Map(
    now.flatMap((one) => (one.onDemand === undefined ? [] : [[one.name, one] as const])),
  )
  const offeredTools = offered.flatMap((name) => {
    if (name === searchName) return search ? [{ ...search, hidden: undefined }] : []
    const entry = servers.get(name)
    servers.delete(name)
    return entry ? [entry] : []
  })
  const rest = [...servers.values()].map((one) => ({ ...one, deferred: true }))
  return [...permanentTools, ...offeredTools, ...rest]
}

/**
 * Largest number of server tools whose names the system prompt lists. If there are more, the prompt contains
 * only the number of tools of each server.
 */
const maxListed = 150

function describeFindable(all: readonly ListedTool[]): string {
  const natives = all.filter(({ onDemand }) => onDemand === undefined).map(({ name }) => name)
  const byServer = new Map<string, string[]>()
  const ofServers = all.filter(({ onDemand }) => onDemand !== undefined)
  for (const { name } of ofServers) {
    const [, prefix = '', rest = name] = /^(mcp__.+?__)(.+)$/.exec(name) ?? []
    byServer.set(prefix, [...(byServer.get(prefix) ?? []), rest])
  }
  const lines = [...byServer].map(([prefix, names]) =>
    ofServers.length > maxListed
      ? `${prefix}* (${countNoun(names.length, 'tool')})`
      : `${prefix}*: ${names.join(', ')}`,
  )
  const head = `More tools, which ${searchName} shows and calls:`
  return [`${head}${natives.length > 0 ? ` ${natives.join(', ')}` : ''}`, ...lines].join('\n')
}

function nothingFits(
  { name, query }: ToolSearchRequest,
  all: readonly ListedTool[],
  awaited: readonly McpMember[] = [],
): FailureError {
  const faults = awaited.flatMap((member) => {
    const fault = faultOf(member)
    return fault === undefined ? [] : [`; the MCP server ${member.server.name} did not start: ${fault}`]
  })
  const prefixes = new Set(all.map((one) => one.name.replace(/^(mcp__.+?__).+$/, '$1*')))
  const requestText = [name, query].filter((one) => one !== undefined).join(' ')
  return new FailureError({
    code: 'not_found',
    message: `no more tool fits ${JSON.stringify(requestText.slice(0, 200))}${faults.join('')}`,
    hint:
      prefixes.size > 0
        ? `there are ${[...prefixes].slice(0, maxNamed).join(', ')}; try other words`
        : 'all tools are already listed; call them by name',
  })
}
