// Lines about the usage of a thread: sums of its view, then sums by model, subagent and tool.
import { countNoun, groupDigits } from '../../base/text/count-noun.ts'
import type { SessionEvent } from '../../session/client.ts'
import { addCost } from '../../session/view/fold-run.ts'
import { formatDuration } from '../duration.ts'
import { costFacts } from '../run-view/run-end.ts'
import { drawPairs, drawUsage } from '../view/session-pages.ts'
import type { CommandScreen } from './command-screen.ts'
import { readWholeThread } from './history-pages.ts'

interface ModelUse {
  requests: number
  input: number
  output: number
  /** Cost of the usage in US dollars; null if a price was unknown. */
  usd: number | null
}

interface ThreadUse {
  models: Map<string, ModelUse>
  children: Map<string, { runs: number; usd: number | null }>
  tools: Map<string, { calls: number; failed: number; ms: number }>
}

export async function readUsageLines(
  screen: Pick<CommandScreen, 'client' | 'view' | 'look'>,
): Promise<string[]> {
  const { view, look } = screen
  return [...drawUsage(view, look), ...drawThreadUse(sumUse(await readWholeThread(screen)), look)]
}

/**
 * Returns the sums of a thread's usage by model, by subagent and by tool. `events` must be in order, because
 * a request without a model counts for the last named model.
 */
export function sumUse(events: readonly SessionEvent[]): ThreadUse {
  const use: ThreadUse = { models: new Map(), children: new Map(), tools: new Map() }
  const titles = new Map<string, string>()
  let model = ''
  for (const event of events) {
    if (event.type === 'system.init') model = event.payload.model
    else if (event.type === 'model.notice') model = event.payload.model ?? model
    else if (event.type === 'usage') {
      const { input, output, usd = null, model: modelId = model } = event.payload
      const sum = use.models.get(modelId) ?? { requests: 0, input: 0, output: 0, usd: 0 }
      const cost = addCost(sum.usd, usd)
      const more = { input: sum.input + input, output: sum.output + output, usd: cost }
      use.models.set(modelId, { requests: sum.requests + 1, ...more })
    } else if (event.type === 'child.started') titles.set(event.payload.thread, event.payload.title)
    else if (event.type === 'child.ended') {
      const { thread, end } = event.payload
      const title = titles.get(thread) ?? thread
      const sum = use.children.get(title) ?? { runs: 0, usd: 0 }
      use.children.set(title, { runs: sum.runs + 1, usd: addCost(sum.usd, end.usd) })
    } else if (event.type === 'tool.result') {
      const { tool, ok, ms = 0 } = event.payload
      const sum = use.tools.get(tool) ?? { calls: 0, failed: 0, ms: 0 }
      use.tools.set(tool, { calls: sum.calls + 1, failed: sum.failed + (ok ? 0 : 1), ms: sum.ms + ms })
    }
  }
  return use
}

function drawThreadUse({ models, children, tools }: ThreadUse, look: CommandScreen['look']): string[] {
  const byModel = [...models].map(([name, { requests, input, output, usd }]): [string, string] => {
    const tokens = `${groupDigits(input)} in, ${groupDigits(output)} out`
    return [name, [tokens, countNoun(requests, 'request'), ...costFacts(usd)].join(', ')]
  })
  const byChild = [...children].map(([title, { runs, usd }]): [string, string] => [
    title,
    [countNoun(runs, 'run'), ...costFacts(usd)].join(', '),
  ])
  const byTool = [...tools]
    .sort(([, a], [, b]) => b.ms - a.ms)
    .map(([name, { calls, failed, ms }]): [string, string] => [
      name,
      `${countNoun(calls, 'call')}, ${formatDuration(ms)}${failed > 0 ? `, ${failed} failed` : ''}`,
    ])
  const tables = [
    ['By model', byModel],
    ['By agent', byChild],
    ['By tool', byTool],
  ] as const
  return tables.flatMap(([title, rows]) => (rows.length === 0 ? [] : ['', ...drawPairs(title, rows, look)]))
}
