// Choices of a user in a session: models, profiles and skills, each with a reason if it is unusable.

import { knownModel } from '../../model/prices.ts'
import {
  loadWorkspaceProfiles,
  openWorkspaceSkills,
  type WorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import type { SessionChoices } from '../../session/client.ts'
import { readModelOverview } from '../models/model-overview.ts'

/**
 * Returns the models, profiles and skills to choose from. The models are the default model of each provider,
 * the chosen model, `builtin/extract`, and those that local model servers report.
 */
export async function readSessionChoices(context: WorkspaceContext): Promise<SessionChoices> {
  const local = listLocalServerModels(context)
  const { providers, chosen: chosenModel } = readModelOverview(context)
  const models = providers.map((row) => describeProvider(row, context))
  const others = chosenModel && !models.some(({ name }) => name === chosenModel.model)
  const extract = { name: 'builtin/extract', about: 'searches and quotes, no language model' }
  const { all, broken } = await loadWorkspaceProfiles(context)
  const skills = await listSessionSkills(context)
  return {
    models: [
      ...(others ? [{ name: chosenModel.model, about: chosenModel.because }] : []),
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

/** Returns a provider's default model. The name always includes the provider. */
function describeProvider(
  { provider, model, key, variable, missing, fix }: ProviderRow,
  { env }: WorkspaceContext,
): SessionChoices['models'][number] {
  const { window, price } = knownModel(provider, model, env) ?? {}
  const keyText = key === undefined ? `no ${variable ?? 'key'}` : `key: ${key}`
  const size =
    window === undefined ? [] : [window < 1e6 ? `${Math.round(window / 1e3)}k` : `${window / 1e6}M`]
  const cost = price === undefined ? [] : [`$${price.input}/$${price.output}`]
  return {
    name: model.startsWith(`${provider}/`) ? model : `${provider}/${model || 'MODEL'}`,
    about: [...size, ...cost, keyText].join('  '),
    unusable: fix ?? missing,
    // a key is only requested if the model has a name, because a provider without a model name is unusable
    // even with a key
    needsKey: missing !== undefined && key === undefined && model !== '' ? true : undefined,
  }
}

async function listSessionSkills(context: WorkspaceContext): Promise<SessionChoices['skills']> {
  const skills = await (await openWorkspaceSkills(context)).list()
  return skills.map(({ name, description }) => ({ name, about: description }))
}

/** Returns the names after a slash that are not commands: skills and prompts of servers. Starts no server. */
export async function listSlashNames(context: WorkspaceContext): Promise<SessionChoices['skills']> {
  const { withMcpServers } = await import('../mcp/mcp-servers.ts')
  const { workspace: cwd, env } = context
  const prompts = withMcpServers({ cwd, env, signal: new AbortController().signal }, async ({ servers }) =>
    servers.members.flatMap(({ server, listing, standing }) =>
      // prompts of a server whose start has changed since the user approved it are skipped
      (standing.launch === undefined ? (listing?.prompts ?? []) : []).map(({ name, description = '' }) => ({
        name: `${server.name}:${name}`,
        about: description === '' ? `a prompt of the server ${server.name}` : description,
      })),
    ),
  ).catch(() => [])
  // skills are listed even if the servers are misconfigured
  return [...(await listSessionSkills(context)), ...(await prompts)]
}

/** Returns the models of local servers. A model is unusable if no provider has the URL of its server. */
async function listLocalServerModels({ env, loaded }: WorkspaceContext): Promise<SessionChoices['models']> {
  const { findServers, listServerModels } = await import('../models/model-list.ts')
  const servers = await findServers(new AbortController().signal)
  return listServerModels(servers, env, loaded.config.providers ?? {}).map(({ id, usable, server = '' }) => ({
    name: id,
    about: `on this machine, ${server}`,
    unusable: usable ? undefined : `anode config set providers.custom.baseUrl ${server}/v1`,
  }))
}
