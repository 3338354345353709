// `anode research auto` and `aa`: a session made from the workspace's own words if there is none, a policy, the loop.
import { join, resolve } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import { readConfig } from '../../research/config.ts'
import type { RunLine } from '../../research/line.ts'
import { type AutoEnd, auto, type Limits } from '../../research/loop.ts'
import { readKnobs } from '../../research/policy/knobs.ts'
import { modelPolicy } from '../../research/policy/model.ts'
import { type Policy, randomPolicy, scriptedPolicy } from '../../research/policy/policy.ts'
import { readScript } from '../../research/policy/scripted.ts'
import type { Ran, Research, Started } from '../../research/session.ts'
import type { Settings } from '../../research/settings.ts'
import { type Experimenter, experimenter, requireModel } from './experimenter.ts'
import type { Laboratory } from './laboratory.ts'

export interface AutoOptions {
  /** `random`, `scripted:FILE` or `model`. */
  policy: string
  /** Absent: that of the session. */
  seed?: number
  limits: Limits
  parallel: number
  finalPairs: number
  agent: Omit<Experimenter, 'env' | 'cwd' | 'note'>
  logged(line: RunLine, ran: Ran | undefined): void
  /** Told when a session had to be made first. */
  started(started: Started): void
}

/** Throws UserError or FailureError before anything is measured when policy or session cannot be used. */
export async function runAuto({ research, options }: Laboratory, asked: AutoOptions): Promise<AutoEnd> {
  const { cwd, env, signal, note } = options
  const agent = { ...asked.agent, env, cwd, note }
  const open = policyOf(asked, agent)
  if (asked.policy === 'model') await requireModel(agent, signal)
  const started = await ensure(research, cwd)
  if (started) asked.started(started)
  const state = await research.state()
  if (state.active?.config.gate.kind === 'plain') {
    throw new UserError('auto needs the gate paired: a single sample decides nothing', {
      hint: 'Start a new segment with `anode research init --reset --gate paired`.',
    })
  }
  const policy = open(asked.seed ?? state.active?.config.seed ?? 1)
  const { limits, parallel, finalPairs, logged } = asked
  return auto(research, { policy, limits, parallel, finalPairs, signal, logged })
}

/** Files are read at once, so that a mistake in them is told before a baseline has been measured. */
function policyOf({ policy }: AutoOptions, agent: Experimenter): (seed: number) => Policy {
  const { cwd } = agent
  if (policy === 'random') {
    const knobs = readKnobs(join(cwd, '.auto', 'policy.json'), '.auto/policy.json')
    return (seed) => randomPolicy(knobs, seed)
  }
  if (policy === 'model') return () => modelPolicy(experimenter(agent), cwd)
  const file = /^scripted:(.+)$/s.exec(policy)?.[1]
  if (file === undefined) {
    throw new UserError(`--policy ${policy} is not known`, { hint: 'random, scripted:FILE or model' })
  }
  const script = readScript(resolve(cwd, file), file)
  return () => scriptedPolicy(script)
}

/** Makes a session from `.auto/config.json` when there is none. */
export async function ensure(research: Research, cwd: string): Promise<Started | undefined> {
  if ((await research.state()).active) return undefined
  return research.init(settingsOf(readConfig(cwd), {}))
}

/** What the workspace says and, above it, what was asked for. Throws FailureError `no_session` naming what is missing. */
export function settingsOf(config: Partial<Settings>, asked: Partial<Settings>): Settings {
  const all: Partial<Settings> = { gate: 'paired', ...config, ...asked }
  const { name, metric, direction } = all
  const missing = Object.entries({ name, metric, direction }).flatMap(([key, value]) =>
    value === undefined ? [key] : [],
  )
  if (name !== undefined && metric !== undefined && direction !== undefined)
    return { ...all, name, metric, direction }
  throw new FailureError({
    code: 'no_session',
    message: `no experiment session here, and nothing says its ${missing.join(', ')}`,
    hint: 'anode research init --name N --metric M --direction lower|higher --cmd C, or write .auto/config.json.',
  })
}
