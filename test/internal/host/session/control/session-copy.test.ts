// Copies of a session's thread, made by command for clients elsewhere, and the whole of texts that were cut.
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

it('hands out the whole of a cut result in parts', async () => {
  const command = 'seq 1 20000'
  const { open } = await sessionWorld([{ calls: [{ name: 'bash', args: { command } }] }, { text: 'many' }])
  const session = await open(undefined, { mode: 'unrestricted' })
  await session.say('count')
  const { blocks } = await session.idle()
  const call = blocks.find((one) => one.kind === 'call')
  const whole = call?.kind === 'call' ? (call.result?.whole ?? '') : ''
  const read = session.client.readBlob as NonNullable<typeof session.client.readBlob>
  expect(await read(whole, 0, 8)).toBe('1\n2\n3\n4\n')
  expect(await read(whole, 8, 4)).toBe('5\n6\n')
  expect(await read(whole, 10_000_000, 10)).toBe('')
  await expect(read('../../etc/passwd', 0, 10)).rejects.toThrow('no longer kept')
})
