// Settings that the user can choose in a session: profile, model, mode, effort, directories and tools.
import type { Budget } from '../../agent/budget.ts'
import { refuseFileModel } from '../../base/text/file-model.ts'
import { isLateModel } from '../../model/choice/late-model.ts'
import { efforts } from '../../model/effort.ts'
import type { Effort } from '../../model/model.ts'
import type { Mode } from '../../policy/level.ts'
import type { Profile } from '../../profile/profile.ts'
import { resolveAddedDir } from '../../runtime/session-policy.ts'
import type { ToolsetRequest } from '../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'
import type { SessionWishes } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { closeView } from '../../session/view/fold-run.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { chooseSessionAgent, type SessionAgent } from './session-agent.ts'
import type { SessionFeedView } from './session-feed-view.ts'
import { checkSessionModel } from './session-tools.ts'

/** Limits of a session. `within` applies to all its runs together, `maxTurns` to each run. */
export interface RunLimits {
  within?: Budget
  maxTurns?: number
}

interface StartSettings {
  agent: SessionAgent
  toolset: ToolsetRequest
  tools: readonly string[] | undefined
  limits: RunLimits
  effort: Effort | undefined
  addedDirs: readonly string[]
}

export class AgentSettings {
  agent: SessionAgent
  /** Effort of the model; undefined means the effort of the profile. */
  effort: Effort | undefined
  /** Directories that the user added during the session, as real paths. */
  addedDirs: readonly string[]
  readonly toolset: ToolsetRequest
  readonly tools: readonly string[] | undefined
  readonly limits: RunLimits
  readonly #context: WorkspaceContext
  readonly #feed: SessionFeedView

  constructor(context: WorkspaceContext, feed: SessionFeedView, start: StartSettings) {
    this.#context = context
    this.#feed = feed
    this.agent = start.agent
    this.toolset = start.toolset
    this.tools = start.tools
    this.limits = start.limits
    this.effort = start.effort
    this.addedDirs = start.addedDirs
  }

  /** The profile of the next run, with the chosen effort. */
  get profile(): Profile {
    const { profile } = this.agent
    return this.effort === undefined ? profile : { ...profile, effort: efforts.indexOf(this.effort) }
  }

  setMode(mode: Mode): void {
    this.agent = { ...this.agent, mode }
  }

  /**
   * Changes the profile or the model from the next run on. Returns a note for the user, if any. Throws
   * UserError for an unknown profile or model, and for a model that the session cannot use.
   */
  async chooseAgent(
    command: Extract<SessionCommand, { type: 'set_profile' | 'set_model' }>,
  ): Promise<string | undefined> {
    const { profile, mode, isNamed, model } = this.agent
    const knownModels = [model.id, this.#context.loaded.config.model]
    if (command.type === 'set_model' && !knownModels.includes(command.model))
      refuseFileModel(command.model, 'a running session')
    const notes: string[] = []
    const before = { profile: profile.name, model: isNamed ? model.id : undefined }
    const choice = command.type === 'set_profile' ? { profile: command.name } : { model: command.model }
    const currentModel = command.type === 'set_profile' && isNamed ? { model: model.id } : {}
    const request = { before, mode, ...currentModel, ...choice }
    const agent = await chooseSessionAgent(this.#context, request, (text) => notes.push(text))
    checkSessionModel(this.toolset, agent.model)
    this.agent = agent
    return notes[0]
  }

  /**
   * Adds a directory, which then has the permissions of the workspace. Returns its real path; `isNew`
   * is false if it was added before. Throws UserError if the path is not an existing directory, or
   * belongs to Anode.
   */
  async addDirectory(path: string): Promise<{ dir: string; isNew: boolean }> {
    const dir = resolveAddedDir(this.#context.workspace, path, this.#context.env, '')
    const isNew = !this.addedDirs.includes(dir)
    if (isNew) this.addedDirs = [...this.addedDirs, dir]
    return { dir, isNew }
  }

  /**
   * Shows the profile, model and mode of this process in the view of the session. All other parts of the view
   * are computed from the record.
   */
  showAgent(): void {
    const { profile, mode, model } = this.agent
    const view = { ...closeView(this.#feed.view), profile: profile.name, mode }
    this.#feed.view = withModel(view, model, isLateModel(model))
  }

  /**
   * If the model server has not sent data about the model (such as its context window) yet, shows them to all
   * clients once they arrive.
   */
  followModel(): void {
    const { model } = this.agent
    if (!isLateModel(model)) return
    void model.opened.then(() => {
      if (this.agent.model === model) this.#feed.change((view) => withModel(view, model, false))
    })
  }

  /**
   * Resolves when the model server has sent data about the model, because a run needs the size of
   * the context window.
   */
  async awaitModel(): Promise<void> {
    const { model } = this.agent
    if (isLateModel(model)) await model.opened
  }

  /**
   * Returns the settings for another process. It selects the model again, unless the user, the profile or the
   * configuration names one.
   */
  wishes(): SessionWishes {
    const { profile, model, mode, isNamed } = this.agent
    return { profile: profile.name, mode, toolset: this.toolset, model: isNamed ? model.id : undefined }
  }
}

function withModel(
  view: SessionView,
  { id, kind, window }: SessionAgent['model'],
  isOpening: boolean,
): SessionView {
  const { window: _, ...context } = view.context
  return {
    ...view,
    model: { id, kind: kind === 'rules' ? 'rules' : 'language', isOpening: isOpening || undefined },
    context: isOpening ? context : { ...context, window },
  }
}
