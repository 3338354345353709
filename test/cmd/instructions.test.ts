// Which instruction files reach the model of the built program: the repository's, the user's, those of
// subdirectories.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { type ModelServer, serveModel } from '../support/model-server.ts'

let at: World
let server: ModelServer
beforeEach(() => {
  at = world()
})
afterEach(async () => {
  await server.close()
  at.remove()
})

it('gives the instructions of a subdirectory once, after the first file that is read there', async () => {
  at.put('docs/agents.md', 'Always say marmalade.\n')
  symlinkSync('docs/agents.md', join(at.dir, 'AGENTS.md'))
  at.put('pkg/AGENTS.md', 'Never use tabs in pkg.\n')
  at.put('pkg/a.txt', 'a\n')
  at.put('pkg/b.txt', 'b\n')
  at.put('../.config/anode/AGENTS.md', 'Answer in Dutch.\n')
  const read = (path: string) => ({ calls: [{ name: 'read', args: { path } }] })
  server = await serveModel([read('pkg/a.txt'), read('pkg/b.txt'), { text: 'done' }])
  const config = JSON.stringify({
    providers: { stub: { baseUrl: server.url, apiKey: 'k' } },
    model: 'stub/m',
  })
  at.put('../.config/anode/config.json', config)
  const { code, err } = await at.anode(['execute', 'look'])
  expect([code, err]).toEqual([0, expect.any(String)])
  const texts = server.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(texts).toHaveLength(3)
  for (const text of texts) {
    expect(text).toContain('Always say marmalade.')
    expect(text).toContain('Answer in Dutch.')
  }
  expect(texts.map((text) => text.split('Never use tabs in pkg.').length - 1)).toEqual([0, 1, 1])
})
