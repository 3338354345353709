// Profile and model of a session: from the user, otherwise from the thread, otherwise from the configuration.

import type { Model } from '../../model/model.ts'
import { pickNotedModel } from '../../model/model-choice.ts'
import type { Mode } from '../../policy/level.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfile } from '../../profile/profile-set.ts'
import { loadWorkspaceProfiles, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { isWorkspaceQuestion } from '../../text-analysis/workspace-question.ts'

export interface SessionAgent {
  profile: Profile
  model: Model
  mode: Mode
  /**
   * Whether the user, the profile or the configuration names the model. A built-in model, which only cites
   * passages of files, answers every message if it is named, otherwise only questions.
   */
  isNamed: boolean
}

interface AgentRequest {
  profile?: string
  model?: string
  mode: Mode
  /** Last profile and model of the thread. */
  before?: { profile?: string; model?: string }
}

const noModelNote = 'no language model is set up: answers are quotes; /model sets one up'

/**
 * Selects profile and model. Calls `note` if no language model is set up, so that answers can only cite
 * passages of files. Throws UserError for an unknown profile or model.
 */
export async function chooseSessionAgent(
  context: WorkspaceContext,
  { profile: name, model: requestedModel, mode, before = {} }: AgentRequest,
  note: (text: string) => void,
): Promise<SessionAgent> {
  const { config } = context.loaded
  const profiles = await loadWorkspaceProfiles(context)
  const profile = findProfile(profiles, name ?? before.profile ?? config.profile)
  const earlierModel = name === undefined ? before.model : undefined
  const spec = requestedModel ?? earlierModel ?? profile.model
  const where = { env: context.env, cwd: context.workspace, config }
  const model = await pickNotedModel(spec, { ...where, isLimitAwaited: false }, () => note(noModelNote))
  const isNamed = (requestedModel ?? profile.model ?? config.model) !== undefined
  return { profile, model, mode, isNamed }
}

/**
 * Returns the reason why the model cannot answer this message, or undefined if it can. A model that only
 * cites files answers only questions about files, unless the user, the profile or the configuration names it.
 */
export async function findModelObstacle(agent: SessionAgent, text: string): Promise<string | undefined> {
  if (agent.model.kind !== 'rules' || agent.isNamed) return undefined
  if (isWorkspaceQuestion(text)) return undefined
  return `${agent.model.id} answers questions about the files with quotes; this needs a language model`
}
