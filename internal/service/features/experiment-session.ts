// Opener of the experiments of a workspace for an agent. Files that permission rules forbid to
// read stay hidden.
import { closedPaths } from '../../policy/closed-paths.ts'
import type { Policy } from '../../policy/policy.ts'
import { openResearch } from '../../research/engine.ts'
import type { ResearchSession } from '../../research/session.ts'

type ExperimentOptions = Omit<Parameters<typeof openResearch>[0], 'closed'>

/**
 * Opens the experiments. `policy` decides which files are hidden from the agent's commands; without it,
 * all files are visible. Throws UserError for an unusable repository, and FailureError `not_found` for
 * a missing directory.
 */
export async function openExperimentSession(
  options: ExperimentOptions,
  policy: Policy | undefined,
): Promise<ResearchSession> {
  return openResearch({ ...options, closed: policy && closedPaths(policy) })
}
