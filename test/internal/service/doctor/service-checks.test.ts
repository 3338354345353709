// What doctor says of search engines and of the server of studies, with a real server and without one.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  checkLocalServers,
  checkRedis,
  checkWebSearch,
} from '../../../../internal/service/doctor/service-checks.ts'
import { llamaCpp, ollama } from '../../../support/local-servers.ts'
import { serveModel } from '../../../support/model-server.ts'
import { freePort, withRedis } from '../../../support/redis.ts'
import { scratch } from '../../../support/scratch.ts'

const { signal } = new AbortController()
function place(config: object, env: Record<string, string> = {}) {
  const home = scratch()
  mkdirSync(join(home, '.config', 'anode'), { recursive: true })
  writeFileSync(join(home, '.config', 'anode', 'config.json'), JSON.stringify(config))
  return {
    cwd: home,
    signal,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), ANODE_DATA_DIR: join(home, 'data'), ...env },
  }
}

test.each([
  [{}, {}, 'ok', /^DuckDuckGo \(html\.duckduckgo\.com\); EXA_API_KEY/],
  [{}, { EXA_API_KEY: 'k' }, 'ok', /^Exa \(api\.exa\.ai\), then DuckDuckGo$/],
  [{ web: { searxngUrl: 'http://s.test:1' } }, {}, 'ok', /^SearXNG \(s\.test\)$/],
  [{ web: { provider: 'exa' } }, {}, 'broken', /needs a key/],
  [{ web: { provider: 'duckduckgo' } }, {}, 'ok', /^DuckDuckGo \(html\.duckduckgo\.com\)$/],
  [{ web: { enabled: false } }, { EXA_API_KEY: 'k' }, 'ok', /^off/],
] as const)('search with %j and %j', async (config, env, state, detail) => {
  const check = await checkWebSearch(place(config, env))
  expect(check).toMatchObject({ what: 'web search', state })
  expect(check.detail).toMatch(detail)
})

test.each(['', 'embedded'])('no server is looked for with ANODE_ENGINE=%j', async (engine) => {
  expect(await checkRedis(place({}, { ANODE_ENGINE: engine }))).toEqual([])
})

test('a server that is not there is broken, and its password stays unsaid', async () => {
  const port = await freePort()
  const checks = await checkRedis(place({}, { ANODE_ENGINE: `redis://:hush@127.0.0.1:${port}` }))
  expect(checks).toMatchObject([{ what: 'redis', state: 'broken' }])
  expect(checks[0]?.detail).toMatch(/does not answer/)
  expect(checks[0]?.detail).not.toContain('hush')
})

withRedis('a server that is there', (at) => {
  test('answers', async () => {
    expect(await checkRedis(place({}, { ANODE_ENGINE: at().url }))).toMatchObject([
      { what: 'redis', state: 'ok' },
    ])
  })
})

test('model servers of this machine, with what to write to use them', async () => {
  const servers = await Promise.all([serveModel([], ollama()), serveModel([], llamaCpp({ slots: 2 }))])
  const ports = servers.map(({ url }) => Number(new URL(url).port))
  try {
    const checks = await checkLocalServers(place({}), ports)
    expect(checks.map(({ state }) => state)).toEqual(['ok', 'ok'])
    expect(checks[0]?.detail).toBe(
      `ollama at http://127.0.0.1:${ports[0]}: qwen3:8b; --model ollama/qwen3:8b`,
    )
    expect(checks[1]?.detail).toMatch(
      /smol\.gguf \(4,096 tokens\), 2 at a time; --model local\/smol\.gguf with/,
    )
  } finally {
    for (const server of servers) await server.close()
  }
  expect(await checkLocalServers(place({}), ports)).toMatchObject([{ state: 'missing' }])
})
