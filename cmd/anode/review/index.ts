// The command `anode review`, which prints findings about the changes in the working tree, as a table, JSON
// or SARIF (a format for findings).

import { UserError } from '../../../internal/base/errors.ts'
import { createId, createUlid } from '../../../internal/base/ids.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import type { Mode } from '../../../internal/policy/level.ts'
import { runReview } from '../../../internal/service/calls/review-run.ts'
import type { FindingSeverity } from '../../../internal/tool/review.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { positiveArg, runOptions } from '../flags.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  flagArg,
  listArg,
  readSandbox,
  readToolset,
  stringArg,
  toolsetOptions,
  type Verb,
} from '../verb.ts'
import { printReview } from './review-output.ts'
import { openReviewProgress } from './review-progress.ts'

const severities: readonly FindingSeverity[] = ['critical', 'high', 'medium', 'low']
const { 'on-ask': _, ...shared } = runOptions
const toolset = toolsetOptions.toolset as CommandOption

export const review: Verb = {
  name: 'review',
  summary: 'Review what has changed in the working tree: one reviewer, and the checks of .agents/checks',
  usage: 'review [FOCUS] [flags]',
  positionals: [{ name: 'FOCUS', describe: 'What to look at above all', many: true }],
  options: {
    base: { type: 'string', describe: 'Also what this branch has committed since it left REF', value: 'REF' },
    checks: { type: 'boolean', describe: 'Run the checks for the changed files too' },
    'checks-only': { type: 'boolean', describe: 'Run the checks without the reviewer' },
    output: { type: 'string', describe: 'How findings are printed', choices: ['text', 'json', 'sarif'] },
    'fail-on': {
      type: 'string',
      describe: 'Exit with 1 when a finding is at least this severe',
      choices: severities,
    },
    ...shared,
    toolset,
    'stream-json': {
      type: 'boolean',
      describe: 'Print every event as one JSON object a line; the last is the review',
    },
    quiet: { type: 'boolean', describe: 'No progress on standard error' },
  },
  examples: [
    ['anode review "error handling" --base main', 'What the branch and the working tree have changed'],
    ['anode review --checks --output sarif --fail-on high > review.sarif', 'For a build server'],
  ],
  run: runVerb,
}

/** Time in milliseconds after which each subagent is stopped if the flag --timeout is missing. */
const patience = 600_000

async function runVerb(args: CommandArgs, io: CommandIo): Promise<number> {
  const timeout = stringArg(args, 'timeout')
  const timeoutMs = timeout === undefined ? patience : parseDuration(timeout)
  const approval = stringArg(args, 'approval') ?? 'ask'
  const tokens = positiveArg(args, 'budget-tokens')
  const usd = positiveArg(args, 'budget-usd')
  const tools = listArg(args, 'allow-tool').flatMap((names) => names.split(',').filter(Boolean))
  const focus = listArg(args, 'FOCUS').join(' ').trim()
  const maxTurns = positiveArg(args, 'max-turns')
  const wants = flagArg(args, 'checks') || flagArg(args, 'checks-only')
  const isStream = flagArg(args, 'stream-json')
  if (isStream && stringArg(args, 'output') !== undefined)
    throw new UserError('--stream-json and --output exclude each other', {
      hint: 'the last event holds the review',
    })
  const stream = isStream ? streamEvents(io) : undefined
  const progress = openReviewProgress(io, flagArg(args, 'quiet') || isStream)
  const reviewed = await runReview({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    mode: (approval === 'yolo' ? 'unrestricted' : approval) as Mode,
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
    terminal: undefined,
    caps: { tokens, usd, deadline: timeout === undefined ? undefined : Date.now() + timeoutMs },
    model: stringArg(args, 'model'),
    toolset: readToolset(args),
    tools: tools.length > 0 ? tools : undefined,
    order: {
      reviewer: !flagArg(args, 'checks-only'),
      checks: wants ? 'changes' : 'none',
      timeoutMs,
      base: stringArg(args, 'base'),
      profile: stringArg(args, 'profile'),
      maxTurns,
      focus: focus || undefined,
    },
    show: (draft) => {
      progress.event(draft)
      stream?.add(draft)
    },
    note: progress.note,
  })
  stream?.add({ type: 'run.ended', status: reviewed.end, payload: { ...reviewed } })
  const format = isStream ? 'none' : (stringArg(args, 'output') ?? 'text')
  return printReview(reviewed, { format, failOn: stringArg(args, 'fail-on') }, io)
}

/** Returns an object whose function `add` prints the events of one run as they arrive. */
function streamEvents(io: CommandIo) {
  const run = createId('run')
  let seq = 0
  return {
    add(draft: EventDraft) {
      io.stdout.write(
        `${JSON.stringify({ ...draft, id: createUlid(), run_id: run, seq: ++seq, ts: Date.now() })}\n`,
      )
    },
  }
}
