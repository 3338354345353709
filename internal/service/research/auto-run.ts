// Run of `anode research auto`: it creates a session if none is active, opens the policy that proposes
// changes, and starts the loop of experiments.
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import { FailureError, UserError } from '../../base/errors.ts'
import { type AutoLimits, type AutoLoopResult, runAutoLoop } from '../../research/auto-loop.ts'
import type { RunLine, RunResult } from '../../research/ledger/experiment-run.ts'
import { readKnobFile } from '../../research/proposers/knobs.ts'
import { modelProposer } from '../../research/proposers/model-proposer.ts'
import { type Proposer, randomProposer, scriptedProposer } from '../../research/proposers/proposer.ts'
import { readScriptFile } from '../../research/proposers/scripted-proposals.ts'
import type { ResearchSession, StartedSession } from '../../research/session.ts'
import type { SessionSettings } from '../../research/settings.ts'
import { sessionHomeOf } from '../../research/workspace/session-home.ts'
import { readWorkspaceConfig } from '../../research/workspace-config.ts'
import type { ExperimentRuntime } from './experiment-runtime.ts'
import { createExperimenter, type ExperimenterOptions, requireLanguageModel } from './experimenter.ts'
import { type LoopControl, openLoopControl } from './loop-control.ts'

export interface AutoRunOptions {
  /** Policy that proposes changes to measure (candidates): `random`, `scripted:FILE` or `model`. */
  policy: string
  /** Seed of the policy. Default: the seed of the session, else 1. */
  seed?: number
  limits: AutoLimits
  parallel: number
  finalPairs: number
  agent: Omit<ExperimenterOptions, 'env' | 'cwd' | 'note'>
  logged(line: RunLine, ran: RunResult | undefined): void
  /** Called after a new session was created. */
  started(started: StartedSession): void
}

/**
 * Runs the loop of experiments. Throws UserError or FailureError before any measurement if the policy or the
 * session is unusable.
 */
export async function runAuto(
  { research, options }: ExperimentRuntime,
  autoOptions: AutoRunOptions,
): Promise<AutoLoopResult> {
  const { cwd, env, signal, note } = options
  const agent = { ...autoOptions.agent, env, cwd, note }
  const open = policyOf(autoOptions, agent)
  if (autoOptions.policy === 'model') await requireLanguageModel(agent, signal)
  const started = await ensureExperimentSession(research, cwd)
  if (started) autoOptions.started(started)
  const state = await research.state()
  if (state.active?.config.gate.kind === 'plain') {
    throw new UserError('auto needs repeated pairs of runs: a single sample decides nothing', {
      hint: 'Reset the experiment with `anode research init --reset --gate paired`.',
    })
  }
  const policy = open(autoOptions.seed ?? state.active?.config.seed ?? 1)
  const { limits, parallel, finalPairs, logged } = autoOptions
  const control = await openControl({ research, options }, autoOptions.policy)
  const { untilAllowed } = control
  try {
    return await runAutoLoop(research, { policy, limits, parallel, finalPairs, signal, untilAllowed, logged })
  } finally {
    await control.close()
  }
}

/** Writes a record of the loop, with which other processes can see, pause and stop it. */
async function openControl(runtime: ExperimentRuntime, policy: string): Promise<LoopControl> {
  const { env, cwd, note } = runtime.options
  const workspace = await realpath(cwd)
  const { session = '' } = await runtime.research.state()
  return openLoopControl(join(sessionHomeOf(dataDir(env), workspace), session), { workspace, policy }, note)
}

/**
 * Returns a function that creates the policy for proposals from a random seed. Reads the policy's files
 * immediately, so that an error in them is reported before the first measurement. Throws UserError for
 * an unknown policy.
 */
function policyOf({ policy }: AutoRunOptions, agent: ExperimenterOptions): (seed: number) => Proposer {
  const { cwd } = agent
  if (policy === 'random') {
    const knobs = readKnobFile(join(cwd, '.auto', 'policy.json'), '.auto/policy.json')
    return (seed) => randomProposer(knobs, seed)
  }
  if (policy === 'model') return () => modelProposer(createExperimenter(agent), cwd)
  const file = /^scripted:(.+)$/s.exec(policy)?.[1]
  if (file === undefined) {
    throw new UserError(`--policy ${policy} is not known`, { hint: 'random, scripted:FILE or model' })
  }
  const script = readScriptFile(resolve(cwd, file), file)
  return () => scriptedProposer(script)
}

/**
 * Creates a session from `.auto/config.json` and returns it. Returns undefined if a session is already
 * active. Throws FailureError `no_session` if required settings are missing.
 */
export async function ensureExperimentSession(
  research: ResearchSession,
  cwd: string,
): Promise<StartedSession | undefined> {
  if ((await research.state()).active) return undefined
  return research.init(completeSettings(readWorkspaceConfig(cwd)))
}

/**
 * Returns the settings of the workspace, with the gate `paired` unless they set another. Throws FailureError
 * `no_session` if name, metric or direction is missing.
 */
export function completeSettings(config: Partial<SessionSettings>): SessionSettings {
  const { name, metric, direction } = config
  const missing = Object.entries({ name, metric, direction }).flatMap(([key, value]) =>
    value === undefined ? [key] : [],
  )
  if (name !== undefined && metric !== undefined && direction !== undefined)
    return { gate: 'paired', ...config, name, metric, direction }
  throw new FailureError({
    code: 'no_session',
    message: `no experiment session here, and nothing says its ${missing.join(', ')}`,
    hint:
      'anode research init --name N --metric M --direction lower|higher --cmd C, or write ' +
      '.auto/config.json.',
  })
}
