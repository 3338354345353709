// Where a report goes and in which form: a file by its ending, or standard output.
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { UserError } from '../../../../internal/base/errors.ts'
import { writeAtomic } from '../../../../internal/base/files/atomic-write.ts'
import { formatByteSize } from '../../../../internal/base/text/byte-size.ts'
import { terminalOptions } from '../../../../internal/render/terminal.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import type { ReportExtent } from '../../../../internal/study/report/report-layout.ts'
import { formatJson } from '../../io/json.ts'
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

interface ReportFile {
  /** As it was named. */
  name: string
  format: ReportFormat
}

/**
 * The file of `-o`, looked at before anything is spent: its ending is known, its folder is there and takes
 * files. `asked` is a form that was named apart, which then has to fit a known ending. Throws UserError.
 */
export function readReportFile(
  args: CommandArgs,
  io: CommandIo,
  asked?: ReportFormat,
): ReportFile | undefined {
  const name = stringArg(args, 'output')
  if (name === undefined) return undefined
  const ending = extname(name).toLowerCase()
  const known = Object.hasOwn(formatOfEnding, ending) ? formatOfEnding[ending] : undefined
  const format = asked ?? known
  if (!format) {
    const why = ending === '' ? 'has no ending' : `ends in ${ending}, which is no form of a report`
    throw new UserError(`${name} ${why}`, { hint: 'a report can be .md, .txt, .html, .json, .pdf or .docx' })
  }
  if (asked && known && asked !== known) {
    throw new UserError(`--format ${asked} does not fit the ending of ${name}`, {
      hint: `leave --format out, or name a file that ends in .${asked === 'text' ? 'txt' : asked}`,
    })
  }
  const path = resolve(io.cwd, name)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw describeWriteFailure(name, error)
  }
  return { name, format }
}

/** Writes the whole report and says so on standard error. Throws UserError (exit 1). */
export async function writeReportFile(
  document: ReportDocument,
  { name, format }: ReportFile,
  io: CommandIo,
): Promise<void> {
  // a file is no terminal, whatever the variables of this one say
  const env = { ...io.env, NO_COLOR: '1' }
  const bytes = Buffer.from(await drawReport(document, format, { env }, {}))
  try {
    await writeAtomic(resolve(io.cwd, name), bytes)
  } catch (error) {
    throw describeWriteFailure(name, error)
  }
  io.stderr.write(`wrote ${name} (${formatByteSize(bytes.length)})\n`)
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
