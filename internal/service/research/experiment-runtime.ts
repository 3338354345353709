// Opener of the experiments of a workspace for one command. When it closes, all started processes end.
import { dataDir } from '../../base/dirs.ts'
import { closedPaths } from '../../policy/closed-paths.ts'
import { openResearch } from '../../research/engine.ts'
import type { ProgressListener } from '../../research/progress.ts'
import type { ResearchOptions, ResearchSession } from '../../research/session.ts'
import { mergeSettings, type SessionSettings } from '../../research/settings.ts'
import { readWorkspaceConfig } from '../../research/workspace-config.ts'
import { cleanUpDeadRuns } from '../../runtime/crash-recovery.ts'
import { openProcesses } from '../../runtime/processes/session-processes.ts'
import { buildPolicy } from '../../runtime/session-policy.ts'
import { openProcessTracing } from '../../runtime/tracing/process-tracing.ts'
import { readWorkspaceContext, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { traceExperiments } from './experiment-tracing.ts'

export interface ExperimentOptions {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Name of a session. Default: the active session. */
  session?: string
  tell?: ProgressListener
  note(text: string): void
}

/** The open experiment session of a command, with its options. */
export interface ExperimentRuntime {
  research: ResearchSession
  options: ExperimentOptions
}

export async function withExperiments<T>(
  options: ExperimentOptions,
  use: (runtime: ExperimentRuntime) => Promise<T>,
): Promise<T> {
  return withResearchPlace(options, async (place, context, closers) => {
    const research = await openResearch(place)
    return use({ research: await withTraces(research, context, closers), options })
  })
}

/**
 * Runs `use` with the options for measurements in the workspace, such as the process runner and the paths to
 * hide. Ends the started processes afterwards. First cleans up after runs whose process has died.
 */
export async function withResearchPlace<T>(
  options: ExperimentOptions,
  use: (
    place: ResearchOptions,
    context: WorkspaceContext,
    closers: (() => void | Promise<void>)[],
  ) => Promise<T>,
): Promise<T> {
  const { cwd, env, signal, session, tell } = options
  const data = dataDir(env)
  for (const note of await cleanUpDeadRuns(data)) options.note(note)
  const context = await readWorkspaceContext(cwd, env)
  const closers: (() => void | Promise<void>)[] = []
  const { run } = openProcesses(context, undefined, closers)
  const closed = closedPaths(buildPolicy({ mode: 'ask', addDirs: [], env }, context, undefined))
  const { trusted } = context
  try {
    return await use({ cwd, data, env, run, trusted, signal, closed, session, tell }, context, closers)
  } finally {
    for (const close of closers) await close()
  }
}

/** Adds traces if tracing is configured. */
async function withTraces(
  research: ResearchSession,
  context: WorkspaceContext,
  closers: (() => void | Promise<void>)[],
): Promise<ResearchSession> {
  if (!context.env.OTEL_EXPORTER_OTLP_ENDPOINT) return research
  return traceExperiments(research, openProcessTracing(context, closers))
}

/**
 * Merges the settings of the workspace with `requestedSettings`, which has precedence. The gate, which
 * decides whether a result counts as better, is `paired` by default.
 */
export function withWorkspaceSettings<T extends Partial<SessionSettings>>(
  workspace: string,
  requestedSettings: T,
) {
  return mergeSettings({ gate: 'paired', ...readWorkspaceConfig(workspace) }, requestedSettings)
}
