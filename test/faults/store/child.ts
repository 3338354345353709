// A program that uses a store as other processes do. Fault tests start many of them and kill them.
import { writeSync } from 'node:fs'
import { openDatabase, openStore } from '../../../internal/store/sqlite.ts'
import type { Store } from '../../../internal/store/store.ts'

/** Writes a whole line at once, so that every line on standard output has been acknowledged before. */
const say = (...words: (string | number | bigint)[]) => void writeSync(1, `${words.join(' ')}\n`)
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const scope = 'faults'

const verbs: Readonly<Record<string, (store: Store, ...args: string[]) => Promise<void>>> = {
  /** Sends `count` messages `<name> <n>` to one mailbox, one at a time. */
  async send({ mail }, name = '', to = '', count = '1') {
    for (let n = 1; n <= Number(count); n++) {
      const { id } = mail.send({ scope, from: name, to, type: 'status', body: `${name} ${n}` })
      say('sent', name, n, id)
    }
  },

  /** Reads one mailbox until `stop` arrives: prints each message with its time, then acknowledges it. */
  async read({ mail }, name = '', recipient = '', leaseMs = '60000') {
    for (;;) {
      const query = { scope, recipient, owner: name, limit: 20, peek: false, leaseMs: Number(leaseMs) }
      const messages = mail.receive(query)
      for (const { body, id, attempts } of messages) say('read', process.hrtime.bigint(), body, id, attempts)
      const ids = messages.map((message) => message.id)
      mail.acknowledge(recipient, ids)
      if (ids.length > 0) say('acknowledged', ids.join(','))
      if (messages.length === 0) {
        if (mail.receive({ ...query, recipient: `${recipient}-stop`, peek: true }).length > 0) return
        await sleep(5)
      }
    }
  },

  /** Creates tasks and takes each through its states, without end. */
  async tasks({ tasks }, name = '') {
    for (let n = 1; ; n++) {
      const { id } = tasks.create({ repo: 'r', title: `${name} ${n}` })
      say('task', id, 'open', name, n)
      for (const status of ['in_progress', 'completed'] as const) {
        tasks.update(id, { status })
        say('task', id, status, name, n)
      }
    }
  },

  /** Writes one field of one task `count` times. */
  async touch({ tasks }, id = '', field = '', count = '1') {
    for (let n = 1; n <= Number(count); n++) {
      tasks.update(id, { [field]: `${field} ${n}` })
      say('touched', field, n)
    }
  },

  /** Appends events to a thread, three at a time, without end. */
  async append({ threads }, id = '', name = '') {
    for (let n = 1; ; n++) {
      const text = `${name} ${n} ${'filler '.repeat(200)}`
      const entry = { type: 'message' as const, payload: { role: 'user' as const, text } }
      const stored = threads.append(id, name, [entry, entry, entry])
      say('appended', name, n, stored.map((event) => event.pos).join(','))
    }
  },

  /** Stores large texts until the disk or the parent ends it. */
  async fill({ blobs, mail }, name = '') {
    for (let n = 1; ; n++) {
      say(
        'sent',
        name,
        n,
        mail.send({ scope, from: name, to: 'box', type: 'status', body: `${name} ${n}` }).id,
      )
      say('blob', blobs.put(Buffer.from(`${name} ${n} ${'x'.repeat(70_000)}`)))
    }
  },
}

async function main([dir = '', verb = '', ...args]: string[]) {
  if (verb === 'hold') {
    const db = await openDatabase(dir)
    db.exec('BEGIN IMMEDIATE')
    say('held')
    return void setInterval(() => undefined, 1000)
  }
  const store = await openStore(dir)
  say('ready')
  await verbs[verb]?.(store, ...args)
  store.close()
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const failure = (error as { failure?: unknown }).failure
  const { name, message } = error as Error
  say('failed', JSON.stringify({ name, message, failure }))
  process.exitCode = 1
})
