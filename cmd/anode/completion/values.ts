// The values that completion offers for flags and operands, such as names of tools, profiles and threads.
import { readPrebuilt } from '../../../internal/base/dirs.ts'
import { listPages } from '../../../internal/service/doctor/manual-pages.ts'
import { listRecordings } from '../../../internal/service/harness/recording.ts'

const loadWorkspace = () => import('../../../internal/runtime/workspace/workspace.ts')

type NameLister = () => Promise<readonly string[]>

const listTools: NameLister = async () => {
  const described = (readPrebuilt('catalog.json') ?? []) as { name: string }[]
  return described.map(({ name }) => name)
}

const listProfiles: NameLister = async () => {
  const { loadWorkspaceProfiles, readWorkspaceContext } = await loadWorkspace()
  return (await loadWorkspaceProfiles(await readWorkspaceContext(process.cwd(), process.env))).all.map(
    ({ name }) => name,
  )
}

const listSkills: NameLister = async () => {
  const { openWorkspaceSkills, readWorkspaceContext } = await loadWorkspace()
  return (
    await (await openWorkspaceSkills(await readWorkspaceContext(process.cwd(), process.env))).set()
  ).all.map(({ name }) => name)
}

const listModels: NameLister = async () => {
  const { listKnownModels } = await import('../../../internal/service/models/model-overview.ts')
  return listKnownModels()
}

const listKeyedProviders: NameLister = async () =>
  (await import('../../../internal/service/models/provider-keys.ts')).keyedProviders

const listThreads: NameLister = async () => {
  const { withDataStore } = await import('../../../internal/runtime/workspace/data-store.ts')
  const recent = { workspace: process.cwd(), limit: 20 }
  return withDataStore(process.env, (store) => ['last', ...store.threads.list(recent).map(({ id }) => id)])
}

const listRecordingIds: NameLister = async () => {
  return ['last', ...listRecordings(process.env).map(({ id }) => id)]
}

const listPageNames: NameLister = async () => {
  return listPages().map(({ page }) => page)
}

/**
 * Functions that return the values of a flag, such as `profile`, or of an operand after its command, such as
 * `tools use NAME`. Completion looks up no values for other flags and operands.
 */
const sources: Readonly<Record<string, NameLister>> = {
  profile: listProfiles,
  model: listModels,
  resume: listThreads,
  fork: listThreads,
  'allow-tool': listTools,
  'tools use NAME': listTools,
  'tools show NAME': listTools,
  'permissions explain TOOL': listTools,
  'profiles show NAME': listProfiles,
  'skills show NAME': listSkills,
  'threads show THREAD': listThreads,
  'threads export THREAD': listThreads,
  'threads archive THREAD': listThreads,
  'threads delete THREAD': listThreads,
  'harness replay RECORDING': listRecordingIds,
  'harness step RECORDING': listRecordingIds,
  'harness inspect RECORDING': listRecordingIds,
  'harness inspect OTHER': listRecordingIds,
  'harness delete RECORDING': listRecordingIds,
  'manual PAGE': listPageNames,
  'login PROVIDER': listKeyedProviders,
  'logout PROVIDER': listKeyedProviders,
}

/**
 * Returns the known values for a key of `sources`: a flag, or a command and operand. Returns an empty list
 * for any other key, or if reading the values fails, because completion never prints errors.
 */
export async function valuesOf(place: string): Promise<readonly string[]> {
  const look = Object.hasOwn(sources, place) ? sources[place] : undefined
  if (!look) return []
  try {
    return await look()
  } catch {
    return []
  }
}
