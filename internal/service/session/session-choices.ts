// What a person can pick in a session: models, profiles and skills, each usable or with the reason why not.

import { knownModel } from '../../model/prices.ts'
import {
  loadWorkspaceProfiles,
  openWorkspaceSkills,
  type WorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import type { SessionChoices } from '../../session/client.ts'
import { readModelOverview } from '../models/model-overview.ts'

/**
 * Servers on this machine are asked what they have; what other providers offer beyond their usual model is
 * not known here.
 */
export async function readSessionChoices(context: WorkspaceContext): Promise<SessionChoices> {
  const local = listLocalServerModels(context)
  const { providers, chosen } = readModelOverview(context)
  const models = providers.map((row) => describeProvider(row, context))
  const others = chosen && !models.some(({ name }) => name === chosen.model)
  const extract = { name: 'builtin/extract', about: 'searches and quotes, no language model' }
  const { all, broken } = await loadWorkspaceProfiles(context)
  const skills = await listSessionSkills(context)
  return {
    models: [
      ...(others ? [{ name: chosen.model, about: chosen.because }] : []),
      ...models,
      ...(await local).filter(({ name }) => !models.some((one) => one.name === name)),
      extract,
    ],
    profiles: [
      ...all.map(({ name, about }) => ({ name, about })),
      ...[...broken].map(([name, { message }]) => ({ name, about: '', unusable: message })),
    ],
    skills,
  }
}

type ProviderRow = ReturnType<typeof readModelOverview>['providers'][number]

/** Its usual model by a name that holds the provider, whatever the provider calls the model. */
function describeProvider(
  { provider, model, key, variable, missing }: ProviderRow,
  { env }: WorkspaceContext,
): SessionChoices['models'][number] {
  const { window, price } = knownModel(provider, model, env) ?? {}
  const held = key === undefined ? `no ${variable ?? 'key'}` : `key: ${key}`
  const size =
    window === undefined ? [] : [window < 1e6 ? `${Math.round(window / 1e3)}k` : `${window / 1e6}M`]
  const cost = price === undefined ? [] : [`$${price.input}/$${price.output}`]
  return {
    name: model.startsWith(`${provider}/`) ? model : `${provider}/${model || 'MODEL'}`,
    about: [...size, ...cost, held].join('  '),
    unusable: missing,
    // a key alone does not make up for a model that has no name
    needsKey: missing !== undefined && key === undefined && model !== '' ? true : undefined,
  }
}

async function listSessionSkills(context: WorkspaceContext): Promise<SessionChoices['skills']> {
  const skills = await (await openWorkspaceSkills(context)).list()
  return skills.map(({ name, description }) => ({ name, about: description }))
}

/** What stands behind a slash beside commands: skills, and prompts that servers told of; none is started. */
export async function listSlashNames(context: WorkspaceContext): Promise<SessionChoices['skills']> {
  const { withMcpServers } = await import('../mcp/mcp-servers.ts')
  const { workspace: cwd, env } = context
  const prompts = withMcpServers({ cwd, env, signal: new AbortController().signal }, async ({ servers }) =>
    servers.members.flatMap(({ server, listing, standing }) =>
      // one that is not as approved is not asked
      (standing.launch === undefined ? (listing?.prompts ?? []) : []).map(({ name, description = '' }) => ({
        name: `${server.name}:${name}`,
        about: description === '' ? `a prompt of the server ${server.name}` : description,
      })),
    ),
  )
  // skills are there also where servers are not configured as they should be
  return [...(await listSessionSkills(context)), ...(await prompts.catch(() => []))]
}

/** What cannot be used as things are lacks a provider with the address of its server. */
async function listLocalServerModels({ env, loaded }: WorkspaceContext): Promise<SessionChoices['models']> {
  const { findServers, listServerModels } = await import('../models/model-list.ts')
  const servers = await findServers(new AbortController().signal)
  return listServerModels(servers, env, loaded.config.providers ?? {}).map(({ id, usable, server = '' }) => ({
    name: id,
    about: `on this machine, ${server}`,
    unusable: usable ? undefined : `name ${server} in the configuration as a provider: anode config path`,
  }))
}
