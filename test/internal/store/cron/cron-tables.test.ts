// Scheduled jobs in the database: names, limits, histories.
import { expect, test } from 'vitest'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const job = (name: string, workspace = '/w') => ({
  ...{ workspace, name, schedule: '@daily', timezone: 'UTC', kind: 'execute' as const, prompt: 'x' },
  ...{ flags: { model: 'm' }, next: 1_000 as number | null },
})

test('finds a job by name, id or start of the id, only in its workspace', () => {
  const { cron } = place.store
  const added = cron.add(job('nightly'))
  cron.add(job('nightly', '/other'))
  expect(cron.find('/w', 'nightly')).toEqual(added)
  expect(cron.find('/w', added.id)).toEqual(added)
  expect(cron.find('/w', added.id.slice(0, 20))).toEqual(added)
  expect(cron.list('/w')).toEqual([added])
  expect(cron.list()).toHaveLength(2)
  expect(() => cron.find('/w', 'cron')).toThrow(/unknown job cron/)
  expect(() => cron.add(job('nightly'))).toThrow(/a job named nightly already/)
})

test('stores at most 100 jobs, and removes the runs of a removed job', () => {
  const { cron } = place.store
  for (let i = 0; i < 100; i++) cron.add(job(`job ${i}`))
  expect(() => cron.add(job('one more'))).toThrow(/100 jobs/)
  const first = cron.find('/w', 'job 0')
  const run = cron.claim(first.id, 'me')
  cron.remove(first.id)
  expect([cron.get(first.id), cron.run(run.id), cron.history(first.id, 5)]).toEqual([
    undefined,
    undefined,
    [],
  ])
  cron.add(job('one more'))
})

test('keeps the latest 500 runs of a job', () => {
  const { cron } = place.store
  const { id } = cron.add(job('often'))
  const sql = `INSERT INTO cron_run (id, job, slot, state, late, missed, owner, claim, created, note)
               VALUES (?, ?, ?, 'done', 0, 0, 'me', '', 0, '')`
  place.db.write(() => {
    for (let slot = 1; slot <= 510; slot++) place.db.run(sql, `cronrun_${slot}`, id, slot)
  })
  const slot = { job: id, expected: 1_000, slot: 1_000, next: 2_000, late: false, missed: 0, owner: 'me' }
  cron.take({ ...slot, maxOpen: 2 })
  const all = cron.history(id, 1_000)
  expect([all.length, all[0]?.slot, all.at(-1)?.slot]).toEqual([500, 1_000, 12])
})

test('does not start a second run for a slot that has one, for any clock', () => {
  const { cron } = place.store
  const { id } = cron.add(job('a'))
  const slot = { job: id, expected: 1_000, slot: 1_000, next: 1_000, late: false, missed: 0, owner: 'me' }
  const run = cron.take({ ...slot, maxOpen: 2 })
  cron.end(run?.id ?? '', { state: 'done', thread: null, exit: 0, note: '' })
  expect(cron.take({ ...slot, next: 2_000, maxOpen: 2 })).toBeUndefined()
  expect([cron.history(id, 5).length, cron.get(id)?.next]).toEqual([1, 2_000])
})

test('a disabled job is never due, and an enabled job is due at its next time', () => {
  const { cron } = place.store
  const { id } = cron.add(job('a'))
  cron.setNext(id, null)
  expect([cron.get(id)?.enabled, cron.due(9e15), cron.earliest()]).toEqual([false, [], undefined])
  cron.setNext(id, 5_000)
  expect([cron.get(id)?.enabled, cron.due(4_999), cron.due(5_000).length]).toEqual([true, [], 1])
})
