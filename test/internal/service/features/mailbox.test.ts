// A study's mailboxes, found by the built program where the engine stores them, with a separate password.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { addEnginePassword } from '../../../../internal/service/features/mailbox.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { redisJournal } from '../../../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import { type World, world } from '../../../support/anode.ts'
import { startRedis, withRedis } from '../../../support/redis.ts'

let it: World
beforeEach(() => {
  it = world()
})
afterEach(() => it.remove())

const head = (engine: string) => ({ kind: 'study', data: { project: it.dir, engine } })
const use = async (tool: string, args: Record<string, string>, env: Record<string, string> = {}) => {
  const words = Object.entries(args).flatMap(([name, value]) => ['--arg', `${name}=${value}`])
  const done = await it.anode(['tools', 'use', tool, '--allow-non-read', '--output', 'json', ...words], {
    env,
  })
  return { ...done, data: done.out.startsWith('{') ? JSON.parse(done.out).data : undefined }
}

test('the database serves a study of this machine', async () => {
  const journal = await openJournal(it.data)
  const study = createUlid()
  await journal.create(study, head('embedded'), {})
  await journal.close()
  const sent = await use('send_message', { to: 'w1', message: 'hi', scope: `study:${study}` })
  expect(sent.data).toMatchObject({ ok: true, delivered_to: ['w1'] })
  const read = await use('receive_messages', { recipient: 'w1', scope: `study:${study}` })
  expect(read.data.messages).toMatchObject([{ message: 'hi' }])
})

withRedis('on a server', () => {
  test('two programs meet in a study, with or without the URL of its server', async () => {
    const redis = await startRedis(['--requirepass', 's3cret'])
    const url = redis.url.replace('//', '//:s3cret@')
    const study = createUlid()
    const scope = `study:${study}`
    const journal = redisJournal(await openRedisServer(url))
    await journal.create(study, head(redis.url), {})
    const mirror = await openJournal(it.data)
    await mirror.mirror(study, await journal.read(study, 0, 1))
    await mirror.close()

    const closed = await use('send_message', { to: 'w1', message: 'hi', scope })
    expect([closed.code, closed.out]).toEqual([2, expect.stringContaining('ANODE_ENGINE')])
    const elsewhere = await use(
      'send_message',
      { to: 'w1', message: 'hi', scope },
      { ANODE_ENGINE: 'redis://:x@127.0.0.1:1' },
    )
    expect(elsewhere.out).toContain(`the study is kept in ${redis.url}, not in redis://127.0.0.1:1`)

    const sent = await use('send_message', { to: 'w1', message: 'hi', scope }, { ANODE_ENGINE: url })
    expect(sent.data).toMatchObject({ ok: true, delivered_to: ['w1'] })
    expect(await journal.mail.waiting(scope, 'w1')).toEqual({ queued: 1, leased: 0 })
    const stranger = world()
    try {
      const words = ['tools', 'use', 'receive_messages', '--output', 'json', '--arg', 'recipient=w1']
      const env = { ANODE_ENGINE: url, ANODE_MAILBOX_SCOPE: scope }
      const read = await stranger.anode(words, { env })
      expect(JSON.parse(read.out).data.messages).toMatchObject([{ message: 'hi' }])
      expect(JSON.parse((await stranger.anode(words, { env })).out).data.messages).toEqual([])
    } finally {
      stranger.remove()
    }
    expect(await journal.mail.list({ scope })).toMatchObject([{ state: 'acked' }])
    await journal.close()
    await redis.remove()
  })
})

test('uses a password only from a URL of the same server', async () => {
  expect(await addEnginePassword('redis://h:1', undefined)).toBe('redis://h:1')
  expect(await addEnginePassword('redis://h:1', 'redis://:p@h:1')).toBe('redis://:p@h:1')
  expect(await addEnginePassword('redis://h:1', 'redis://h:1', 'redis://:p@h:1')).toBe('redis://:p@h:1')
  expect(await addEnginePassword('redis://h:1', 'redis://h:1', 'redis://:p@h:2')).toBe('redis://h:1')
  await expect(addEnginePassword('redis://h:1', 'redis://:p@h:2')).rejects.toThrow('not in redis://h:2')
})
