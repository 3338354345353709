// Recordings of whole commands, from which a command can run again without a model: the command, the model
// responses, and the ids of its threads and studies.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { readJsonRecord, writeJsonRecord } from '../../base/files/json-record.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { createId } from '../../base/ids.ts'
import type { ModelTape } from '../../model/taped-model.ts'

/**
 * A recorded command. Its events are in the store, under the ids of its threads and studies. Its model
 * responses are in a file in the directory of the recording.
 */
export interface CommandRecording {
  id: string
  /** For a replay, the id of the recording whose responses were used. */
  of?: string
  /** The arguments after `anode`. */
  words: readonly string[]
  /** Real path of the working directory. */
  cwd: string
  /** Standard input of the command, unless it was a terminal. */
  input?: string
  /** Start of the command, in milliseconds since 1970. */
  started: number
  /**
   * End of the command, in milliseconds since 1970; undefined while the command runs, and if it was killed.
   */
  ended?: number
  exit?: number
  threads: readonly string[]
  studies: readonly string[]
}

const harnessDir = (env: EnvironmentVariables) => join(dataDir(env), 'harness')
const placeOf = (env: EnvironmentVariables, id: string) => join(harnessDir(env), id)

export async function beginRecording(
  env: EnvironmentVariables,
  about: Pick<CommandRecording, 'of' | 'words' | 'cwd' | 'input'>,
): Promise<CommandRecording> {
  makeDirectory(harnessDir(env), 0o700)
  const recording = { ...about, id: createId('rec'), started: Date.now(), threads: [], studies: [] }
  mkdirSync(placeOf(env, recording.id), { mode: 0o700 })
  await saveRecording(env, recording)
  if (!about.of) await writeFile(tapeOf(env, recording).file, '', { mode: 0o600 })
  return recording
}

export const saveRecording = (env: EnvironmentVariables, recording: CommandRecording): Promise<void> =>
  writeJsonRecord(join(placeOf(env, recording.id), 'command.json'), recording)

export const saveOutput = (
  env: EnvironmentVariables,
  { id }: CommandRecording,
  text: string,
): Promise<void> => writeFile(join(placeOf(env, id), 'output'), text, { mode: 0o600 })

export function readOutput(env: EnvironmentVariables, { id }: CommandRecording): string {
  const file = join(placeOf(env, id), 'output')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Returns the file to which a recording writes responses, or, for a replay, the file of
 * the replayed recording.
 */
export const tapeOf = (env: EnvironmentVariables, { id, of }: CommandRecording): ModelTape => ({
  mode: of === undefined ? 'record' : 'replay',
  file: join(placeOf(env, of ?? id), 'replies.jsonl'),
})

/** Returns all recordings and replays, oldest first. */
export function listRecordings(env: EnvironmentVariables): CommandRecording[] {
  const dir = harnessDir(env)
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.startsWith('rec_'))
    .sort()
    .flatMap((name) => readJsonRecord<CommandRecording>(join(dir, name, 'command.json')) ?? [])
}

/**
 * Returns the recording for an ID, a unique prefix or `last`, which is the latest recording that is not a
 * replay. Throws UserError for an unknown or ambiguous name.
 */
export function findRecording(env: EnvironmentVariables, name: string): CommandRecording {
  const all = listRecordings(env)
  if (name === 'last') {
    const latest = all.filter(({ of }) => of === undefined).at(-1)
    if (latest) return latest
    throw new UserError('no recordings yet', { hint: 'anode harness record -- study "question"' })
  }
  const [recording, other] = all.filter(({ id }) => id.startsWith(name) || id.startsWith(`rec_${name}`))
  if (recording && !other) return recording
  if (recording)
    throw new UserError(`several recordings begin with ${name}`, { hint: 'write more of the id' })
  throw new UserError(`unknown recording "${name}"`, { hint: '`anode harness list` prints them' })
}

/** Returns the replays of a recording, latest first. */
export const listReplays = (env: EnvironmentVariables, { id }: CommandRecording): CommandRecording[] =>
  listRecordings(env)
    .filter(({ of }) => of === id)
    .reverse()

/** Deletes a recording with its replays, but not its threads and studies. */
export function deleteRecording(env: EnvironmentVariables, recording: CommandRecording): void {
  for (const { id } of [...listReplays(env, recording), recording])
    rmSync(placeOf(env, id), { recursive: true, force: true })
}
