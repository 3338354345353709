// Checks of services that Anode uses: the search engine, the Redis server for studies, and
// local model servers.

import { messageOf } from '../../base/errors.ts'
import { groupDigits } from '../../base/text/count-noun.ts'
import { findLocalServers, type LocalServer, localServerPorts } from '../../model/local-servers.ts'
import { readWorkspaceContext } from '../../runtime/workspace/workspace.ts'
import { openRedisServer } from '../../study/redis/server.ts'
import { chooseEngine } from '../../web/search/search-engine.ts'
import type { DoctorCheck, DoctorTarget } from './doctor-check.ts'

/** Returns the configured search engine. Sends nothing, because every search is billed or counted. */
export async function checkWebSearch({ cwd, env }: DoctorTarget): Promise<DoctorCheck> {
  const { web = {} } = (await readWorkspaceContext(cwd, env)).loaded.config
  const what = 'web search'
  if (web.enabled === false) return { what, state: 'ok', detail: 'off (web.enabled)' }
  const { title, host, missing, next, name } = chooseEngine(web, env)
  if (missing !== undefined) return { what, state: 'broken', detail: missing }
  const after = next ? `, then ${next.title}` : ''
  const better = name === 'duckduckgo' && web.provider === undefined
  const advice = better ? '; EXA_API_KEY or web.searxngUrl set up another' : ''
  return { what, state: 'ok', detail: `${title} (${host})${after}${advice}` }
}

/**
 * Checks the Redis server that ANODE_ENGINE names for all studies: connects, and checks that its settings are
 * safe for the data of studies. Returns an empty list without such a server.
 */
export async function checkRedis({ env }: DoctorTarget): Promise<DoctorCheck[]> {
  const url = env['ANODE_ENGINE']
  if (!url || url === 'embedded') return []
  try {
    const server = await openRedisServer(url)
    await server.close()
    return [{ what: 'redis', state: 'ok', detail: `${server.address.shown} answers (ANODE_ENGINE)` }]
  } catch (error) {
    return [{ what: 'redis', state: 'broken', detail: messageOf(error) }]
  }
}

/**
 * Returns a line for each model server that answers on the usual local ports, or one line that says that none
 * answers. `ports` replaces these ports.
 */
export async function checkLocalServers(
  { signal }: DoctorTarget,
  ports?: readonly number[],
): Promise<DoctorCheck[]> {
  const what = 'local models'
  const servers = await findLocalServers(signal, ports)
  if (servers.length > 0)
    return servers.map((server): DoctorCheck => ({ what, state: 'ok', detail: describeServer(server) }))
  const usual = localServerPorts.map(([kind, port]) => `${kind} ${port}`).join(', ')
  return [{ what, state: 'missing', detail: `no server on the usual ports (${usual})` }]
}

/** Largest number of models that the line of a server names. Further models are only counted. */
const maxNamed = 3

function describeServer({ kind, address, models, slots }: LocalServer): string {
  const names = models.slice(0, maxNamed).map(({ id, window }) => {
    return window === undefined ? id : `${id} (${groupDigits(window)} tokens)`
  })
  const more = models.length > maxNamed ? ` and ${models.length - maxNamed} more` : ''
  const has = names.length > 0 ? `${names.join(', ')}${more}` : 'no model yet'
  const atOnce = slots === undefined ? '' : `, ${slots} at a time`
  const name = models[0]?.id ?? 'MODEL'
  const use =
    kind === 'ollama'
      ? `--model ollama/${name}`
      : `--model local/${name} with providers.local.baseUrl ${address}/v1`
  return `${kind === 'unknown' ? 'a model server' : kind} at ${address}: ${has}${atOnce}; ${use}`
}
