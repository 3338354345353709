// The output of a study: progress on standard error, the answer on standard output, and the exit code.
import type { StudyRequest, StudyRun } from '../../../../internal/service/study/request.ts'
import type { StudyState } from '../../../../internal/study/log/state.ts'
import { shortId, statusLines } from '../../../../internal/study/progress/progress-lines.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import type { ReportDocument } from '../../../../internal/study/report/report-document.ts'
import { exitCodes } from '../../exit-codes.ts'
import { formatJson } from '../../io/json.ts'
import { writeText } from '../../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../../verb.ts'
import { openView } from './progress-view.ts'
import { drawForOutput, readReportFile, writeReportFile } from './report-output.ts'

type Work = (run: StudyRun) => Promise<StudyState>

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
const tables = () => import('./table-output.ts')

async function study(
  args: CommandArgs,
  io: CommandIo,
  work: Work,
  result = createReportForm(args, io),
): Promise<number> {
  const isJson = flagArg(args, 'json')
  const form = flagArg(args, 'quiet') ? 'quiet' : isJson ? 'json' : 'auto'
  const view = openView(io, { out: io.stderr, form, answers: true })
  const shown: { study?: string } = {}
  endWhenStuck(io, shown)
  const notes = flagArg(args, 'quiet') ? () => undefined : view.note
  let state: StudyState
  try {
    state = await work({
      cwd: io.cwd,
      env: io.env,
      signal: io.signal,
      program: process.argv[1] ?? '',
      show: (line, isKnown) => {
        if (line.kind === 'study') shown.study = String(line.data['id'])
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
function endWhenStuck({ signal, stderr }: CommandIo, shown: { readonly study?: string }): void {
  const isBegun = () => shown.study !== undefined
  const end = () => {
    stderr.write(shown.study === undefined ? 'interrupted; nothing was begun\n' : resumeHint(shown.study))
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

async function plan(request: StudyRequest, io: CommandIo): Promise<number> {
  const { previewPlan } = await import('../../../../internal/service/study/plan-preview.ts')
  const made = await previewPlan(request, {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    note: (text) => void io.stderr.write(`${text}\n`),
  })
  await writeText(io.stdout, formatJson(made, 2))
  return exitCodes.done
}

export const studyPresenter = { study, plan, tables }
