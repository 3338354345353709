// The tool branch: an agent that continues in a copy of the conversation and returns only its conclusion.

import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import type { BranchRunner, SpawnResult } from '../../tool/agents.ts'
import { field } from '../../tool/field.ts'
import { failedResult, partialResult, type ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { subagentFailure } from '../../tool-support/subagent-failure.ts'
import about from './branch.md'

type BranchData = SpawnResult & { conclusion: string }

export const branch = defineTool({
  name: 'branch',
  about,
  level: 'delegated',
  offer: { spawns: true, optional: true },
  input: z.object({
    description: field(
      z.string().check(z.minLength(1)),
      'What to find out, and what the conclusion must contain',
    ),
    max_turns: field(z._default(z.int().check(z.minimum(1)), 10), 'Most turns of the branch', { cap: 40 }),
    allow_writes: field(z._default(z.boolean(), false), 'true: it may edit files and run commands'),
  }),
  example: { description: 'Which callers of parseConfig rely on the order of its keys?', max_turns: 8 },
  effect: () => 'spawn',
  available: (ctx) =>
    ctx.can.agents?.branch ? true : 'only the agent of a session can branch, no branch, child or direct call',
  async run({ description, max_turns, allow_writes }, ctx): Promise<ToolResult<BranchData>> {
    const run = ctx.can.agents?.branch as BranchRunner
    const result = await run({ description, maxTurns: max_turns, allowWrites: allow_writes }, ctx.signal)
    const { end, reason, turns, calls, text } = result
    const data = { ...result, conclusion: text.trim() }
    const how = reason === undefined ? end : `${end} (${reason})`
    const line = `${how}; ${countNoun(turns, 'turn')}, ${countNoun(calls, 'call')}`
    const code = subagentFailure(result)
    if (code === undefined) return { text: `${data.conclusion}\n\n[${line}]`, data }
    if (data.conclusion === '')
      return { ...failedResult(code, `the branch ended with ${how} and said nothing`), data }
    return partialResult({ text: data.conclusion, data }, { code, message: `the branch ended with ${line}` })
  },
})
