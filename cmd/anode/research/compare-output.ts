// The files and annotations that a comparison writes for CI (automatic builds): a Markdown file, an image,
// and annotations for GitHub.
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { writeAtomic } from '../../../internal/base/files/atomic-write.ts'
import type { ComparisonRecord, ComparisonVerdict } from '../../../internal/research/compare/comparison.ts'
import { comparisonAnnotations } from '../../../internal/research/report/comparison-annotations.ts'
import { drawComparison } from '../../../internal/research/report/comparison-chart.ts'
import { comparisonMarkdown } from '../../../internal/research/report/comparison-markdown.ts'
import { type CommandArgs, type CommandIo, stringArg } from '../verb.ts'

/**
 * Writes the files of a comparison that the flags name. If GitHub runs the step, also writes annotations to
 * standard error; standard output stays unchanged, because it may be JSON. Throws UserError for a file that
 * cannot be written.
 */
export async function writeComparison(
  record: ComparisonRecord,
  fails: (verdict: ComparisonVerdict) => boolean,
  args: CommandArgs,
  io: CommandIo,
): Promise<void> {
  await writeFlagFile(args, io, 'markdown', () => comparisonMarkdown(record))
  await writeFlagFile(args, io, 'svg', () => drawComparison(record))
  if (io.env.GITHUB_ACTIONS !== 'true') return
  for (const line of comparisonAnnotations(record, fails)) io.stderr.write(`${line}\n`)
}

async function writeFlagFile(
  args: CommandArgs,
  io: CommandIo,
  flag: 'markdown' | 'svg',
  draw: () => string,
): Promise<void> {
  const path = stringArg(args, flag)
  if (path === undefined) return
  await writeAtomic(resolve(io.cwd, path), Buffer.from(draw())).catch((error: Error) => {
    throw new UserError(`--${flag} "${path}" cannot be written: ${error.message}`, {
      hint: 'Name a file in a directory that exists.',
    })
  })
}
