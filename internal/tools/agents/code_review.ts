// The tool code_review: a read-only review of a change that ends in structured findings.

import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import { field, filledText, optionalTexts } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import type { ReviewFinding, ReviewResult, ReviewRunner } from '../../tool/review.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './code_review.md'

const timeoutMs = 600_000

export const codeReview = defineTool({
  name: 'code_review',
  about,
  level: 'external_read',
  offer: { spawns: true },
  input: z.object({
    diff_description: field(filledText(), 'What changed, why, and what must not break'),
    files: field(optionalTexts(), 'Files to review; default: all changed ones'),
    instructions: field(z.optional(z.string()), 'What else the reviewer should check'),
    check_scope: field(
      z.optional(z.enum(['changes-only', 'all'])),
      'changes-only (default): checks for changed files; all: every check',
      {
        synonyms: { changes: 'changes-only', changed: 'changes-only', changes_only: 'changes-only' },
      },
    ),
    check_filter: field(optionalTexts(), 'Only checks with these names or globs'),
    checks_only: field(z._default(z.boolean(), false), 'true: run the checks without the general review'),
    thinking: field(z._default(z.enum(['low', 'high']), 'low'), 'How much the reviewer thinks'),
  }),
  example: {
    diff_description: 'Uncommitted: retries of failed uploads now wait and give up after five tries',
    files: ['src/upload/retry.ts'],
    thinking: 'high',
  },
  effect: () => 'spawn',
  access: ({ files = [] }) => ({ scope: files.map((path) => ({ kind: 'path', path, access: 'read' })) }),
  available: (ctx) => (ctx.can.agents?.review ? true : 'a child agent cannot start agents'),
  async run(args, ctx): Promise<ToolResult<ReviewResult>> {
    const { files, instructions, check_filter: only } = args
    const review = ctx.can.agents?.review as ReviewRunner
    const reviewed = await review(
      {
        description: args.diff_description,
        reviewer: !args.checks_only,
        checks: args.check_scope === 'all' ? 'all' : 'changes',
        effort: args.thinking,
        timeoutMs,
        files: files && files.length > 0 ? files : undefined,
        focus: instructions,
        only: only && only.length > 0 ? only : undefined,
      },
      ctx.signal,
    )
    const text = describeResult(reviewed)
    if (reviewed.end !== 'failed') return { text, data: reviewed }
    const isCancelled = ctx.signal.aborted
    const code = isCancelled ? 'cancelled' : 'run_failed'
    return { text, data: reviewed, failed: { code, message: 'no part of the review gave an answer' } }
  },
})

function describeResult({ end, findings, notes, parts, files }: ReviewResult): string {
  const checks = parts.filter(({ check }) => check).map(({ name }) => name)
  const ran = [...(parts.some(({ check }) => !check) ? ['the reviewer'] : []), ...checks]
  const size = countNoun(files.length, 'file')
  return [
    ...(findings.length === 0 ? [nothingFound[end]] : findings.map(describeFinding)),
    ...notes.map((note) => `note: ${note}`),
    `[${end}; ${countNoun(findings.length, 'finding')}; ran: ${ran.join(', ') || 'nothing'}; ${size}]`,
  ].join('\n')
}

/** Sentence for a review without findings, by how the review ended. */
const nothingFound: Readonly<Record<ReviewResult['end'], string>> = {
  done: 'No findings.',
  partial: 'Nothing was found so far; the review is incomplete.',
  failed: 'The review is not done.',
}

function describeFinding({ severity, file, line, title, detail, check }: ReviewFinding): string {
  const from = check === undefined ? '' : ` [${check}]`
  const more = detail === '' ? '' : `\n  ${detail.replaceAll('\n', '\n  ')}`
  return `${severity}  ${file}:${line}  ${title}${from}${more}`
}
