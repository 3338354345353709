// What `anode doctor` says of services elsewhere: which search engine is asked, and the server that keeps studies.
import { messageOf } from '../base/errors.ts'
import { chooseEngine } from '../net/web/engine.ts'
import type { CheckedPlace, DoctorCheck } from './doctor-check.ts'
import { surroundings } from './surroundings.ts'

/** Nothing is sent: every search is paid for, or counted. */
export async function checkWebSearch({ cwd, env }: CheckedPlace): Promise<DoctorCheck> {
  const { web = {} } = (await surroundings(cwd, env)).loaded.config
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
export async function checkRedis({ env }: CheckedPlace): Promise<DoctorCheck[]> {
  const url = env['ANODE_ENGINE']
  if (!url || url === 'embedded') return []
  const { openServer } = await import('../store/redis/server.ts')
  try {
    const server = await openServer(url)
    await server.close()
    return [{ what: 'redis', state: 'ok', detail: `${server.address.shown} answers (ANODE_ENGINE)` }]
  } catch (error) {
    return [{ what: 'redis', state: 'broken', detail: messageOf(error) }]
  }
}
