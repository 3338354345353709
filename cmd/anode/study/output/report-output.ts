// The destination and format of a report: a file, whose extension gives the format, or standard output.
import { writeAtomic } from '../../../../internal/base/files/atomic-write.ts'
import { terminalOptions } from '../../../../internal/render/terminal.ts'
import { isStudyReport } from '../../../../internal/study/report/earlier-report.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import type { ReportExtent } from '../../../../internal/study/report/report-layout.ts'
import { refuseForeignFile } from '../../io/earlier-output.ts'
import { formatJson } from '../../io/json.ts'
import { announceFile, type OutputFile, readOutputFile } from '../../io/output-file.ts'
import { describeWriteFailure } from '../../io/write-failure.ts'
import { type CommandArgs, type CommandIo, type CommandOption, stringArg } from '../../verb.ts'

export const reportFormats = ['md', 'text', 'html', 'json', 'pdf', 'docx'] as const
export type ReportFormat = (typeof reportFormats)[number]

const formatOfEnding: Readonly<Record<string, ReportFormat>> = {
  '.md': 'md',
  '.markdown': 'md',
  '.txt': 'text',
  '.text': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.pdf': 'pdf',
  '.docx': 'docx',
}

export const reportFileOption: Readonly<Record<string, CommandOption>> = {
  output: {
    type: 'string',
    describe: 'Write the whole report to FILE; its ending says the form: md, txt, html, json, pdf or docx',
    alias: 'o',
    value: 'FILE',
  },
}

/** Largest number of bytes of an existing file that are read to recognize an earlier report. */
const maxReportBytes = 64 * 1024 * 1024

type ReportFile = OutputFile<ReportFormat>

/**
 * Returns the file of the flag `-o`; undefined without this flag. The file is checked before the study uses
 * any tokens. `asked` is a format that was set separately. Throws UserError for an invalid path or format,
 * and for an existing file that is not a report.
 */
export function readReportFile(
  args: CommandArgs,
  io: CommandIo,
  asked?: ReportFormat,
): ReportFile | undefined {
  const name = stringArg(args, 'output')
  if (name === undefined) return undefined
  const file = readOutputFile(name, io, { what: 'a report', endings: formatOfEnding }, asked)
  refuseForeignFile(file, { what: 'report of a study', isOwn: isStudyReport, maxBytes: maxReportBytes })
  return file
}

/**
 * Writes the whole report and prints the name and size of the file on standard error. Throws UserError (exit
 * 1) if the file cannot be written.
 */
export async function writeReportFile(
  document: ReportDocument,
  file: ReportFile,
  io: CommandIo,
): Promise<void> {
  // A file is not a terminal, so color variables of the environment do not apply.
  const env = { ...io.env, NO_COLOR: '1' }
  const bytes = Buffer.from(await drawReport(document, file.format, { env }, {}))
  try {
    await writeAtomic(file.path, bytes)
  } catch (error) {
    throw describeWriteFailure(file.name, error)
  }
  announceFile(file, bytes.length, io)
}

/**
 * Returns the report in a format, drawn for `stream`. `extent` only matters for `text` and `md`; default: the
 * whole report. Width and color only matter for `text`.
 */
export async function drawReport(
  document: ReportDocument,
  format: ReportFormat,
  io: Pick<CommandIo, 'env'>,
  stream: Parameters<typeof terminalOptions>[0]['stream'],
  extent: ReportExtent = 'whole',
): Promise<string | Uint8Array> {
  switch (format) {
    case 'json':
      return formatJson(document, 2)
    case 'html':
      return (await import('../../../../internal/study/report/html.ts')).renderHtml(document)
    case 'pdf':
      return (await import('../../../../internal/study/report/pdf.ts')).renderPdf(document)
    case 'docx':
      return (await import('../../../../internal/study/report/docx.ts')).renderDocx(document)
    case 'text': {
      const { renderText } = await import('../../../../internal/study/report/text.ts')
      const look = { ...terminalOptions({ env: io.env, stream }), all: true, plain: false }
      return renderText(document, look, extent)
    }
    case 'md':
      return (await import('../../../../internal/study/report/markdown.ts')).renderMarkdown(document, extent)
  }
}

/** Returns the report for standard output: formatted for a terminal, as Markdown in a pipe. */
export async function drawForOutput(
  document: ReportDocument,
  extent: ReportExtent,
  { env, stdout }: Pick<CommandIo, 'env' | 'stdout'>,
): Promise<string> {
  const format = stdout.isTTY ? 'text' : 'md'
  return (await drawReport(document, format, { env }, stdout, extent)) as string
}
