// Copies of a session's thread, made by command for clients elsewhere.
import { expect, it } from 'vitest'
import { sessionWorld } from '../../../../support/session.ts'

it('copies up to an event, and says which thread that is', async () => {
  const { open, service } = await sessionWorld([{ text: 'one' }, { text: 'two' }])
  const session = await open()
  expect(await session.send({ type: 'fork' })).toMatchObject({ ok: false, code: 'not_found' })
  await session.say('first')
  const { pos } = await session.idle()
  await session.say('second')
  await session.until(({ blocks }) => blocks.filter(({ kind }) => kind === 'end').length === 2)
  expect(await session.send({ type: 'fork', at: 9_999 })).toMatchObject({ ok: false, code: 'bad_args' })
  const reply = await session.send({ type: 'fork', at: pos })
  const thread = reply.ok ? (reply.thread ?? '') : ''
  const copy = await open({ kind: 'resume', thread })
  const view = await copy.until(({ blocks }) => blocks.length > 0)
  expect(view.blocks.filter(({ kind }) => kind === 'user')).toMatchObject([{ text: 'first' }])
  expect((await service.listThreads({ limit: 10 })).map((one) => one.thread)).toContain(thread)
})
