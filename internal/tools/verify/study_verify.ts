// The tool study_verify: compares the claims of a study, or the quotes of any text, with the files.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import type { QuoteCheck } from '../../tool/verification.ts'
import { findClosed, locatePath } from '../../tool-support/path-location.ts'
import { hasVerification, openVerification } from '../../tool-support/verification.ts'
import about from './study_verify.md'

export const studyVerify = defineTool({
  name: 'study_verify',
  about,
  level: 'auto_read',
  input: z.object({
    id: field(z.optional(z.string()), 'Id of a study of this workspace, or its beginning'),
    text: field(z.optional(z.string()), 'Text with quotes, each next to its file:line'),
  }),
  example: { text: 'src/add.js:1 has "export const add = (a, b) => a + b".' },
  access: () => ({ scope: [{ kind: 'path', path: '.', access: 'read' }] }),
  available: hasVerification,
  async run({ id, text }, ctx): Promise<ToolResult> {
    if ((id === undefined) === (text === undefined))
      throw new FailureError({ code: 'bad_args', message: 'pass either id or text' })
    const { verifyStudy, verifyText } = await openVerification(ctx)
    if (id !== undefined) {
      const answer = await verifyStudy(id)
      const okCount = answer.claims.filter(({ state }) => state === 'verified').length
      const lines = answer.claims.map(({ id: claim, state, reason, text: words, source_changed }) => {
        const why = reason === undefined ? '' : ` (${reason})`
        return `${state}${why}${source_changed ? ', source changed' : ''}  ${claim}  ${words}`
      })
      const head = `${okCount} of ${countNoun(answer.claims.length, 'claim')} verified  (study ${answer.id})`
      return { text: [head, ...lines].join('\n'), data: answer }
    }
    const checked = await verifyText(text ?? '', await openFiles(ctx))
    return { text: describeQuotes(checked), data: checked }
  },
})

/**
 * Returns a function that returns true for a path if no permission rule forbids this caller to read the file.
 */
async function openFiles(ctx: Ctx): Promise<(path: string) => boolean> {
  const closed = await findClosed(ctx, locatePath(ctx, '.', 'read'))
  return (path) => closed?.closes?.(path) !== true
}

function describeQuotes({ quotes, short, beyond }: QuoteCheck): string {
  const skipped = [
    ...(short > 0 ? [`${countNoun(short, 'quote')} not checked: fewer than 5 letters and digits`] : []),
    ...(beyond > 0 ? [`${countNoun(beyond, 'quote')} not checked: check them in another call`] : []),
  ]
  if (quotes.length === 0) {
    const advice = 'put each quote in quote marks, next to the file:line that it comes from'
    return short === 0 ? `no quotes: ${advice}` : [...skipped, advice].join('\n')
  }
  const foundCount = quotes.filter(({ state }) => state === 'found').length
  const lines = quotes.map(({ state, file, lines: at, sha256, quote }) => {
    const where = file === undefined ? 'no file is named' : `${file}${at === undefined ? '' : `:${at}`}`
    const hash = sha256 === undefined ? '' : `  sha256 ${sha256.slice(0, 12)}`
    return `${state}  ${where}${hash}  "${quote.replace(/\s+/g, ' ').slice(0, 120)}"`
  })
  return [`${foundCount} of ${countNoun(quotes.length, 'quote')} found`, ...lines, ...skipped].join('\n')
}
