// `anode research export`: a session as one HTML file, or as JSON.
import { resolve } from 'node:path'
import { writeAtomic } from '../../../internal/base/atomic.ts'
import { UserError } from '../../../internal/base/errors.ts'
import { write } from '../io.ts'
import { type Args, flag, type Io, str, type Verb } from '../verb.ts'
import { describeWriteFailure } from '../write-failure.ts'
import { sessionOptions, withSession } from './open.ts'
import { viewOf } from './status.ts'

export const exportSession: Verb = {
  name: 'research export',
  summary: 'Write a session as one self-contained HTML page with its chart, or print it as JSON',
  usage: 'research export --html FILE | --json',
  options: {
    html: { type: 'string', describe: 'File to write; it needs no network', value: 'FILE' },
    ...sessionOptions,
  },
  examples: [['anode research export --html report.html', 'Runs, intervals, verdicts and costs on one page']],
  run: writeOut,
}

function writeOut(args: Args, io: Io): Promise<number> {
  const file = str(args, 'html')
  if (file === undefined && !flag(args, 'json')) {
    throw new UserError('nothing to write', { hint: 'give --html FILE or --json' })
  }
  return withSession(args, io, async ({ research }) => {
    const view = await viewOf(research)
    if (file === undefined) {
      await write(io.stdout, `${JSON.stringify(view)}\n`)
      return 0
    }
    const { page } = await import('../../../internal/research/report/page.ts')
    try {
      await writeAtomic(resolve(io.cwd, file), Buffer.from(page(view, new Date())))
    } catch (cause) {
      throw describeWriteFailure(file, cause)
    }
    await write(io.stdout, flag(args, 'json') ? `${JSON.stringify({ file })}\n` : `${file}\n`)
    return 0
  })
}
