// The command `anode runs list`, which prints the latest runs of this workspace or of all workspaces, their
// open questions, and how they ended.

import { realpathSync } from 'node:fs'
import { describeRunState } from '../../../internal/base/text/run-state.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { RunSummary } from '../../../internal/server/run-summary.ts'
import { listRuns } from '../../../internal/service/runs/run-access.ts'
import { readNumber } from '../flags.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { nameRun } from './run-place.ts'

export const list: Verb = {
  name: 'runs list',
  summary: 'List the runs of this workspace: running, waiting for an answer, or ended and how',
  usage: 'runs list [flags]',
  options: {
    limit: { type: 'number', describe: 'At most this many', value: 'N' },
    everywhere: { type: 'boolean', describe: 'Those of other workspaces too' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  foreignFlags: { all: '--everywhere' },
  examples: [['anode runs list', 'All runs here, newest first']],
  run: printRuns,
}

async function printRuns(args: CommandArgs, io: CommandIo): Promise<number> {
  const isEverywhere = flagArg(args, 'everywhere')
  const all = await listRuns(io.env, isEverywhere ? undefined : realpathSync(io.cwd))
  const runs = all.slice(0, readNumber(args, 'limit', 1))
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(runs, null, 2)}\n`)
  else if (runs.length === 0)
    explainNoRows(`No runs${isEverywhere ? '' : ' here'} yet. Start one: anode runs start "what to do"`, io)
  else {
    const rows = runs.map((run) => [
      nameRun(run, runs),
      describeState(run),
      sanitizeText(run.title),
      ageOf(run),
    ])
    io.stdout.write(await formatTable(['run', 'state', 'title', 'begun'], rows, io))
  }
  return 0
}

function describeState(run: RunSummary): string {
  const proof = run.proof === null ? '' : `, ${run.proof}`
  const state = sanitizeText(`${describeRunState(run)}${proof}`)
  return run.worktree?.merged ? `${state}, merged` : state
}

function ageOf({ started }: RunSummary): string {
  const minutes = Math.floor((Date.now() - started) / 60_000)
  if (minutes < 60) return `${minutes} min ago`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} d ago`
}
