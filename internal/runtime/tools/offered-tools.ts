// Choice of the tools in a request to the model. Useless tools are hidden. The model finds rarely used tools,
// and tools above the limit of a request, with `tool_search`.
import { countNoun } from '../../base/text/count-noun.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { searchName } from '../../tool/deferred-call.ts'

/** Tools that are useless without another tool, each with the name of that tool. */
const partners: Readonly<Record<string, string>> = { todo_read: 'todo_write', list_skills: 'skill' }

/**
 * Returns a function that lists `tools` with useless ones hidden: `ask_user` without a user, and tools that
 * need a hidden tool. Its result stays the same array while `tools` returns the same array.
 */
export function hideUselessTools(
  tools: () => readonly ListedTool[],
  isUserPresent: boolean,
): () => readonly ListedTool[] {
  let last: readonly ListedTool[] | undefined
  let listedTools: readonly ListedTool[] = []
  return () => {
    const now = tools()
    if (now !== last) listedTools = hideAmong(now, isUserPresent)
    last = now
    return listedTools
  }
}

function hideAmong(tools: readonly ListedTool[], isUserPresent: boolean): readonly ListedTool[] {
  const shownNames = new Set(tools.flatMap(({ name, hidden }) => (hidden === undefined ? [name] : [])))
  const why = ({ name }: ListedTool): string | undefined => {
    if (name === 'ask_user' && !isUserPresent) return 'no user is present to answer'
    const partner = Object.hasOwn(partners, name) ? partners[name] : undefined
    return partner === undefined || shownNames.has(partner) ? undefined : `it is of no use without ${partner}`
  }
  if (!tools.some((tool) => shownNames.has(tool.name) && why(tool) !== undefined)) return tools
  return tools.map((tool) => {
    const hidden = shownNames.has(tool.name) ? why(tool) : undefined
    return hidden === undefined ? tool : { ...tool, hidden }
  })
}

/** Tools that need an active experiment session. */
const needing = new Set(['run_experiment', 'log_experiment'])

/**
 * Returns a function that lists `tools`. While no experiment session is active, it hides the tools that need
 * one. Its result stays the same array until it changes.
 */
export function hideInactiveExperiments(
  tools: () => readonly ListedTool[],
  active: () => boolean,
): () => readonly ListedTool[] {
  let lastTools: readonly ListedTool[] | undefined
  let was: boolean | undefined
  let listedTools: readonly ListedTool[] = []
  let needsOne = true
  return () => {
    const now = tools()
    if (now !== lastTools)
      needsOne = now.some(({ name, hidden }) => needing.has(name) && hidden === undefined)
    const is = needsOne && active()
    if (now !== lastTools || is !== was) {
      const idle = 'this workspace has no experiment session yet'
      listedTools = is
        ? now
        : now.map((entry) =>
            needing.has(entry.name) && entry.hidden === undefined ? { ...entry, hidden: idle } : entry,
          )
    }
    lastTools = now
    was = is
    return listedTools
  }
}

/** Native tools that few conversations need. A model finds them with `tool_search`. */
const rare: ReadonlySet<string> = new Set(
  (
    'render chart find_thread read_thread handoff look_at list_skills todo_read task_list init_experiment ' +
    'prove research_compare study study_verify'
  ).split(' '),
)

/**
 * Tools in each request to a model with a small context window. The model finds other
 * tools with `tool_search`.
 */
const core: ReadonlySet<string> = new Set(
  'bash read edit_file create_file grep glob todo_write result ask_user plan_enter plan_exit'.split(' '),
)

const smallWindow = 16_000

/**
 * Largest number of native tools that a request contains without a choice. With more, rare
 * tools need `tool_search`.
 */
const maxAtOnce = 9

/**
 * Returns the names of the native tools that a model has to find with `tool_search`: the rare ones or, for a
 * context window under 16,000 tokens, all except the core ones. Empty for at most nine native tools.
 */
export function listRareTools(tools: readonly ListedTool[], window: number): ReadonlySet<string> {
  const shownTools = tools.filter(({ hidden, origin }) => hidden === undefined && origin === 'native')
  if (shownTools.length <= maxAtOnce) return new Set()
  const waits = window < smallWindow ? (name: string) => !core.has(name) : (name: string) => rare.has(name)
  return new Set(shownTools.map(({ name }) => name).filter((name) => waits(name) && name !== 'tool_search'))
}

/** Maximum number of tools in one request: OpenAI and compatible endpoints reject more. */
const maxTools = 128

const isShown = ({ hidden, deferred }: ListedTool) => hidden === undefined && !deferred

/**
 * Returns the tools. Those beyond the limit of a request are marked as deferred, so the model has to find
 * them with `tool_search`. The first 127 tools that are not hidden and `tool_search` itself stay.
 */
export function deferSurplus(tools: readonly ListedTool[]): ListedTool[] {
  let room = maxTools - 1
  return tools.map((tool) =>
    !isShown(tool) || tool.name === searchName || room-- > 0 ? tool : { ...tool, deferred: true },
  )
}

/** Returns whether `tools` exceed the limit of one request. */
export const hasSurplus = (tools: readonly ListedTool[]): boolean => tools.filter(isShown).length > maxTools

/**
 * Returns a notice if the limit defers tools of servers or other sources that the configuration wants in each
 * request, with the number of tools of each source; otherwise an empty list.
 */
export function describeSurplus(tools: readonly ListedTool[]): string[] {
  const waiting = tools.filter(({ deferred, hidden, onDemand }) => deferred && !hidden && !onDemand)
  const foreign = waiting.filter(({ origin }) => origin !== 'native')
  if (foreign.length === 0) return []
  const counts = new Map<string, number>()
  for (const { origin } of foreign) counts.set(origin, (counts.get(origin) ?? 0) + 1)
  const list = [...counts].map(([origin, count]) => `${count} of ${origin}`).join(', ')
  return [
    `${countNoun(foreign.length, 'tool waits', 'tools wait')} behind ${searchName} (${list}): ` +
      `a request has at most ${maxTools} tools`,
  ]
}
