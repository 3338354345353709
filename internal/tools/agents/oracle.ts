// The tool oracle: a second opinion from a read-only agent, on request on another model.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { fileModelHint, fileModelMessage, namesFileModel } from '../../base/text/file-model.ts'
import type { AgentSpawner, SpawnResult } from '../../tool/agents.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { failedResult, partialResult, type ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { viewFile } from '../../tool-support/file-view.ts'
import { formatReceipts, subagentFailure } from '../../tool-support/subagent-failure.ts'
import about from './oracle.md'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const oracle = defineTool({
  name: 'oracle',
  about,
  level: 'external_read',
  offer: { spawns: true },
  input: z.object({
    question: field(z.string().check(z.minLength(1)), 'The question, and what form of answer would help'),
    context: field(z.optional(z.string()), 'What you found and tried'),
    files: field(z.optional(z.array(z.string())), 'Files to read first'),
    focus: field(z.optional(z.string()), 'What matters most in the answer'),
    model: field(z.optional(z.string()), 'Model as provider/model; default: as configured'),
    effort: field(z._default(z.enum(efforts), 'medium'), 'How much it thinks'),
    timeout_seconds: field(z._default(z.int().check(z.minimum(1)), 180), 'Seconds until it is stopped', {
      cap: 600,
    }),
  }),
  example: {
    question: 'Can these two writers deadlock?',
    files: ['src/store.ts'],
    focus: 'lock order',
  },
  effect: () => 'spawn',
  access: ({ files = [] }) => ({ scope: files.map((path) => ({ kind: 'path', path, access: 'read' })) }),
  available: (ctx) => (ctx.can.agents?.spawn ? true : 'a child agent cannot start agents'),
  async validate({ model = '' }) {
    if (!namesFileModel(model)) return
    const message = fileModelMessage(model, 'a tool call')
    throw new FailureError({ code: 'bad_args', message, hint: fileModelHint })
  },
  async run(args, ctx): Promise<ToolResult<SpawnResult | null>> {
    const spawn = ctx.can.agents?.spawn as AgentSpawner
    const files = await readFiles(ctx, args.files ?? [])
    const child = await spawn(
      {
        title: 'second opinion',
        goal: writeBriefing(args, files),
        serves: 'oracle',
        readOnly: true,
        timeoutMs: args.timeout_seconds * 1000,
        effort: args.effort,
        model: args.model,
      },
      ctx.signal,
    )
    const how = `${child.end}${child.reason ? ` (${child.reason})` : ''}`
    const code = subagentFailure(child)
    if (code !== undefined && child.text.trim() === '')
      return failedResult(code, `no answer: ${how}`, { data: child })
    if (code !== undefined)
      return partialResult(
        { text: child.text, data: child },
        { code, message: `the answer is incomplete: ${how}` },
      )
    const note = child.end === 'done' ? [] : [`[cut short: ${child.reason ?? child.end}]`]
    const receipts = formatReceipts(child.receipts)
    const below = receipts.length > 0 ? ['', ...receipts] : []
    return { text: [child.text, ...note, ...below].join('\n'), data: child }
  },
})

/** Largest size of the numbered lines of all files together, in bytes. */
const maxFileBytes = 131_072

/**
 * Returns the content of the files as context, in order, up to `maxFileBytes`. Each file after this limit
 * becomes a note that asks the agent to read it. Throws the FailureError of the first unreadable file.
 */
async function readFiles(ctx: Ctx, paths: readonly string[]): Promise<string> {
  const parts: string[] = []
  let room = maxFileBytes
  for (const path of paths) {
    const viewed = await viewFile(ctx, path, { max_bytes: Math.max(1, room) })
    if (room <= 0) parts.push(`===== ${path} =====\n[no room left: read it]`)
    else parts.push(`===== ${path} =====\n${viewed.text}`)
    room -= viewed.data.bytes
  }
  return parts.join('\n\n')
}

function writeBriefing(
  args: { question: string; context?: string | undefined; focus?: string | undefined },
  files: string,
) {
  return [
    args.question,
    ...(args.context === undefined ? [] : [`Known so far:\n${args.context}`]),
    ...(args.focus === undefined ? [] : [`Look above all at: ${args.focus}`]),
    ...(files === '' ? [] : [`The files:\n\n${files}`]),
  ].join('\n\n')
}
