// Runs a study in front of a person or a program: progress while it goes on, the report at its end, the exit code.
import type { StudyRequest, StudyRun } from '../../../internal/host/study/request.ts'
import { exitCode } from '../../../internal/study/outcome.ts'
import { documentOf } from '../../../internal/study/report/document.ts'
import { shortId } from '../../../internal/study/show/say.ts'
import type { StudyState } from '../../../internal/study/state.ts'
import { exit } from '../exit.ts'
import { write } from '../io.ts'
import { json } from '../json.ts'
import { type Args, flag, type Io } from '../verb.ts'
import { openView } from './view.ts'

type Work = (run: StudyRun) => Promise<StudyState>

async function study(args: Args, io: Io, work: Work): Promise<number> {
  const isJson = flag(args, 'json')
  const form = flag(args, 'quiet') ? 'quiet' : isJson ? 'json' : 'auto'
  const view = openView(io, { out: isJson ? io.stderr : io.stdout, form })
  const notes = flag(args, 'quiet') ? () => undefined : view.note
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
  if (isJson) await write(io.stdout, json(documentOf(state), 2))
  if (io.signal.aborted) {
    io.stderr.write(`interrupted; go on with: anode study resume ${shortId(state.head.id)}\n`)
    return Number(process.exitCode ?? 130)
  }
  return exitCode(state)
}

async function plan(request: StudyRequest, io: Io): Promise<number> {
  const { planOnly } = await import('../../../internal/host/study/plan.ts')
  const made = await planOnly(request, {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    note: (text) => void io.stderr.write(`${text}\n`),
  })
  await write(io.stdout, json(made, 2))
  return exit.done
}

export const present = { study, plan }
