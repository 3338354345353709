// The command `anode research export`, which writes a session as one HTML file, or as JSON.
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { writeAtomic } from '../../../internal/base/files/atomic-write.ts'
import { renderPage } from '../../../internal/research/report/html-page.ts'
import { writeText } from '../io/streams.ts'
import { describeWriteFailure } from '../io/write-failure.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { sessionOptions, withResearch } from './session-access.ts'
import { readOverview } from './status-view.ts'

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

function writeOut(args: CommandArgs, io: CommandIo): Promise<number> {
  const file = stringArg(args, 'html')
  if (file === undefined && !flagArg(args, 'json')) {
    throw new UserError('nothing to write', { hint: 'give --html FILE or --json' })
  }
  return withResearch(args, io, async ({ research }) => {
    const view = await readOverview(research)
    if (file === undefined) {
      await writeText(io.stdout, `${JSON.stringify(view)}\n`)
      return 0
    }
    try {
      await writeAtomic(resolve(io.cwd, file), Buffer.from(renderPage(view, new Date())))
    } catch (cause) {
      throw describeWriteFailure(file, cause)
    }
    await writeText(io.stdout, flagArg(args, 'json') ? `${JSON.stringify({ file })}\n` : `${file}\n`)
    return 0
  })
}
