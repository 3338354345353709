// Runs a study in front of a person or a program: progress while it goes on, the report at its end, the exit
// code.
import type { StudyRequest, StudyRun } from '../../../internal/host/study/request.ts'
import { decideExitCode } from '../../../internal/study/log/outcome.ts'
import type { StudyState } from '../../../internal/study/log/state.ts'
import { shortId } from '../../../internal/study/progress/progress-lines.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'
import { openView } from './progress-view.ts'

type Work = (run: StudyRun) => Promise<StudyState>

async function study(args: CommandArgs, io: CommandIo, work: Work): Promise<number> {
  const isJson = flagArg(args, 'json')
  const form = flagArg(args, 'quiet') ? 'quiet' : isJson ? 'json' : 'auto'
  const view = openView(io, { out: isJson ? io.stderr : io.stdout, form })
  const notes = flagArg(args, 'quiet') ? () => undefined : view.note
  let state: StudyState
  try {
    state = await work({
      cwd: io.cwd,
      env: io.env,
      signal: io.signal,
      program: process.argv[1] ?? '',
      show: view.line,
      note: notes,
    })
  } finally {
    view.end()
  }
  if (isJson) await writeText(io.stdout, formatJson(documentOf(state), 2))
  if (io.signal.aborted) {
    io.stderr.write(`interrupted; go on with: anode study resume ${shortId(state.head.id)}\n`)
    return Number(process.exitCode ?? 130)
  }
  return decideExitCode(state)
}

async function plan(request: StudyRequest, io: CommandIo): Promise<number> {
  const { previewPlan } = await import('../../../internal/host/study/plan-preview.ts')
  const made = await previewPlan(request, {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    note: (text) => void io.stderr.write(`${text}\n`),
  })
  await writeText(io.stdout, formatJson(made, 2))
  return exitCodes.done
}

export const studyPresenter = { study, plan }
