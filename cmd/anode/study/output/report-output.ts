// Where a report goes and in which form: a file by its ending, or standard output.
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

/** Of a report that may be written anew. */
const maxReportBytes = 64 * 1024 * 1024

type ReportFile = OutputFile<ReportFormat>

/**
 * The file of `-o`, looked at before anything is spent. `asked` is a form that was named apart. Throws
 * UserError.
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

/** Writes the whole report and says so on standard error. Throws UserError (exit 1). */
export async function writeReportFile(
  document: ReportDocument,
  file: ReportFile,
  io: CommandIo,
): Promise<void> {
  // a file is no terminal, whatever the variables of this one say
  const env = { ...io.env, NO_COLOR: '1' }
  const bytes = Buffer.from(await drawReport(document, file.format, { env }, {}))
  try {
    await writeAtomic(file.path, bytes)
  } catch (error) {
    throw describeWriteFailure(file.name, error)
  }
  announceFile(file, bytes.length, io)
}

/** The whole report; `stream` is what it is drawn for: width and colour count in the form `text` only. */
export async function drawReport(
  document: ReportDocument,
  format: ReportFormat,
  io: Pick<CommandIo, 'env'>,
  stream: Parameters<typeof terminalOptions>[0]['stream'],
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
      return renderText(document, { ...terminalOptions({ env: io.env, stream }), all: true, plain: false })
    }
    case 'md':
      return (await import('../../../../internal/study/report/markdown.ts')).renderMarkdown(document)
  }
}

/** For standard output: drawn to the width of a terminal, Markdown in a pipe. */
export async function drawForOutput(
  document: ReportDocument,
  extent: ReportExtent,
  { env, stdout }: Pick<CommandIo, 'env' | 'stdout'>,
): Promise<string> {
  if (!stdout.isTTY)
    return (await import('../../../../internal/study/report/markdown.ts')).renderMarkdown(document, extent)
  const { renderText } = await import('../../../../internal/study/report/text.ts')
  const look = terminalOptions({ env, stream: stdout })
  return renderText(document, { ...look, all: true, plain: false }, extent)
}
