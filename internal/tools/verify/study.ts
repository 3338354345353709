// The tool study: starts a study (research by agents) in a separate process, or returns the state of a study.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasVerification, openVerification } from '../../tool-support/verification.ts'
import about from './study.md'

export const study = defineTool({
  name: 'study',
  about,
  level: 'delegated',
  input: z.object({
    question: field(z.optional(z.string()), 'Question for a new study'),
    id: field(z.optional(z.string()), 'Id of a study of this workspace, or its beginning'),
    wait_s: field(z._default(z.int().check(z.minimum(0)), 45), 'Seconds to wait for its end', { cap: 600 }),
  }),
  example: { question: 'How are permissions decided?' },
  offer: { mainOnly: true },
  available: hasVerification,
  async run({ question, id, wait_s }, ctx): Promise<ToolResult> {
    if ((id === undefined) === (question === undefined))
      throw new FailureError({ code: 'bad_args', message: 'pass either question or id' })
    const { startStudy, awaitStudy } = await openVerification(ctx)
    const studyId = id ?? (await startStudy(question ?? '', ctx.signal))
    const payload = { call: ctx.call.id, tool: 'study', progress: 0, message: `study ${studyId}` }
    await ctx.log.append({ type: 'tool.progress', payload })
    const state = await awaitStudy(studyId, wait_s * 1000, ctx.signal)
    const next = state.isOver ? '' : `\nIt is not over. Call study with id "${state.id}" again.`
    return { text: `study ${state.id}: ${state.status}${next}\n\n${state.report}`, data: state }
  },
})
