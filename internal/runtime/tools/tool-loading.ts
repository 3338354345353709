// Tools that would take too much of every request: a model finds them with tool_search, which shows their
// parameters in its result and calls them, so that no request changes before its last message.

import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { McpMember } from '../../mcp/server-member.ts'
import { tokensOf } from '../../model/tokens.ts'
import { createGlobMatcher } from '../../profile/tool-filter.ts'
import type { Catalog, ListedTool, ToolEntry } from '../../tool/catalog.ts'
import type { ToolSearch } from '../../tool/ctx.ts'
import { searchName } from '../../tool/deferred-call.ts'
import { toOfferedSchema } from '../../tool/offered-schema.ts'
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

/** The tools that the model of a thread has seen; it grows in place. */
export interface LoadedTools {
  /** Names of servers' tools as they came into the requests, with the search itself: this order stays. */
  offered: string[]
  /** Native tools that wait for a search. */
  rare?: ReadonlySet<string>
  /** There were too many tools of servers once. */
  isCrowded?: boolean
  late?: LateServers
}

export const createLoadedTools = (): LoadedTools => ({ offered: [] })

export interface ToolLoading {
  /** All tools: those that are told in their order, the others deferred. The same array until one changes. */
  tools(): readonly ListedTool[]
  /** What a system prompt says of what can be searched for. */
  sections(): string[]
  /** What the user should know of tools that wait although they are to be offered always. */
  notes(): string[]
  /** Which servers have begun to start, have started or have failed since the last call. */
  news(): StartNews
  readonly load: ToolSearch['load']
}

interface ToolLoadingOptions {
  /** The same array until something has changed. */
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
  /** Tokens that the model can take. */
  window: number
  state: LoadedTools
  /** Absent where the agent can use no tools of servers that start later. */
  servers?: StartingServers | undefined
}

/** More tools of servers than this are not told all at once. */
const maxOffered = 20
/** Nor are those whose descriptions take more of the model's window. */
const maxShare = 0.1
const maxLoaded = 10
const maxNamed = 20

/** A tool of a server that may be used. */
const isOfServer = ({ onDemand, hidden }: ListedTool) => onDemand !== undefined && hidden === undefined

export function openToolLoading(options: ToolLoadingOptions): ToolLoading {
  const { all, runtime, window, state, servers } = options
  const search = isTurnedOff(options) ? undefined : runtime.catalog(all()).findNative(searchName)
  let last: readonly ListedTool[] | undefined
  let made: readonly ListedTool[] = []
  const tools = () => {
    const now = all()
    if (now !== last) {
      if (search && runtime.toolset === undefined) state.rare ??= listRareTools(now, window)
      const isTooMuch = hasSurplus(now.filter(({ name, onDemand }) => !onDemand && !state.rare?.has(name)))
      offerNew(now.filter(isOfServer), state, search !== undefined, window, isTooMuch)
      made = arrangeTools(now, state, search)
      if (state.offered.includes(searchName)) made = deferSurplus(made)
    }
    last = now
    return made
  }
  const findable = () => tools().filter(({ deferred, hidden }) => deferred && hidden === undefined)
  return {
    tools,
    sections() {
      const found = findable().filter((one) => !isOfLateServer(state.late, one))
      return found.length === 0 || !state.offered.includes(searchName) ? [] : [describeFindable(found)]
    },
    notes: () => describeSurplus(tools().filter((one) => !isOfLateServer(state.late, one))),
    news() {
      const starting = servers?.list() ?? []
      if (!servers || (starting.length === 0 && !state.late)) return { model: [], user: [] }
      if (search && offerSearch(state, starting)) last = undefined
      state.late ??= { starting: new Set(), all: new Set() }
      const known = { canSearch: search !== undefined, tools: () => tools().filter(isOfServer) }
      return reportStarts(state.late, starting, servers.find, known)
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

/** Offers the search before the first request, which has to have it; returns whether that is new. */
function offerSearch({ offered }: LoadedTools, starting: readonly McpMember[]): boolean {
  if (starting.length === 0 || offered.includes(searchName)) return false
  offered.push(searchName)
  return true
}

/** Throws FailureError also where no servers are. */
export async function searchTools(
  loading: ToolLoading | undefined,
  request: ToolSearchRequest,
  signal: AbortSignal,
): ReturnType<ToolSearch['load']> {
  if (!loading) throw nothingFits(request, [])
  return loading.load(request, signal)
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
  hasTooMany: boolean,
): void {
  const { offered, rare } = state
  const fresh = ofServers.filter(({ name }) => !offered.includes(name))
  const isTooMuch = () => ofServers.length > maxOffered || sizeOf(ofServers) > window * maxShare
  if (!state.isCrowded && fresh.some(({ onDemand }) => onDemand)) state.isCrowded = isTooMuch()
  // one more tool is not worth a search: it may still be called
  const isNeeded = (rare?.size ?? 0) > 1 || state.isCrowded || hasTooMany
  if (canSearch && !offered.includes(searchName) && isNeeded) offered.push(searchName)
  const waits = (tool: ListedTool) =>
    canSearch && ((state.isCrowded && tool.onDemand) || isOfLateServer(state.late, tool))
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
  const own = now
    .filter(({ name, onDemand }) => onDemand === undefined && !(isSearched && name === searchName))
    .map((one) => (rare?.has(one.name) ? { ...one, deferred: true } : one))
  const servers = new Map(
    now.flatMap((one) => (one.onDemand === undefined ? [] : [[one.name, one] as const])),
  )
  const shown = offered.flatMap((name) => {
    if (name === searchName) return search ? [{ ...search, hidden: undefined }] : []
    const entry = servers.get(name)
    servers.delete(name)
    return entry ? [entry] : []
  })
  const rest = [...servers.values()].map((one) => ({ ...one, deferred: true }))
  return [...own, ...shown, ...rest]
}

/** Names that a system prompt holds; of more there is only the number. */
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
  const wanted = [name, query].filter((one) => one !== undefined).join(' ')
  return new FailureError({
    code: 'not_found',
    message: `no more tool fits ${JSON.stringify(wanted.slice(0, 200))}${faults.join('')}`,
    hint:
      prefixes.size > 0
        ? `there are ${[...prefixes].slice(0, maxNamed).join(', ')}; try other words`
        : 'all tools are told already; call them by name',
  })
}
