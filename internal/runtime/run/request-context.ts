// The sizes of the parts with which every request of a run begins: system text, instructions, and
// tools by origin.
import type { Agent } from '../../agent/agent.ts'
import type { EventPayload } from '../../event/event.ts'
import { tokensOf } from '../../model/tokens.ts'
import type { ToolEntry } from '../../tool/catalog.ts'

type RequestContext = NonNullable<EventPayload<'system.init'>['context']>

/** Returns the sizes in tokens, estimated by characters. A tool without an entry counts as `other`. */
export function measureContext(
  agent: Pick<Agent, 'system' | 'instructionTokens' | 'tools'> & { model: { window: number } },
  entries: readonly Pick<ToolEntry, 'name' | 'origin'>[],
): RequestContext {
  const { model, system, tools, instructionTokens: instructions = 0 } = agent
  const origins = new Map(entries.map(({ name, origin }) => [name, origin]))
  const sizes: Record<string, number> = {}
  for (const tool of tools) {
    const origin = origins.get(tool.name) ?? 'other'
    sizes[origin] = (sizes[origin] ?? 0) + tokensOf(JSON.stringify(tool))
  }
  const own = Math.max(0, tokensOf(system) - instructions)
  return { window: model.window, system: own, instructions, tools: sizes }
}
