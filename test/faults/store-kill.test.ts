// kill -9 at random moments: what was acknowledged is there, nothing is there twice, the next start just works.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../internal/store/sqlite.ts'
import type { RepositoryTask, Store } from '../../internal/store/store.ts'
import { type Child, type Ground, prepare, random, report, rounds, sleep } from './store/start.ts'

let ground: Ground
beforeAll(async () => {
  ground = await prepare()
})
afterAll(() => ground.clear())

const next = random()
const states = ['open', 'in_progress', 'completed']

/** Lets the child process work for a random time after its first acknowledgement, then kills it. */
async function cut(child: Child, first: string, mostMs: number) {
  await child.seen(first)
  await sleep(next() * mostMs)
  await child.kill()
  return child.lines()
}

async function withStore(dir: string, work: (store: Store) => unknown) {
  const store = await openStore(dir)
  try {
    await work(store)
  } finally {
    store.close()
  }
}

test('kill -9 of a writer of tasks loses no acknowledged task', { timeout: 600_000 }, async () => {
  const dir = ground.fresh()
  const tried = rounds(4)
  const acknowledged = new Map<string, { status: string; title: string }>()
  let survived = 0
  for (let round = 0; round < tried; round++) {
    const lines = await cut(ground.start(dir, 'tasks', `round-${round}`), 'task', 120)
    for (const [word, id = '', status = '', name, n] of lines)
      if (word === 'task') acknowledged.set(id, { status, title: `${name} ${n}` })
    await withStore(dir, ({ tasks }) => {
      const all = new Map(tasks.list({}).map((task): [string, RepositoryTask] => [task.id, task]))
      for (const [id, { status, title }] of acknowledged) {
        const task = all.get(id)
        expect(task?.title).toBe(title)
        // one more step may have been written and not yet reported
        expect(states.indexOf(task?.status ?? '')).toBeGreaterThanOrEqual(states.indexOf(status))
      }
      const titles = [...all.values()].map((task) => task.title)
      expect(new Set(titles).size).toBe(titles.length)
      expect(all.size).toBeLessThanOrEqual(acknowledged.size + round + 1)
    })
    survived++
  }
  report('store killed while tasks are written', survived, tried)
})

test('kill -9 of senders loses no acknowledged message', { timeout: 600_000 }, async () => {
  const dir = ground.fresh()
  const tried = rounds(4)
  const acknowledged = new Map<string, string>()
  let survived = 0
  for (let round = 0; round < tried; round++) {
    const children = [0, 1].map((i) => ground.start(dir, 'send', `s${round}-${i}`, `box-${round}`, '1000000'))
    for (const lines of await Promise.all(children.map((child) => cut(child, 'sent', 120))))
      for (const [word, name, n, id = ''] of lines) if (word === 'sent') acknowledged.set(id, `${name} ${n}`)
    await withStore(dir, ({ mail }) => {
      const kept = mail.list({ scope: 'faults' }).map(({ message }) => message)
      const byId = new Map(kept.map(({ id, body }) => [id, body]))
      for (const [id, body] of acknowledged) expect(byId.get(id)).toBe(body)
      expect(new Set(kept.map((message) => message.body)).size).toBe(kept.length)
      expect(kept.length).toBeLessThanOrEqual(acknowledged.size + 2 * (round + 1))
    })
    survived++
  }
  report('store killed while messages are sent', survived, tried)
})

/** In milliseconds: long enough for a live reader on a busy machine to acknowledge its messages. */
const lease = 500

