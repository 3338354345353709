// The tool task: runs a limited subagent for independent work.

import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import type { AgentSpawner, SpawnResult } from '../../tool/agents.ts'
import { field, optionalNumber, wholeNumber } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { formatReceipts, subagentFailure } from '../../tool-support/subagent-failure.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './task.md'

const input = z.object({
  title: field(z.optional(z.string()), 'Short name for the screen'),
  goal: field(z.string().check(z.minLength(1)), 'What to accomplish'),
  context: field(z.optional(z.string()), 'Facts that it needs'),
  tools_allowed: field(z.optional(z.array(z.string())), 'Restrict it to these tools (names or globs)'),
  max_steps: field(z._default(wholeNumber(), 20), 'Most turns', { cap: 40 }),
  max_tool_calls: field(optionalNumber(), 'Most tool calls; default: three times max_steps'),
  profile: field(z.optional(z.string()), 'Kind of subagent; default craft'),
  read_only: field(z._default(z.boolean(), false), 'Give it only tools that read'),
  timeout_seconds: field(z._default(wholeNumber(), 300), 'Seconds until it is stopped', { cap: 1800 }),
})

export const task = defineTool({
  name: 'task',
  about,
  level: 'delegated',
  offer: { spawns: true },
  input,
  example: {
    title: 'Audit auth middleware',
    goal: 'List every handler under src/api that skips authentication, as path:line.',
    read_only: true,
  },
  effect: () => 'spawn',
  available: (ctx) => (ctx.can.agents?.spawn ? true : 'a child agent cannot start agents'),
  async run(args: z.output<typeof input> & VariantArgs<'task'>, ctx): Promise<ToolResult<SpawnResult>> {
    const spawn = ctx.can.agents?.spawn as AgentSpawner
    const child = await spawn(
      {
        title: args.title ?? firstLine(args.goal),
        goal: args.context === undefined ? args.goal : `${args.goal}\n\nKnown so far:\n${args.context}`,
        serves: args.serves ?? 'task',
        profile: args.profile,
        tools: args.tools_allowed,
        readOnly: args.read_only,
        maxTurns: args.max_steps,
        maxCalls: args.max_tool_calls ?? args.max_steps * 3,
        timeoutMs: args.timeout_seconds * 1000,
      },
      ctx.signal,
    )
    return reportChild(child)
  },
})

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function reportChild(child: SpawnResult): ToolResult<SpawnResult> {
  const how = child.reason === undefined ? child.end : `${child.end} (${child.reason})`
  const time = `${(child.ms / 1000).toFixed(1)} s`
  const work = `${countNoun(child.turns, 'turn')}, ${countNoun(child.calls, 'call')}`
  const spent = `${work}, ${countNoun(child.tokens, 'token')}, ${time}`
  const lines = [
    child.text || '(the child said nothing)',
    '',
    `[${how}; ${spent}; thread ${child.thread}]`,
    ...formatReceipts(child.receipts),
  ]
  const text = lines.join('\n')
  const code = subagentFailure(child)
  if (code === undefined) return { text, data: child }
  const silence = child.text.trim() === '' ? ' and said nothing' : ''
  return { text, data: child, failed: { code, message: `the child ended with ${how}${silence}` } }
}
