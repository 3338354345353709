// Models during `anode harness`: their requests are recorded, or answered from the recording.
import { appendFileSync, readFileSync } from 'node:fs'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import type { Model } from './model.ts'
import { allKeys, type ProviderSettingsTable } from './provider-endpoint.ts'
import { type RecordedReply, type ReplayCounts, readReplies, recordModel, replayReplies } from './replay.ts'
import { withStoredKeys } from './stored-keys.ts'

/**
 * The recording of model responses, or their replay from a file, that all models of a process use. Only the
 * command `anode harness` starts one.
 */
export interface ModelTape {
  mode: 'record' | 'replay'
  /** Absolute path of the file that stores the recorded responses. */
  file: string
}

/** A line of the recording that stores which model was opened for a model name in the command. */
interface PickedLine {
  /** Name in the command; null if it named none. */
  picked: string | null
  model: Pick<Model, 'id' | 'kind' | 'window' | 'note' | 'rates' | 'takesDocuments'>
  notice?: string
}

/** A line of the recording that stores the error for a model name that could not be opened. */
interface RefusedLine {
  picked: string | null
  refused: { message: string; hint?: string; exit: number }
}

export interface PickedModel {
  model: Model
  /** Notice for standard error, if `builtin/extract` was chosen because no other model is configured. */
  notice?: string
}

interface TapeOptions {
  env: EnvironmentVariables
  cwd: string
  config?: { readonly providers?: ProviderSettingsTable | undefined }
}

/**
 * Returns the model `spec`, or the default one. To record, `pick` opens it; its responses and failures, and a
 * UserError of `pick`, are appended to the file, and errors of `pick` are passed on. A replay never calls
 * `pick`, and throws UserError if the recording has no such model or refused the name.
 */
export async function pickTapedModel(
  { mode, file }: ModelTape,
  spec: string | undefined,
  { env, cwd, config }: TapeOptions,
  pick: () => Promise<PickedModel>,
): Promise<PickedModel> {
  if (mode === 'replay') return replayPicked(file, spec, cwd)
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  const picked = await pick().catch((error: unknown) => {
    if (error instanceof UserError) {
      const { message, hint, exit } = error
      write({ picked: spec ?? null, refused: { message, hint, exit } })
    }
    throw error
  })
  const { model, notice } = picked
  const { id, kind, window, note, rates, takesDocuments } = model
  const line: PickedLine = {
    picked: spec ?? null,
    model: { id, kind, window, note, rates, takesDocuments },
    notice,
  }
  write(line)
  const keys = allKeys(withStoredKeys(env), config?.providers ?? {})
  return { ...picked, model: recordModel(model, { file, cwd, keys, isWhole: true }) }
}

/**
 * The recordings that this process replays, by file. All models share the responses and counts of one file,
 * so that equal requests get their responses in recorded order.
 */
const opened = new Map<string, { replies: RecordedReply[]; counts: ReplayCounts }>()

function replayPicked(file: string, spec: string | undefined, cwd: string): PickedModel {
  const all = readPicked(file)
  const lines = all.filter((line) => 'model' in line)
  // The line is found by the model name in the command. A process that the command started may use the id of
  // the model as the name, so that is tried next.
  const pickedLine =
    lines.find(({ picked }) => picked === (spec ?? null)) ?? lines.find(({ model }) => model.id === spec)
  const refused = all.find((line) => 'refused' in line && line.picked === (spec ?? null)) as
    | RefusedLine
    | undefined
  if (!pickedLine && refused) {
    const { message, ...more } = refused.refused
    throw new UserError(message, more)
  }
  if (!pickedLine)
    throw new UserError(`the recording has no model ${spec ?? 'for this command'}`, {
      hint: 'record the command anew: anode harness record -- …',
    })
  const { replies, counts } = opened.get(file) ?? { replies: readReplies(file, cwd), counts: new Map() }
  opened.set(file, { replies, counts })
  // each agent of a command may work in its own directory, as in the recording
  const stream = replayReplies(file, replies, cwd, { replayCounts: counts, model: pickedLine.model.id })
  return { model: { ...pickedLine.model, stream }, notice: pickedLine.notice }
}

function readPicked(file: string): (PickedLine | RefusedLine)[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('{"picked"') ? [JSON.parse(line) as PickedLine | RefusedLine] : []))
}
