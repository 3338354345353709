// The command `anode research auto`, which proposes and measures changes, usually until a limit or until
// nothing is left to propose. It then measures the best kept change again.

import { cpus } from 'node:os'
import { messageOf, UserError } from '../../../internal/base/errors.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { AutoLimits, AutoLoopResult, AutoStopReason } from '../../../internal/research/auto-loop.ts'
import type { RunLine } from '../../../internal/research/ledger/experiment-run.ts'
import { formatRunLine } from '../../../internal/research/report/format.ts'
import { buildOverview } from '../../../internal/research/report/overview.ts'
import { finalWords } from '../../../internal/research/report/status-lines.ts'
import type { ResearchState } from '../../../internal/research/session.ts'
import { runAuto } from '../../../internal/service/research/auto-run.ts'
import type { ExperimentRuntime } from '../../../internal/service/research/experiment-runtime.ts'
import { findResearchId } from '../../../internal/service/research/research-boards.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { allowModelSwitch, positiveArg, readNumber } from '../flags.ts'
import { writeText } from '../io/streams.ts'
import { announcePage, pageOption } from '../serve/announced-page.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, stringArg, type Verb } from '../verb.ts'
import { startedLines } from './init.ts'
import { openNarrator } from './progress-narrator.ts'
import { seedOption, sessionOptions, withResearch } from './session-access.ts'

export const auto: Verb = {
  name: 'research auto',
  summary: 'Let a policy propose experiments until a limit, then measure the result',
  usage: 'research auto --policy random|scripted:FILE|model [flags]',
  options: {
    policy: { type: 'string', describe: 'random (.auto/policy.json), scripted:FILE or model', value: 'P' },
    'max-runs': {
      type: 'number',
      describe: 'Stop after this many runs, the baseline included (default 25)',
      value: 'N',
    },
    patience: {
      type: 'number',
      describe: 'Stop after this many in a row that are not kept; 0: never',
      default: 20,
      value: 'N',
    },
    deadline: {
      type: 'string',
      describe: 'Begin no run after this time, such as 90s, 20m or 8h',
      value: 'D',
    },
    parallel: {
      type: 'number',
      describe: 'Candidates made at the same time (default: number of processors)',
      value: 'K',
    },
    pairs: { type: 'number', describe: 'Fresh pairs of the final measurement', default: 20, value: 'N' },
    seed: seedOption,
    model: { type: 'string', describe: 'Model of the agents that propose', value: 'MODEL' },
    'allow-model-switch': allowModelSwitch,
    profile: { type: 'string', describe: 'Profile of the agents that propose', value: 'NAME' },
    'max-turns': { type: 'number', describe: 'Replies of the model for one experiment', value: 'N' },
    timeout: { type: 'string', describe: 'Stop an agent after this time (default 20m)', value: 'D' },
    'budget-usd': {
      type: 'number',
      describe: 'Stop when the estimated cost of proposing reaches this many US dollars',
      value: 'USD',
    },
    'budget-tokens': {
      type: 'number',
      describe: 'Stop when proposing has used this many tokens',
      value: 'N',
    },
    serve: pageOption,
    ...sessionOptions,
  },
  examples: [
    ['anode research auto --policy random --seed 7 --max-runs 14', 'Knobs of .auto/policy.json; no model'],
    ['anode research auto --policy model --deadline 8h --budget-usd 5', 'Overnight'],
  ],
  run: runSearch,
}

const defaultRuns = 25
const defaultTimeout = 20 * 60_000

const codes: Readonly<Record<AutoStopReason, number>> = {
  // The requested number of runs is complete, which counts as a success.
  max_runs: exitCodes.done,
  patience: exitCodes.limit,
  deadline: exitCodes.limit,
  budget: exitCodes.limit,
  exhausted: exitCodes.done,
  interrupted: 130,
  lock_violation: exitCodes.unverified,
  policy_failed: exitCodes.failed,
}

