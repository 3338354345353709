// The values that completion offers for flags and operands, such as names of tools, profiles and threads.
import { readPrebuilt } from '../../../internal/base/builtin.ts'
import { listPages } from '../../../internal/service/doctor/manual-pages.ts'
import { listRecordings } from '../../../internal/service/harness/recording.ts'

const loadWorkspace = () => import('../../../internal/runtime/workspace/workspace.ts')

type Names = () => Promise<readonly string[]>

const tools: Names = async () => {
  const described = (readPrebuilt('catalog.json') ?? []) as { name: string }[]
  return described.map(({ name }) => name)
}

const profiles: Names = async () => {
  const { loadWorkspaceProfiles, readWorkspaceContext } = await loadWorkspace()
  return (await loadWorkspaceProfiles(await readWorkspaceContext(process.cwd(), process.env))).all.map(
    ({ name }) => name,
  )
}

const skills: Names = async () => {
  const { openWorkspaceSkills, readWorkspaceContext } = await loadWorkspace()
  return (
    await (await openWorkspaceSkills(await readWorkspaceContext(process.cwd(), process.env))).set()
  ).all.map(({ name }) => name)
}

const models: Names = async () => {
  const { listKnownModels } = await import('../../../internal/service/models/model-overview.ts')
  return listKnownModels()
}

const keyed: Names = async () =>
  (await import('../../../internal/service/models/provider-keys.ts')).keyedProviders

const threads: Names = async () => {
  const { withDataStore } = await import('../../../internal/runtime/workspace/data-store.ts')
  const recent = { workspace: process.cwd(), limit: 20 }
  return withDataStore(process.env, (store) => ['last', ...store.threads.list(recent).map(({ id }) => id)])
}

const recordings: Names = async () => {
  return ['last', ...listRecordings(process.env).map(({ id }) => id)]
}

const pages: Names = async () => {
  return listPages().map(({ page }) => page)
}

/**
 * Functions that return the values of a flag, such as `profile`, or of an operand after its command, such as
 * `tools use NAME`. Other flags and operands have no values that must be looked up.
 */
const sources: Readonly<Record<string, Names>> = {
  profile: profiles,
  model: models,
  resume: threads,
  fork: threads,
  'allow-tool': tools,
  'tools use NAME': tools,
  'tools show NAME': tools,
  'permissions explain TOOL': tools,
  'profiles show NAME': profiles,
  'skills show NAME': skills,
  'threads show THREAD': threads,
  'threads export THREAD': threads,
  'threads archive THREAD': threads,
  'threads delete THREAD': threads,
  'harness replay RECORDING': recordings,
  'harness step RECORDING': recordings,
  'harness inspect RECORDING': recordings,
  'harness inspect OTHER': recordings,
  'harness delete RECORDING': recordings,
  'manual PAGE': pages,
  'login PROVIDER': keyed,
  'logout PROVIDER': keyed,
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
