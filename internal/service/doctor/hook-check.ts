// Overview of the hooks in force, and a trial run of them with a simulated event.
import type { FileDiagnostic } from '../../base/diagnostic.ts'
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { type HookCommand, hookEvents, isHookEvent, toolEvents } from '../../hook/hook.ts'
import { bindHooks } from '../../hook/hook-runner.ts'
import { loadHooks } from '../../hook/hooks-file.ts'
import { openProcesses } from '../../runtime/processes/session-processes.ts'
import { loadNativeEntries } from '../../runtime/tools/tool-registry.ts'
import {
  listHookFiles,
  readWorkspaceContext,
  type WorkspaceContext,
  workspaceHooksFile,
} from '../../runtime/workspace/workspace.ts'
import { folderSandbox } from '../../tool-support/command-sandbox.ts'
import { findStrayHooks } from './stray-hooks.ts'

interface HookTarget {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

interface HookOverview {
  hooks: readonly HookCommand[]
  /** Problems of the files. A diagnostic of severity `error` prevents every run. */
  diagnostics: readonly FileDiagnostic[]
}

/** Reads the hooks of the user and of a trusted workspace, without starting any. */
export async function listHooks({ cwd, env }: HookTarget): Promise<HookOverview> {
  return await readHooks(await readWorkspaceContext(cwd, env))
}

async function readHooks(context: WorkspaceContext): Promise<HookOverview> {
  const tools = (await loadNativeEntries()).map(({ name }) => name)
  const { hooks, diagnostics } = await loadHooks(listHookFiles(context), tools)
  const stray = findStrayHooks(context).map((where): FileDiagnostic => {
    const message = 'is not read; move it to .anode/hooks.json, or next to your configuration'
    return { severity: 'warning', where, message }
  })
  return { hooks, diagnostics: [...diagnostics, ...stray] }
}

interface HookTrial {
  hook: HookCommand
  /**
   * The reason for which the event is refused; undefined if the hook does not refuse it, or if such an event
   * cannot be refused.
   */
  denied: string | undefined
  warnings: string[]
  ms: number
}

/**
 * A simulated event. PreToolUse and PostToolUse need `tool`, and their `fields` are the arguments of the
 * tool. For other events, `fields` are those of the event.
 */
interface HookTrialRequest {
  event: string
  tool?: string | undefined
  fields: Readonly<Record<string, unknown>>
}

/**
 * Runs each matching hook of an event in order, even after a hook has refused, but not the call of the
 * tool. Throws UserError for an unknown event, for PreToolUse or PostToolUse without a tool, and for an
 * invalid hooks file.
 */
export async function tryHooks(
  { cwd, env, signal }: HookTarget & { signal: AbortSignal },
  { event, tool, fields }: HookTrialRequest,
): Promise<HookTrial[]> {
  if (!isHookEvent(event)) {
    const hint = suggestNames(event, hookEvents) || `known events: ${hookEvents.join(', ')}`
    throw new UserError(`unknown event "${event}"`, { hint })
  }
  if (toolEvents.has(event) && tool === undefined)
    throw new UserError(`${event} needs a tool`, { hint: `add --tool, for example --tool bash` })
  const context = await readWorkspaceContext(cwd, env)
  const { hooks, diagnostics } = await readHooks(context)
  const broken = diagnostics.find(({ severity }) => severity === 'error')
  if (broken)
    throw new UserError(`${broken.where}: ${broken.message}`, {
      hint: 'correct or remove this entry; `anode hooks list` shows all problems',
    })
  const closers: (() => void | Promise<void>)[] = []
  const { run } = openProcesses(context, undefined, closers)
  const { workspace } = context
  const hooksFile = workspaceHooksFile(workspace)
  const trials: HookTrial[] = []
  try {
    for (const hook of hooks) {
      if (hook.event !== event || (tool !== undefined && hook.matches?.(tool) === false)) continue
      const warnings: string[] = []
      const host = {
        run,
        cwd: workspace,
        thread: undefined,
        signal,
        sandbox: (path: string) => (path === hooksFile ? folderSandbox(workspace) : undefined),
        warn: (message: string) => void warnings.push(message),
      }
      const since = performance.now()
      const payload = tool === undefined ? fields : { tool, args: fields }
      const answer = await bindHooks([hook], host).fire(event, payload)
      trials.push({ hook, denied: answer?.deny, warnings, ms: Math.round(performance.now() - since) })
    }
  } finally {
    for (const close of closers) await close()
  }
  return trials
}
