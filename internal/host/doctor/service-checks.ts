// What `anode doctor` says of services elsewhere: which search engine is asked, and the server that keeps
// studies.
import { messageOf } from '../../base/errors.ts'
import { chooseEngine } from '../../net/web/search-engine.ts'
import { readWorkspaceContext } from '../workspace.ts'
import type { DoctorCheck, DoctorTarget } from './doctor-check.ts'

/** Nothing is sent: every search is paid for, or counted. */
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

/** Only where a server is named for all studies; it is connected to and asked whether it may keep them. */
export async function checkRedis({ env }: DoctorTarget): Promise<DoctorCheck[]> {
  const url = env['ANODE_ENGINE']
  if (!url || url === 'embedded') return []
  const { openRedisServer } = await import('../../study/redis/server.ts')
  try {
    const server = await openRedisServer(url)
    await server.close()
    return [{ what: 'redis', state: 'ok', detail: `${server.address.shown} answers (ANODE_ENGINE)` }]
  } catch (error) {
    return [{ what: 'redis', state: 'broken', detail: messageOf(error) }]
  }
}
