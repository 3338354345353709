// The mailboxes in a real Redis server do what every mailbox has to.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createUlid } from '../../../../internal/base/ids.ts'
import { redisMailbox, studyOf } from '../../../../internal/study/redis/mailbox.ts'
import { openRedisServer, type RedisServer } from '../../../../internal/study/redis/server.ts'
import { withRedis } from '../../../support/redis.ts'
import { type MailPlace, mailboxContract } from '../../store/mail/contract.ts'

withRedis('redis', (at) => {
  describe('the mailbox', () => {
    const place = {} as MailPlace
    let opened: RedisServer[]
    beforeEach(async () => {
      opened = []
      place.clock = { now: 1_700_000_000_000 }
      const { clock } = place
      place.scope = `study:${createUlid()}`
      place.other = `study:${createUlid()}`
      place.again = async () => {
        const server = await openRedisServer(at().url)
        opened.push(server)
        return redisMailbox(
          server,
          (scope) => `anode:{${studyOf(scope)}}:`,
          () => clock.now,
        )
      }
      place.box = await place.again()
    })
    afterEach(async () => {
      for (const server of opened) await server.close()
    })

    mailboxContract(() => place)

    test('names may hold anything', async () => {
      const names = ['a b', 'a', 'a!', 'ä/ß 😀', '{x}:*', '%20', 'nul\0nul', "it's"]
      for (const to of names)
        for (const from of names)
          await place.box.send({ scope: place.scope, from, to, type: 'status', body: to })
      for (const recipient of names) {
        const query = { scope: place.scope, recipient, owner: 'o', limit: 99, peek: false }
        const taken = await place.box.receive(query)
        expect(taken.map(({ from, to, body }) => ({ from, to, body }))).toEqual(
          names.map((from) => ({ from, to: recipient, body: recipient })),
        )
      }
      const listed = await place.box.list({ scope: place.scope, recipient: 'a b' })
      expect(listed.map(({ recipient }) => recipient)).toEqual(names.map(() => 'a b'))
    })

    test('nothing is kept for other scopes', async () => {
      const message = { scope: '/home/me/repo', from: 'a', to: 'b', type: 'status', body: 'x' } as const
      await expect(place.box.send(message)).rejects.toMatchObject({ failure: { code: 'bad_args' } })
    })
  })
})
