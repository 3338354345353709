// Profile and model of a session: as asked, else as the thread last used them, else as configured.

import type { Model } from '../../model/model.ts'
import type { Mode } from '../../policy/level.ts'
import type { Profile } from '../../profile/profile.ts'
import { findProfile } from '../../profile/profile-lookup.ts'
import { loadWorkspaceProfiles, type WorkspaceContext } from '../../runtime/workspace/workspace.ts'

export interface SessionAgent {
  profile: Profile
  model: Model
  mode: Mode
  /** Somebody has named the model; one that only quotes is else good for questions alone. */
  isNamed: boolean
}

interface AgentRequest {
  profile?: string
  model?: string
  mode: Mode
  /** As the thread was last used. */
  before?: { profile?: string; model?: string }
}

const noModelNote = 'no language model is set up: answers are quotations; /model sets one up'

/** Throws UserError for what is not there; `note` is told of a model that nobody has asked for. */
export async function chooseSessionAgent(
  context: WorkspaceContext,
  { profile: name, model: wanted, mode, before = {} }: AgentRequest,
  note: (text: string) => void,
): Promise<SessionAgent> {
  const { config } = context.loaded
  const profiles = await loadWorkspaceProfiles(context)
  const profile = findProfile(profiles, name ?? before.profile ?? config.profile)
  const own = name === undefined ? before.model : undefined
  const spec = wanted ?? own ?? profile.model
  const { pickNotedModel } = await import('../../model/model-choice.ts')
  const where = { env: context.env, cwd: context.workspace, config }
  const model = await pickNotedModel(spec, { ...where, isLimitAwaited: false }, () => note(noModelNote))
  const isNamed = (wanted ?? profile.model ?? config.model) !== undefined
  return { profile, model, mode, isNamed }
}

/** Why this message is nothing for the model that answers; undefined when it can be given to it. */
export async function findModelObstacle(agent: SessionAgent, text: string): Promise<string | undefined> {
  if (agent.model.kind !== 'rules' || agent.isNamed) return undefined
  const { isWorkspaceQuestion } = await import('../../text-analysis/workspace-question.ts')
  if (isWorkspaceQuestion(text)) return undefined
  return `${agent.model.id} answers questions about the files with quotations; this needs a language model`
}
