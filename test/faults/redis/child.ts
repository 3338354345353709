// A program that uses the mailboxes of a study on a server as other processes do.
import { writeSync } from 'node:fs'
import type { Mailbox } from '../../../internal/store/mail/mailbox.ts'
import { redisJournal } from '../../../internal/study/redis/journal.ts'
import { openRedisServer } from '../../../internal/study/redis/server.ts'

/** Writes a whole line at once, so that every line on standard output has been acknowledged before. */
const say = (...words: (string | number | bigint)[]) => void writeSync(1, `${words.join(' ')}\n`)
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

const verbs: Readonly<Record<string, (mail: Mailbox, scope: string, ...args: string[]) => Promise<void>>> = {
  /** Sends `count` messages `<name> <n>` to one mailbox, one at a time. */
  async send(mail, scope, name = '', to = '', count = '1') {
    for (let n = 1; n <= Number(count); n++) {
      const { id } = await mail.send({ scope, from: name, to, type: 'status', body: `${name} ${n}` })
      say('sent', name, n, id)
    }
  },

  /** Reads one mailbox until `stop` arrives: prints each message with its time, then acknowledges it. */
  async read(mail, scope, name = '', recipient = '', leaseMs = '60000') {
    for (;;) {
      const query = { scope, recipient, owner: name, limit: 20, peek: false, leaseMs: Number(leaseMs) }
      const messages = await mail.receive(query)
      for (const { body, id, attempts } of messages) say('read', process.hrtime.bigint(), body, id, attempts)
      const ids = messages.map((message) => message.id)
      await mail.acknowledge(scope, recipient, ids)
      if (ids.length > 0) say('acknowledged', ids.join(','))
      if (messages.length === 0) {
        const stop = await mail.receive({ ...query, recipient: `${recipient}-stop`, peek: true })
        if (stop.length > 0) return
        await sleep(5)
      }
    }
  },
}

async function main([url = '', verb = '', study = '', ...args]: string[]) {
  const journal = redisJournal(await openRedisServer(url))
  say('ready')
  await verbs[verb]?.(journal.mail, `study:${study}`, ...args)
  await journal.close()
}

main(process.argv.slice(2)).catch((error: unknown) => {
  say('failed', JSON.stringify((error as Error).stack))
  process.exitCode = 1
})
