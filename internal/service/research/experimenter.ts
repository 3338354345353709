// Agent of `--policy model`, which proposes a change by edits in a separate worktree. It can access neither
// the benchmark nor the ledger of results.

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BudgetCaps } from '../../agent/budget.ts'
import { UserError } from '../../base/errors.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import { findProfile, findProfileServing } from '../../profile/profile-set.ts'
import type { ProposerAgentResult, RunProposerAgent } from '../../research/proposers/model-proposer.ts'
import { experimentCost } from '../../research/report/cost.ts'
import { openRuntime } from '../../runtime/open-runtime.ts'
import { runHeadless } from '../../runtime/run/headless-run.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'
import { features } from '../features/index.ts'

export interface ExperimenterOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Directory to which a file in the model's name is relative, as in `script:FILE`. */
  cwd: string
  profile?: string
  model?: string
  /** True if the next model of a list is used when one fails. Default: only the first model is used. */
  allowModelSwitch?: boolean
  maxTurns?: number
  /** Limits of each experiment by the agent. `timeoutMs` can end it earlier. */
  caps: BudgetCaps
  /** Time limit of one experiment in milliseconds. */
  timeoutMs: number
  note(text: string): void
}

/**
 * Throws UserError (exit 2) before any measurement if no language model is configured for the policy `model`.
 */
export async function requireLanguageModel(
  { env, cwd, ...options }: ExperimenterOptions,
  signal: AbortSignal,
): Promise<void> {
  const runtime = await openRuntime({
    cwd,
    env,
    signal,
    features,
    mode: 'auto',
    addDirs: [],
    terminal: undefined,
  })
  try {
    const profiles = await runtime.profiles()
    const profile =
      options.profile === undefined
        ? findProfileServing(profiles, serves)
        : findProfile(profiles, options.profile)
    const { id } = await runtime.model(
      options.model ?? profile.model,
      () => undefined,
      !options.allowModelSwitch,
    )
    if (id !== 'builtin/extract') return
    throw new UserError('the policy model needs a language model, and none is configured', {
      hint:
        'Set a key, for example `export OPENAI_API_KEY=…` or `export ANTHROPIC_API_KEY=…`, or pass ' +
        '--model provider/model.',
    })
  } finally {
    await runtime.close()
  }
}

/** Name of the agent's task, by which its profile is selected. */
const serves = 'run_experiment'

/**
 * Creates the agent. The worktree is its workspace, so everything else is outside of it. Writes need no
 * approval there, and only commands that mode `auto` allows can run. No user is asked.
 */
export function createExperimenter(options: ExperimenterOptions): RunProposerAgent {
  const { env, cwd, caps, timeoutMs, note } = options
  const model = options.model?.replace(
    /^(script|replay):(.*)$/s,
    (_, kind, file) => `${kind}:${resolve(cwd, file)}`,
  )
  const noted = new Set<string>()
  let parent: Promise<string> | undefined
  return async ({ dir, prompt, locked, title, signal }): Promise<ProposerAgentResult> => {
    parent ??= openSearchThread(options)
    const { end, spent, thread, switches } = await runHeadless({
      parent: await parent,
      cwd: dir,
      env,
      features,
      signal,
      mode: 'auto',
      addDirs: [],
      terminal: undefined,
      rules: rulesFor(locked),
      prompt,
      isProgramPrompt: true,
      serves,
      isSwitchBarred: !options.allowModelSwitch,
      task: title,
      label: title,
      profile: options.profile,
      model,
      maxTurns: options.maxTurns,
      ask: async () => ({ allow: false, why: 'no user can approve calls during an experiment' }),
      caps: {
        ...caps,
        deadline: Math.min(caps.deadline ?? Number.POSITIVE_INFINITY, Date.now() + timeoutMs),
      },
      show: () => undefined,
      inbox: async () => [],
      // every experiment is a separate run, so a notice that applies to all of them is shown once
      note: (text) => {
        if (!noted.has(text)) note(text)
        noted.add(text)
      },
    })
    const reason =
      end.end === 'failed' ? `${end.reason}: ${end.message}` : 'reason' in end ? end.reason : undefined
    return {
      end: end.end,
      text: end.text,
      thread,
      cost: experimentCost(
        spent,
        switches.map(({ model }) => model),
      ),
      reason,
    }
  }
}

/**
 * Creates the thread for the usage of all experiments of one search, and resolves to its id. The thread has
 * no model, so no run can resume it.
 */
async function openSearchThread({ env, cwd }: ExperimenterOptions): Promise<string> {
  const init = { workspace: realpathSync(cwd), title: 'experiments of research auto', profile: 'research' }
  return withDataStore(env, (store) => store.threads.create(init).id)
}

/**
 * Returns the rules for an experiment. They allow writes in the worktree, except to locked files. They deny
 * every call on `.auto`, which contains the benchmark, and the tools that measure.
 */
function rulesFor(locked: readonly string[]): PermissionRule[] {
  const origin = 'experiment'
  const writes = ['edit_file', 'create_file', 'apply_patch']
  return [
    ...writes.map((tool): PermissionRule => ({ tool, action: 'allow', path: '**', origin })),
    { tool: '*', action: 'deny', path: '.auto', reason: 'it belongs to the judge', origin },
    { tool: '*_experiment', action: 'deny', reason: 'the engine measures', origin },
    ...locked.flatMap((path) =>
      writes.map((tool): PermissionRule => ({ tool, action: 'deny', path, reason: 'it is locked', origin })),
    ),
  ]
}
