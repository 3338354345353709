// The most tools of one request: several endpoints refuse more, so the rest wait behind tool_search.
import { countNoun } from '../../base/text/count-noun.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import { searchName } from '../../tool/deferred-call.ts'

/** OpenAI and those that copy it take so many. */
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
