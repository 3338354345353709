// The mailboxes in a real Redis server do what every mailbox has to.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ulid } from '../../../../internal/base/ids.ts'
import { redisMailbox, studyOf } from '../../../../internal/store/mail/redis.ts'
import { openServer, type Server } from '../../../../internal/store/redis/server.ts'
import { withRedis } from '../../../support/redis.ts'
import { type MailPlace, mailboxContract } from './contract.ts'

withRedis('redis', (at) => {
  describe('the mailbox', () => {
    const place = {} as MailPlace
    let opened: Server[]
    beforeEach(async () => {
      opened = []
      place.clock = { now: 1_700_000_000_000 }
      const { clock } = place
      place.scope = `study:${ulid()}`
      place.other = `study:${ulid()}`
      place.again = async () => {
        const server = await openServer(at().url)
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
          await place.box.post({ scope: place.scope, from, to, type: 'status', body: to })
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
      await expect(place.box.post(message)).rejects.toMatchObject({ failure: { code: 'bad_args' } })
    })
  })
})