test('kill -9 of readers loses no message', { timeout: 600_000 }, async () => {
  const dir = ground.fresh()
  const tried = rounds(3)
  const total = tried * 400
  await withStore(dir, async ({ mail }) => {
    const bodies = Array.from({ length: total }, (_, i) => `s ${i + 1}`)
    await Promise.all(
      bodies.map((body) => mail.sendBatched({ scope: 'faults', from: 's', to: 'box', type: 'status', body })),
    )
  })
  const acknowledged = new Set<string>()
  const read = new Map<string, number>()
  const take = (lines: string[][]) => {
    for (const line of lines) {
      if (line[0] === 'read') {
        const id = line[4] ?? ''
        // read again only because its acknowledgement had never been heard of
        expect(acknowledged.has(id)).toBe(false)
        read.set(id, Number(line[3]))
      }
      if (line[0] === 'acknowledged') for (const id of (line[1] ?? '').split(',')) acknowledged.add(id)
    }
  }
  for (let round = 0; round < tried; round++) {
    take(await cut(ground.start(dir, 'read', `r${round}`, 'box', `${lease}`), 'read', 30))
    await sleep(lease + 10)
  }
  await withStore(dir, ({ mail }) =>
    mail.send({ scope: 'faults', from: 's', to: 'box-stop', type: 'status', body: 'stop' }),
  )
  const last = ground.start(dir, 'read', 'last', 'box', `${lease}`)
  expect(await last.ended).toBe(0)
  take(last.lines())
  await sleep(lease + 10)
  await withStore(dir, ({ mail }) => {
    const left = mail.list({ scope: 'faults', recipient: 'box', states: ['queued', 'leased'] })
    expect(left).toEqual([])
    expect(mail.list({ scope: 'faults', recipient: 'box', states: ['dead'] })).toEqual([])
  })
  expect([...read.values()].sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i + 1))
  report('reader killed between lease and acknowledgement', tried, tried)
})

test('kill -9 of a writer of thread events loses no acknowledged event', { timeout: 600_000 }, async () => {
  const dir = ground.fresh()
  const tried = rounds(3)
  let id = ''
  await withStore(dir, ({ threads }) => {
    id = threads.create({ workspace: '/w', title: 't', profile: 'p' }).id
  })
  let survived = 0
  let before = 0
  for (let round = 0; round < tried; round++) {
    const lines = await cut(ground.start(dir, 'append', id, `run${round}`), 'appended', 120)
    const acknowledged = lines.filter(([word]) => word === 'appended').length * 3
    await withStore(dir, ({ threads }) => {
      const count = threads.get(id)?.events ?? 0
      // three at a time or none
      expect(count % 3).toBe(0)
      expect(count - before).toBeGreaterThanOrEqual(acknowledged)
      expect(count - before).toBeLessThanOrEqual(acknowledged + 3)
      let place = before
      for (;;) {
        const page = threads.events(id, place, 500)
        if (page.length === 0) break
        for (const event of page) expect(event.pos).toBe(++place)
      }
      expect(place).toBe(count)
      before = count
      expect(threads.search(`run${round} filler`, { limit: 1 })).toHaveLength(1)
    })
    survived++
  }
  report('store killed while a thread grows', survived, tried)
})

test('kill -9 during the first start leaves a store that the next start can use', {
  timeout: 600_000,
}, async () => {
  const tried = rounds(4)
  let survived = 0
  for (let round = 0; round < tried; round++) {
    const dir = ground.fresh()
    const child = ground.start(dir, 'send', 's', 'box', '1')
    await sleep(30 + next() * 150)
    await child.kill()
    const said = child.lines().some(([word]) => word === 'sent')
    await withStore(dir, ({ mail, todos }) => {
      if (said) expect(mail.list({ scope: 'faults' })).toHaveLength(1)
      todos.replace('t', [{ id: '1', content: 'x', status: 'pending' }])
    })
    survived++
  }
  report('store killed while it is made', survived, tried)
})

test('kill -9 of a process that holds the lock does not keep the store locked', {
  timeout: 60_000,
}, async () => {
  const dir = ground.fresh()
  const child = ground.start(dir, 'hold')
  await child.seen('held')
  await child.kill()
  await withStore(dir, ({ todos }) => {
    todos.replace('t', [{ id: '1', content: 'x', status: 'pending' }])
    expect(todos.read('t')).toHaveLength(1)
  })
  report('lock of a killed process', 1, 1)
})
