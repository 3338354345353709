// The command `anode study report`, which prints the report of a study or a part of it, or writes the report
// to a file.
import { UserError } from '../../../internal/base/errors.ts'
import { withStudy } from '../../../internal/service/study/known-studies.ts'
import { shortId } from '../../../internal/study/progress/progress-lines.ts'
import { type CitationStyle, formatCitations } from '../../../internal/study/report/citation.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import type { ReportDocument } from '../../../internal/study/report/report-document.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import {
  drawForOutput,
  drawReport,
  type ReportFormat,
  readReportFile,
  reportFileOption,
  reportFormats,
  studyPresenter,
  writeReportFile,
} from './output/study-presenter.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const report: Verb = {
  name: 'study report',
  summary: 'Print the report of a study, or write it to a file',
  usage: 'study report [ID] [flags]',
  positionals: [studyPositional],
  options: {
    format: {
      type: 'string',
      describe: 'Form of the report; without it that of the file, text on a terminal, else md',
      choices: [...reportFormats, 'csv'],
    },
    json: { type: 'boolean', describe: 'The same as --format json' },
    cite: {
      type: 'string',
      describe: 'Only the sources, as entries for a list of references: BibTeX or CSL-JSON',
      choices: ['bibtex', 'csl'],
    },
    answer: { type: 'boolean', describe: 'Only the answer and its sources, as the study printed them' },
    ...reportFileOption,
  },
  examples: [
    ['anode study report last', 'Read it here'],
    ['anode study report last --cite bibtex > references.bib', 'Its sources for a list of references'],
    ['anode study report last -o report.html', 'One page to keep or send, without anything outside of it'],
  ],
  run: runReport,
}

async function runReport(args: CommandArgs, io: CommandIo): Promise<number> {
  const table = await withStudy(readStudyName(args), io, async (study) => {
    const state = await study.state()
    return state.head.table ? state : undefined
  })
  if (table) return (await studyPresenter.tables()).printTable(args, io, table)
  if (stringArg(args, 'format') === 'csv') {
    throw new UserError('only a table can be CSV', {
      hint: 'a table has one row per document: anode study --each',
    })
  }
  const format = flagArg(args, 'json') ? 'json' : (stringArg(args, 'format') as ReportFormat | undefined)
  const file = readReportFile(args, io, format)
  if (file && stringArg(args, 'cite') !== undefined) {
    throw new UserError('--cite prints references and writes no file', {
      hint: 'anode study report --cite bibtex > references.bib',
    })
  }
  if (!file && (format === 'pdf' || format === 'docx')) {
    throw new UserError(`a report as ${format} needs a file`, {
      hint: `anode study report -o report.${format}`,
    })
  }
  return withStudy(readStudyName(args), io, async (study) => {
    const state = await study.state()
    if (!state.report && state.status !== 'failed' && state.status !== 'partial') {
      throw new UserError(`study ${shortId(study.id)} is ${state.status} and has no report yet`, {
        hint: `anode study status ${shortId(study.id)} prints its state`,
        exit: exitCodes.failed,
      })
    }
    const document = documentOf(state)
    const style = stringArg(args, 'cite') as CitationStyle | undefined
    if (style !== undefined) {
      await writeText(io.stdout, formatCitations(document, style))
    } else if (file) await writeReportFile(document, file, io)
    else await writeText(io.stdout, await drawShown(document, format, args, io))
    return exitCodes.done
  })
}

async function drawShown(
  document: ReportDocument,
  format: ReportFormat | undefined,
  args: CommandArgs,
  io: CommandIo,
): Promise<string> {
  if (format === 'json') return formatJson(document, 2)
  const extent = flagArg(args, 'answer') ? 'answer' : 'whole'
  if (format === undefined || extent === 'answer') return drawForOutput(document, extent, io)
  return (await drawReport(document, format, io, io.stdout)) as string
}
