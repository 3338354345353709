// What binds all runs of a session: the tokens of all of them together, and the replies of each.
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLocalService } from '../../../../internal/service/session/local-service.ts'
import { serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { watchClient } from '../../../support/session.ts'

const read = { calls: [{ name: 'read', args: { path: 'a.txt' } }] }

async function openLimited(limits: { tokens?: number; maxTurns?: number }, replies: readonly object[]) {
  const server = await serveModel(replies as never)
  onTestFinished(() => server.close())
  const cwd = scratchWith({ 'a.txt': 'one\n' })
  const env = {
    ...{ PATH: process.env.PATH, HOME: cwd, ANODE_DATA_DIR: join(scratchWith({}), 'data') },
    ...{ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'test' },
  }
  const service = await openLocalService({ cwd, env, addDirs: [], limits, note: () => undefined })
  onTestFinished(() => service.close())
  const open = async () =>
    watchClient(await service.openSession({ kind: 'new' }, { model: 'openai/scripted', mode: 'ask' }))
  return { open, server }
}

it('ends every run once the tokens of the session are spent, in a second thread too', async () => {
  const { open, server } = await openLimited({ tokens: 10 }, [{ text: 'one' }, { text: 'two' }])
  const first = await open()
  await first.say('begin')
  await first.idle()
  const asked = server.requests.length
  const second = await open()
  await second.say('go on')
  const view = await second.idle()
  expect(view.blocks.at(-1)).toMatchObject({ kind: 'end', end: 'limit' })
  // but for a conclusion nothing more is asked for
  expect(server.requests.length - asked).toBeLessThanOrEqual(1)
})

it('ends a run after so many replies', async () => {
  const { open } = await openLimited({ maxTurns: 1 }, [read, { text: 'concluded' }, { text: 'more' }])
  const session = await open()
  await session.say('begin')
  expect((await session.idle()).blocks.at(-1)).toMatchObject({ kind: 'end', end: 'partial' })
})
