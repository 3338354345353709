// The tool research_compare: measures a base commit and another commit (or the working tree) in turns, and as
// a control also the base commit against itself.
import * as z from 'zod/mini'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasVerification, openVerification } from '../../tool-support/verification.ts'
import about from './research_compare.md'

export const researchCompare = defineTool({
  name: 'research_compare',
  about,
  level: 'confirm_execute',
  input: z.object({
    command: field(z.string().check(z.minLength(1)), 'Benchmark command, the same for both sides'),
    base: field(z.optional(z.string()), 'Commit; default: where HEAD left the default branch'),
    head: field(z.optional(z.string()), 'Commit; default: the working tree'),
    build: field(z.optional(z.string()), 'Command that builds each side, not measured'),
    metrics: field(
      z._default(z.array(z.string()), []),
      'cpu_ms (default), wall_ms, max_rss_kb or printed METRIC names, each with :higher if higher is better',
    ),
    budget_s: field(z._default(z.int().check(z.minimum(1)), 300), 'Seconds for all executions', {
      cap: 3600,
    }),
  }),
  example: { command: 'node bench.js', base: 'main' },
  offer: { mainOnly: true },
  access: ({ command, build }) => ({
    scope: [command, ...(build === undefined ? [] : [build])].map((line) => ({ kind: 'command', line })),
  }),
  available: hasVerification,
  async run({ budget_s, ...order }, ctx): Promise<ToolResult> {
    const { compare } = await openVerification(ctx)
    let steps = 0
    const tell = (message: string) => {
      const payload = { call: ctx.call.id, tool: 'research_compare', progress: ++steps, message }
      void ctx.log.append({ type: 'tool.progress', payload })
    }
    const reportStart = (id: string) => tell(`comparison ${id} begun`)
    const limits = { ...order, budgetMs: budget_s * 1000 }
    const answer = await compare(limits, ctx.policy, ctx.signal, tell, reportStart)
    const text = [...answer.lines, `comparison ${answer.id}: anode://compare/${answer.id}`].join('\n')
    return { text, data: answer.record }
  },
})
