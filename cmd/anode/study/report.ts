// `anode study report`: what a study has found, as Markdown, JSON, terminal text or a page.
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { writeAtomic } from '../../../internal/base/files/atomic-write.ts'
import { withStudy } from '../../../internal/host/study/known-studies.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import type { ReportDocument } from '../../../internal/study/report/document.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { describeWriteFailure } from '../io/write-failure.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { readStudyName, studyPositional } from './study-name.ts'

const formats = ['md', 'json', 'text', 'html'] as const

export const report: Verb = {
  name: 'study report',
  summary: 'Print the report of a study, or write it to a file',
  usage: 'study report [ID] [flags]',
  positionals: [studyPositional],
  options: {
    format: {
      type: 'string',
      describe: 'Form of the report; without it that of the file, text on a terminal, else md',
      choices: formats,
    },
    output: { type: 'string', describe: 'File instead of standard output', alias: 'o', value: 'FILE' },
  },
  examples: [
    ['anode study report last', 'Read it here'],
    ['anode study report last -o report.html', 'One page to keep or send, without anything outside of it'],
  ],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (found) => {
      const state = await found.state()
      if (!state.report && state.status !== 'failed' && state.status !== 'partial') {
        throw new UserError(`study ${found.id} is ${state.status} and has no report yet`, {
          hint: 'anode study status says where it stands',
          exit: exitCodes.failed,
        })
      }
      const { documentOf } = await import('../../../internal/study/report/document.ts')
      return put(documentOf(state), args, io)
    }),
}

async function put(document: ReportDocument, args: CommandArgs, io: CommandIo): Promise<number> {
  const file = stringArg(args, 'output')
  const named = formats.find((format) => file?.endsWith(`.${format === 'text' ? 'txt' : format}`))
  const format = stringArg(args, 'format') ?? named ?? (file === undefined && io.stdout.isTTY ? 'text' : 'md')
  const drawn = await drawReport(document, format, io, file === undefined)
  if (file === undefined) {
    await writeText(io.stdout, drawn)
    return exitCodes.done
  }
  try {
    await writeAtomic(resolve(io.cwd, file), Buffer.from(drawn))
  } catch (error) {
    throw describeWriteFailure(file, error)
  }
  return exitCodes.done
}

/** `shown`: it goes to the terminal or pipe behind standard output, whose width and colour count then. */
async function drawReport(
  document: ReportDocument,
  format: string,
  io: CommandIo,
  shown = true,
): Promise<string> {
  switch (format) {
    case 'json':
      return formatJson(document, 2)
    case 'html':
      return (await import('../../../internal/study/report/html.ts')).renderHtml(document)
    case 'text': {
      const { renderText } = await import('../../../internal/study/report/text.ts')
      const look = terminalOptions({ env: io.env, stream: shown ? io.stdout : {} })
      return renderText(document, { ...look, all: true, plain: false })
    }
    default:
      return (await import('../../../internal/study/report/markdown.ts')).renderMarkdown(document)
  }
}
