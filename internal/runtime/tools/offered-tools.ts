// Which tools a model is offered: none that is useless here, and at once no more than a request has room for.
import { countNoun } from '../../base/text/count-noun.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { searchName } from '../../tool/deferred-call.ts'

/** Tools that are of no use without another one. */
const partners: Readonly<Record<string, string>> = { todo_read: 'todo_write', list_skills: 'skill' }

/** The same array as long as `tools` returns the same one. */
export function hideUselessTools(
  tools: () => readonly ListedTool[],
  isUserPresent: boolean,
): () => readonly ListedTool[] {
  let last: readonly ListedTool[] | undefined
  let made: readonly ListedTool[] = []
  return () => {
    const now = tools()
    if (now !== last) made = hideAmong(now, isUserPresent)
    last = now
    return made
  }
}

function hideAmong(tools: readonly ListedTool[], isUserPresent: boolean): readonly ListedTool[] {
  const shown = new Set(tools.flatMap(({ name, hidden }) => (hidden === undefined ? [name] : [])))
  const why = ({ name }: ListedTool): string | undefined => {
    if (name === 'ask_user' && !isUserPresent) return 'no user is present to answer'
    const partner = Object.hasOwn(partners, name) ? partners[name] : undefined
    return partner === undefined || shown.has(partner) ? undefined : `it is of no use without ${partner}`
  }
  if (!tools.some((tool) => shown.has(tool.name) && why(tool) !== undefined)) return tools
  return tools.map((tool) => {
    const hidden = shown.has(tool.name) ? why(tool) : undefined
    return hidden === undefined ? tool : { ...tool, hidden }
  })
}

/** Tools that make sense only in a session. */
const needing = new Set(['run_experiment', 'log_experiment'])

/**
 * The tools of a model, without those of a session while no session is active. The same array until it
 * changes.
 */
export function hideInactiveExperiments(
  tools: () => readonly ListedTool[],
  active: () => boolean,
): () => readonly ListedTool[] {
  let lastTools: readonly ListedTool[] | undefined
  let was: boolean | undefined
  let made: readonly ListedTool[] = []
  let needsOne = true
  return () => {
    const now = tools()
    if (now !== lastTools)
      needsOne = now.some(({ name, hidden }) => needing.has(name) && hidden === undefined)
    const is = needsOne && active()
    if (now !== lastTools || is !== was) {
      const idle = 'there is no experiment session here yet'
      made = is
        ? now
        : now.map((entry) =>
            needing.has(entry.name) && entry.hidden === undefined ? { ...entry, hidden: idle } : entry,
          )
    }
    lastTools = now
    was = is
    return made
  }
}

/** Native tools that few conversations need: a model finds them with `tool_search`. */
const rare: ReadonlySet<string> = new Set([
  ...['render', 'chart', 'find_thread', 'read_thread', 'handoff', 'look_at', 'list_skills'],
  ...['todo_read', 'task_list', 'init_experiment'],
])

/** The tools that a model with a small window gets at once. */
const core: ReadonlySet<string> = new Set(
  'bash read edit_file create_file grep glob todo_write result ask_user plan_enter plan_exit'.split(' '),
)

const smallWindow = 16_000

/** So few tools are told all at once. */
const maxAtOnce = 9

/** Names of the native tools among `tools` that wait for a search. */
export function listRareTools(tools: readonly ListedTool[], window: number): ReadonlySet<string> {
  const shown = tools.filter(({ hidden, origin }) => hidden === undefined && origin === 'native')
  if (shown.length <= maxAtOnce) return new Set()
  const waits = window < smallWindow ? (name: string) => !core.has(name) : (name: string) => rare.has(name)
  return new Set(shown.map(({ name }) => name).filter((name) => waits(name) && name !== 'tool_search'))
}

/** The most tools of one request: OpenAI and those that copy it refuse more. */
const maxTools = 128

const isShown = ({ hidden, deferred }: ListedTool) => hidden === undefined && !deferred

/** Returns the tools with those deferred that are too many; the first stay, and the search itself. */
export function deferSurplus(tools: readonly ListedTool[]): ListedTool[] {
  let room = maxTools - 1
  return tools.map((tool) =>
    !isShown(tool) || tool.name === searchName || room-- > 0 ? tool : { ...tool, deferred: true },
  )
}

/** Whether `tools` are more than one request may have. */
export const hasSurplus = (tools: readonly ListedTool[]): boolean => tools.filter(isShown).length > maxTools

/** Says which servers have tools that wait although they are to be offered always. */
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
