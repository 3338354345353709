// A session that an editor has open: its events go to the editor, the editor's requests go to the session.
import type { ContentBlock, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { FailureError, UserError } from '../base/errors.ts'
import { createUlid } from '../base/ids.ts'
import type { SessionEvent } from '../session/client.ts'
import type { SessionCommand } from '../session/commands.ts'
import type { ChosenSettings } from '../session/snapshot.ts'
import { emptyView } from '../session/view/session-view.ts'
import type { AcpSessionParts, AcpSessionState } from './acp-session-state.ts'
import { askUserOfClient, closeQuestions } from './open-questions.ts'
import { beginTurn, readTurnEvent } from './prompt-turn.ts'
import { listConfigOptions, listModes } from './session-options.ts'
import { createUpdateFold } from './session-updates.ts'
import { listEditorCommands } from './slash-commands.ts'

export interface AcpSession {
  readonly id: string
  /** Real path of the workspace. */
  readonly workspace: string
  /** Sends the editor its list of slash commands. Never rejects. */
  offerCommands(): Promise<void>
  settings(): ReturnType<typeof sessionSettings>
  /**
   * Resolves with the stop reason of the prompt's run or slash command, also for a cancelled or denied
   * prompt. Rejects with RequestError if the session does not accept the prompt, if the run fails, and while
   * another prompt is running.
   */
  prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse>
  cancel(): Promise<void>
  /**
   * Resolves when the session has accepted the command and confirmed the change, or without a confirmation
   * after 2 seconds. Rejects with UserError if the session refuses the command, such as for an unknown value.
   */
  change(command: SessionCommand): Promise<void>
  close(): Promise<void>
}

/**
 * Follows an opened session for its editor. With `isReplayed`, the editor receives the updates of all past
 * events before this resolves.
 */
export async function openAcpSession(parts: AcpSessionParts, isReplayed: boolean): Promise<AcpSession> {
  const { opened, peer, capabilities } = parts
  const { client, workspace, profiles, notes } = opened
  const id = client.thread
  const fold = createUpdateFold(emptyView(id), workspace, {
    notices: Boolean(capabilities?.session?.notices),
    compaction: Boolean(capabilities?.session?.compaction),
    terminals: parts.terminals,
  })
  const stop = new AbortController()
  const state: AcpSessionState = {
    ...parts,
    id,
    view: () => fold.view,
    async notify(update) {
      if (stop.signal.aborted) return
      await peer.notify('session/update', { sessionId: id, update }).catch(() => stop.abort())
    },
    send: (command) => client.sendCommand({ id: createUlid(), ...command }),
    choices: { profiles, models: [], skills: [] },
    questions: new Map(),
    turn: undefined,
    watchers: new Set(),
    stop,
  }
  parts.terminals.notify = (update) => void state.notify(update)
  const following = followSession(state, fold, isReplayed ? 0 : client.openedAt)
  await following.begun
  for (const text of notes) for (const update of tellNote(text)) await state.notify(update)
  void offerModels(state)
  return {
    id,
    workspace,
    offerCommands: () => offerCommands(state),
    settings: () => sessionSettings(state),
    prompt: (blocks) => beginTurn(state, blocks),
    async cancel() {
      if (state.turn) state.turn.isCancelled = true
      state.turn?.stop?.()
      await state.send({ type: 'interrupt' })
    },
    change: (command) => changeSetting(state, command),
    async close() {
      state.turn?.stop?.()
      stop.abort()
      closeQuestions(state)
      await following.ended
      await client.detach()
      await opened.service.close()
    },
  }
}

const tellNote = (text: string): SessionUpdate[] => [
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `note: ${text}\n` } },
]

function sessionSettings(state: AcpSessionState) {
  const view = state.view()
  return { modes: listModes(view, state.choices), configOptions: listConfigOptions(view, state.choices) }
}

/**
 * Sends the editor the session's options with the usable models; sends nothing if the models cannot be
 * listed. The search for models may call servers on this machine, so the session does not wait for it.
 */
async function offerModels(state: AcpSessionState): Promise<void> {
  try {
    const { models } = await state.opened.service.readChoices()
    const usable = models.filter(({ unusable }) => unusable === undefined)
    state.choices = { ...state.choices, models: usable.map(({ name, about }) => ({ name, about })) }
    const { configOptions } = sessionSettings(state)
    await state.notify({ sessionUpdate: 'config_option_update', configOptions })
  } catch {
    // if the models cannot be listed, the editor offers only the model in use
  }
}

async function offerCommands(state: AcpSessionState): Promise<void> {
  try {
    state.choices = { ...state.choices, skills: (await state.opened.service.listSkills?.()) ?? [] }
  } catch {
    // if the skills cannot be listed, the session's own commands are still offered
  }
  const availableCommands = listEditorCommands(state.choices.skills)
  await state.notify({ sessionUpdate: 'available_commands_update', availableCommands })
}

type UpdateFold = ReturnType<typeof createUpdateFold>

/**
 * Follows the session's events. `begun` resolves after the past events were read, or when the events end
 * before that. `ended` resolves after the last update.
 */
function followSession(state: AcpSessionState, fold: UpdateFold, after: number) {
  let begin: () => void = () => undefined
  const startPromise = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { client } = state.opened
  const follow = async () => {
    let isPast = true
    let from = after
    for (;;) {
      try {
        for await (const event of client.readEvents(from, state.stop.signal)) {
          const settings = settingsKey(fold.view)
          for (const update of fold.take(event, isPast)) {
            await state.notify(update)
            state.terminals.noteSent(update)
          }
          if (!isPast && settings !== settingsKey(fold.view)) await tellSettings(state)
          if (!isPast) await readTurnEvent(state, event)
          if (!isPast) askUserOfClient(state, event)
          if (event.type === 'session.snapshot') isPast = false
          for (const watch of state.watchers) watch(event)
          if (event.type === 'session.snapshot') begin()
          else from = event.pos ?? from
        }
        return
      } catch (error) {
        // a slow editor misses events of the stream; they are read again from the stored thread
        if (!(error instanceof FailureError && error.failure.code === 'lagged')) throw error
      }
    }
  }
  const endPromise = follow()
    .catch(() => undefined)
    .finally(() => {
      begin()
      state.turn?.finish({ kind: 'closed' })
    })
  return { begun: startPromise, ended: endPromise }
}

const settingsKey = ({ profile, model, mode }: ChosenSettings) => JSON.stringify([profile, model.id, mode])

async function tellSettings(state: AcpSessionState): Promise<void> {
  const { modes, configOptions } = sessionSettings(state)
  await state.notify({ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId })
  await state.notify({ sessionUpdate: 'config_option_update', configOptions })
}

/**
 * Milliseconds to wait for the event that confirms a changed setting. If it arrives later, the editor's
 * request is already answered, and an update reports the change.
 */
const maxChangeMs = 2_000

async function changeSetting(state: AcpSessionState, command: SessionCommand): Promise<void> {
  let watch: (event: SessionEvent) => void = () => undefined
  const confirmation = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxChangeMs)
    watch = (event) => {
      if (event.type !== 'session.changed') return
      clearTimeout(timer)
      resolve()
    }
    state.watchers.add(watch)
  })
  try {
    const reply = await state.send(command)
    if (!reply.ok) throw new UserError(reply.message, { hint: reply.hint })
    await confirmation
  } finally {
    state.watchers.delete(watch)
  }
}
