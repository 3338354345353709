// Connecting to real servers: unreachable, unsafe, with a password, gone and back.
import { expect, onTestFinished, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { redisJournal } from '../../../../internal/study/redis/journal.ts'
import { makeLuaScript } from '../../../../internal/study/redis/lua-script.ts'
import { openRedisServer } from '../../../../internal/study/redis/server.ts'
import { freePort, startRedis, withRedis } from '../../../support/redis.ts'

const started = async (extra: readonly string[] = []) => {
  const redis = await startRedis(extra)
  onTestFinished(() => redis.remove())
  return redis
}

withRedis('a server', () => {
  test('without a response is reported at once', async () => {
    const url = `redis://:s3cret@127.0.0.1:${await freePort()}`
    await expect(openRedisServer(url)).rejects.toThrow(
      /^redis:\/\/127\.0\.0\.1:\d+ does not answer: ECONNREFUSED$/,
    )
  })

  test('that may lose data is rejected, or used with a notice', async () => {
    const redis = await started(['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru'])
    const words = 'engine unsafe: appendonly is off and maxmemory-policy is allkeys-lru; set "appendonly yes"'
    await expect(openRedisServer(redis.url)).rejects.toThrow(words)
    const server = await openRedisServer(redis.url, { unsafe: true })
    expect(server.notes).toEqual([expect.stringContaining(words)])
    await server.close()
  })

  test('with a password accepts only the right one, and prints none', async () => {
    const redis = await started(['--requirepass', 's3cret'])
    const told = (url: string) =>
      openRedisServer(url).then(
        () => 'opened',
        (error: Error) => JSON.stringify([error.message, error]),
      )
    for (const url of [redis.url, redis.url.replace('//', '//:wr0ng@')]) {
      const words = await told(url)
      expect(words).toContain('does not accept the user or password')
      expect(words).not.toMatch(/s3cret|wr0ng/)
    }
    const server = await openRedisServer(redis.url.replace('//', '//:s3cret@'))
    expect(server.address.shown).toBe(redis.url)
    await server.close()
  })

  test('that was away is reported when it goes and when it is back, and gets its scripts again', async () => {
    const redis = await started()
    const said: string[] = []
    const server = await openRedisServer(redis.url, { say: (text) => said.push(text) })
    const add = makeLuaScript("return answer(call('INCRBY', key('n'), args.by))")
    expect(await server.run(add, 'x:', { by: 2 })).toBe(2)
    await redis.kill()
    const late = server.run(add, 'x:', { by: 3 })
    await redis.start()
    expect(await late).toBe(5)
    expect(said).toEqual([`waits for ${redis.url}, 20 min left`, `${redis.url} answers again`])
    await server.close()
  })

  test('without memory reports it, and no script stops in the middle', async () => {
    const redis = await started()
    const server = await openRedisServer(redis.url)
    const journal = redisJournal(server)
    const study = createUlid()
    const scope = `study:${study}`
    await journal.create(study, { kind: 'study', data: {} }, {})
    const message = { scope, from: 'a', to: 'b', type: 'status', body: 'x' } as const
    const { id } = await journal.mail.send(message)
    await journal.mail.receive({ scope, recipient: 'b', owner: 'o', limit: 9, peek: false })
    const full = { failure: { code: 'io', message: `${redis.url} has no memory left` } }
    await server.client.config('SET', 'maxmemory', '1mb')
    await expect(journal.append(study, [{ kind: 'a', data: {} }])).rejects.toMatchObject(full)
    await expect(journal.mail.send(message)).rejects.toMatchObject(full)
    await expect(journal.mail.acknowledge(scope, 'b', [id])).rejects.toMatchObject(full)
    await server.client.config('SET', 'maxmemory', '0')
    expect(await journal.mail.list({ scope })).toMatchObject([{ state: 'leased', message: { id } }])
    expect(await journal.append(study, [{ kind: 'a', data: {} }])).toEqual({ state: 'ok', last: 2 })
    await journal.mail.acknowledge(scope, 'b', [id])
    expect(await journal.mail.waiting(scope, 'b')).toEqual({ queued: 0, leased: 0 })
    await journal.close()
  })
})
