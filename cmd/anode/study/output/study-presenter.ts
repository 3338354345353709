// The output of a study: progress on standard error, the answer on standard output or in a file, and
// the exit code.

import { terminalOptions } from '../../../../internal/render/terminal.ts'
import type { StudyRequest, StudyRun } from '../../../../internal/service/study/request.ts'
import type { StudyState } from '../../../../internal/study/log/state.ts'
import { shortId, statusLines } from '../../../../internal/study/progress/progress-lines.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { isStudyReport } from '../../../../internal/study/report/earlier-report.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import type { ReportExtent } from '../../../../internal/study/report/report-layout.ts'
import { exitCodes } from '../../exit-codes.ts'
import { refuseForeignFile } from '../../io/earlier-output.ts'
import { formatJson } from '../../io/json.ts'
import { type OutputFile, readOutputFile, writeOutputFile } from '../../io/output-file.ts'
import { writeText } from '../../io/streams.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg, stringArg } from '../../verb.ts'
import { openView } from './progress-view.ts'

type StudyWork = (run: StudyRun) => Promise<StudyState>

/** The form in which the command writes the result of a study: a report, or a table. */
interface StudyForm {
  /** Writes the result to the file of the flag `-o`, if the flag is set. */
  write(state: StudyState): Promise<void>
  /** Returns the result as text for standard output. */
  draw(state: StudyState): Promise<string>
  /** Returns the exit code for the study. */
  exit(state: StudyState): number
}

function createReportForm(args: CommandArgs, io: CommandIo): StudyForm {
  const file = readReportFile(args, io)
  const read = (state: StudyState) => documentOf(state, state.round)
  return {
    async write(state) {
      if (file) await writeReportFile(read(state), file, io)
    },
    draw: (state) => drawResult(read(state), args, io),
    exit: (state) => read(state).exit,
  }
}

/** Loads the code for tables, which are studies with one row per document. */
const loadTables = () => import('./table-output.ts')

async function runStudy(
  args: CommandArgs,
  io: CommandIo,
  work: StudyWork,
  result = createReportForm(args, io),
): Promise<number> {
  const isJson = flagArg(args, 'json')
  const form = flagArg(args, 'quiet') ? 'quiet' : isJson ? 'json' : 'auto'
  const view = openView(io, { out: io.stderr, form, answers: true })
  const progress: { study?: string } = {}
  endWhenStuck(io, progress)
  const notes = flagArg(args, 'quiet') ? () => undefined : view.note
  let state: StudyState
  try {
    state = await work({
      cwd: io.cwd,
      env: io.env,
      signal: io.signal,
      program: process.argv[1] ?? '',
      show: (line, isKnown) => {
        if (line.kind === 'study') progress.study = String(line.data['id'])
        view.line(line, isKnown)
      },
      note: notes,
      showReading: view.reading,
    })
  } finally {
    view.end()
  }
  const isDrawn = form === 'auto' && io.stderr.isTTY
  const hasEnded = ['done', 'partial', 'failed'].includes(state.status)
  // The file is written first, because a reader of the answer may close the pipe after its first line.
  if (hasEnded) await result.write(state)
  if (isDrawn && io.stdout.isTTY) io.stderr.write('\n')
  if (isJson || hasEnded) await writeText(io.stdout, await result.draw(state))
  // In a pipe these lines were already printed. On a terminal they come last, where the user reads next.
  if (isDrawn) io.stderr.write(`${['', ...statusLines(state)].map((line) => `${line}\n`).join('')}`)
  if (io.signal.aborted) {
    io.stderr.write(resumeHint(state.head.id))
    return Number(process.exitCode ?? 130)
  }
  return result.exit(state)
}

const resumeHint = (study: string) => `interrupted; to continue: anode study resume ${shortId(study)}\n`

/**
 * Time in milliseconds from an interrupt until the process exits although some work has not stopped: after
 * the study has begun, and before that.
 */
const stuckMs = { begun: 1_900, before: 300 }

/**
 * Ends the process if it does not end by itself after an interrupt. The log already has the findings, so the
 * user need not wait for a server, a tool or a worker that does not respond.
 */
function endWhenStuck({ signal, stderr }: CommandIo, progress: { readonly study?: string }): void {
  const isBegun = () => progress.study !== undefined
  const end = () => {
    stderr.write(
      progress.study === undefined ? 'interrupted; nothing was begun\n' : resumeHint(progress.study),
    )
    process.exit(Number(process.exitCode ?? 130))
  }
  signal.addEventListener(
    'abort',
    () => setTimeout(end, isBegun() ? stuckMs.begun : stuckMs.before).unref(),
    { once: true },
  )
}

async function drawResult(document: ReportDocument, args: CommandArgs, io: CommandIo): Promise<string> {
  if (flagArg(args, 'json')) return formatJson(document, 2)
  return drawForOutput(document, flagArg(args, 'full') ? 'whole' : 'answer', io)
}

async function printPlan(request: StudyRequest, io: CommandIo): Promise<number> {
  const { previewPlan } = await import('../../../../internal/service/study/plan-preview.ts')
  const preview = await previewPlan(request, {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    note: (text) => void io.stderr.write(`${text}\n`),
  })
  await writeText(io.stdout, formatJson(preview, 2))
  return exitCodes.done
}

export const studyPresenter = { study: runStudy, plan: printPlan, tables: loadTables }

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
 * any tokens. `format` is a format that was set separately. Throws UserError for an invalid path or format,
 * and for an existing file that is not a report.
 */
export function readReportFile(
  args: CommandArgs,
  io: CommandIo,
  format?: ReportFormat,
): ReportFile | undefined {
  const name = stringArg(args, 'output')
  if (name === undefined) return undefined
  const file = readOutputFile(name, io, { what: 'a report', endings: formatOfEnding }, format)
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
  await writeOutputFile(file, Buffer.from(await drawReport(document, file.format, { env }, {})), io)
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
