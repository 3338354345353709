// `anode review`: findings about what has changed in the working tree, as a table, JSON or SARIF.
import { UserError } from '../../internal/base/errors.ts'
import { id, ulid } from '../../internal/base/ids.ts'
import type { Draft } from '../../internal/event/event.ts'
import type { Mode } from '../../internal/policy/level.ts'
import type { Severity } from '../../internal/tool/ctx.ts'
import { duration, runOptions } from './execute.ts'
import { type Args, flag, type Io, list, num, str, type Verb } from './verb.ts'

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low']
const { 'on-ask': _, ...shared } = runOptions

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

/** Time for each child when no --timeout is given. */
const patience = 600_000

async function runVerb(args: Args, io: Io): Promise<number> {
  const timeout = str(args, 'timeout')
  const timeoutMs = timeout === undefined ? patience : duration(timeout)
  const approval = str(args, 'approval') ?? 'ask'
  const tokens = num(args, 'budget-tokens')
  const usd = num(args, 'budget-usd')
  const tools = list(args, 'allow-tool').flatMap((names) => names.split(',').filter(Boolean))
  const focus = list(args, 'FOCUS').join(' ').trim()
  const maxTurns = num(args, 'max-turns')
  const wants = flag(args, 'checks') || flag(args, 'checks-only')
  const { watch } = await import('./review/watch.ts')
  const { runReview } = await import('../../internal/host/review-run.ts')
  const isStream = flag(args, 'stream-json')
  if (isStream && str(args, 'output') !== undefined)
    throw new UserError('--stream-json and --output exclude each other', {
      hint: 'the last event holds the review',
    })
  const stream = isStream ? streamEvents(io) : undefined
  const shown = watch(io, flag(args, 'quiet') || isStream)
  const reviewed = await runReview({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    mode: (approval === 'yolo' ? 'unrestricted' : approval) as Mode,
    addDirs: list(args, 'add-dir'),
    terminal: undefined,
    caps: {
      ...(tokens !== undefined && { tokens }),
      ...(usd !== undefined && { usd }),
      ...(timeout !== undefined && { deadline: Date.now() + timeoutMs }),
    },
    ...given('model', str(args, 'model')),
    ...(tools.length > 0 && { tools }),
    order: {
      reviewer: !flag(args, 'checks-only'),
      checks: wants ? 'changes' : 'none',
      timeoutMs,
      ...given('base', str(args, 'base')),
      ...given('profile', str(args, 'profile')),
      ...given('maxTurns', maxTurns),
      ...(focus !== '' && { focus }),
    },
    show: (draft) => {
      shown.event(draft)
      stream?.add(draft)
    },
    note: shown.note,
  })
  const { finish } = await import('./review/finish.ts')
  stream?.add({ type: 'run.ended', status: reviewed.end, payload: { ...reviewed } })
  const format = isStream ? 'none' : (str(args, 'output') ?? 'text')
  return finish(reviewed, { format, failOn: str(args, 'fail-on') }, io)
}

/** Prints drafts as the events of one run. */
function streamEvents(io: Io) {
  const run = id('run')
  let seq = 0
  return {
    add(draft: Draft) {
      io.stdout.write(
        `${JSON.stringify({ ...draft, id: ulid(), run_id: run, seq: ++seq, ts: Date.now() })}\n`,
      )
    },
  }
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