async function runSearch(args: CommandArgs, io: CommandIo): Promise<number> {
  const policy = stringArg(args, 'policy')
  if (policy === undefined)
    throw new UserError('--policy is missing', { hint: 'random, scripted:FILE or model' })
  const limits = limitsOf(args)
  const timeout = stringArg(args, 'timeout')
  const narrator = openNarrator(args, io)
  const print = (line: string) => {
    narrator.done()
    if (!flagArg(args, 'json')) io.stdout.write(`${sanitizeText(line)}\n`)
  }
  return withResearch(
    args,
    io,
    async (runtime) => {
      const { usd, tokens, deadline } = limits
      const announce = flagArg(args, 'serve') ? await announceSession(runtime, io) : () => undefined
      const end = await runAuto(runtime, {
        policy,
        limits,
        parallel: readNumber(args, 'parallel', 1) ?? cpus().length,
        finalPairs: readNumber(args, 'pairs', 20) ?? 20,
        seed: numberArg(args, 'seed'),
        agent: {
          caps: { usd, tokens, deadline },
          allowModelSwitch: flagArg(args, 'allow-model-switch'),
          timeoutMs: timeout === undefined ? defaultTimeout : parseDuration(timeout),
          model: stringArg(args, 'model'),
          profile: stringArg(args, 'profile'),
          maxTurns: readNumber(args, 'max-turns', 1),
        },
        started(started) {
          for (const line of startedLines(started)) print(line)
          announce()
        },
        logged: (line) => print(formatRunLine(line)),
      })
      narrator.done()
      const state = await runtime.research.state()
      if (flagArg(args, 'json')) await writeText(io.stdout, `${JSON.stringify(resultOf(end, state))}\n`)
      else for (const line of endLines(end, state)) print(line)
      return end.stopped === 'interrupted' ? Number(process.exitCode ?? 130) : codes[end.stopped]
    },
    narrator.tell,
  ).finally(narrator.done)
}

/**
 * Prints the URL of the session's page if the session exists. Returns a function to call after the session
 * was created, which prints the URL then.
 */
async function announceSession(runtime: ExperimentRuntime, io: CommandIo): Promise<() => void> {
  const announce = await announcePage(io)
  const show = async () => {
    const id = await findResearchId(runtime)
    if (id !== undefined) announce(`/research/${id}`)
  }
  await show()
  return () => void show().catch((error) => io.stderr.write(`note: ${messageOf(error)}\n`))
}

function limitsOf(args: CommandArgs): AutoLimits {
  const deadline = stringArg(args, 'deadline')
  const usd = positiveArg(args, 'budget-usd')
  const tokens = readNumber(args, 'budget-tokens', 1)
  return {
    maxRuns: readNumber(args, 'max-runs', 1) ?? defaultRuns,
    patience: readNumber(args, 'patience', 0) ?? 20,
    deadline: deadline === undefined ? undefined : Date.now() + parseDuration(deadline),
    usd,
    tokens,
  }
}

/** Returns the result of the loop as `--json` prints it. */
function resultOf({ stopped, detail, lines, cost, final }: AutoLoopResult, state: ResearchState) {
  const { session, active } = state
  const { effect } = final ?? {}
  const view = buildOverview(state)
  return {
    session,
    segment: active?.config.segment,
    stopped,
    detail,
    runs: lines.length,
    counts: active?.counts,
    baseline: active?.baseline && { value: active.baseline.value, floor_pct: active.baseline.floor_pct },
    best: active?.best && { run: active.best.run, value: active.best.value, commit: active.best.commit },
    final: effect
      ? { ...effectChange(effect), p: effect.p, pairs: effect.pairs, gain: view?.final?.gain ?? false }
      : null,
    cost,
    log: lines.map(toLogEntry),
  }
}

function toLogEntry({ run, status, reason, metric, effect, description }: RunLine) {
  return { run, status, reason, metric, ...effectChange(effect), description }
}

const effectChange = (effect: RunLine['effect']) => ({ pct: effect?.pct, ci: effect?.ci, unit: effect?.unit })

const words: Readonly<Record<AutoStopReason, string>> = {
  max_runs: 'all runs are used',
  patience: 'nothing was kept for too long (--patience)',
  deadline: 'the deadline has passed',
  budget: 'the budget is spent',
  exhausted: 'nothing is left to propose',
  interrupted: 'interrupted; run the same command again to continue',
  lock_violation: 'locked files do not stay as they are',
  policy_failed: 'nothing could be proposed or measured',
}

function endLines({ stopped, detail, final }: AutoLoopResult, state: ResearchState): string[] {
  const view = buildOverview(state)
  return [
    `stopped: ${words[stopped]}${detail === undefined ? '' : `: ${detail}`}`,
    ...(view && final
      ? [`final: ${finalWords(view)}`]
      : stopped === 'interrupted'
        ? []
        : ['nothing was kept']),
  ]
}
