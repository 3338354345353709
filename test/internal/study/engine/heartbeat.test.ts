// A lease is prolonged for as long as its heart beats, and its holder learns when it is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { startHeartbeat } from '../../../../internal/study/engine/heartbeat.ts'
import { scratch } from '../../../support/scratch.ts'
import { head } from '../../../support/study.ts'

const leaseMs = 1_500

test(
  'a lease outlives its time while it is prolonged, and is lost to whoever claims it ' + 'afterwards',
  async () => {
    const journal = await openJournal(scratch())
    const { id: study, ...rest } = head()
    await journal.create(study, { kind: 'study', data: { id: study, ...rest } }, {})
    const job = { study, task: 't1', epoch: 0 }
    const claimed = await journal.claim(job, 'first', leaseMs)
    if (claimed.state !== 'ok') throw new Error(claimed.state)
    const fence = { task: 't1', epoch: claimed.epoch, owner: 'first' }
    const held: boolean[] = []
    const heartbeat = startHeartbeat(
      { journal, study, fence, leaseMs, heartbeatMs: 50 },
      (isHeld) => void held.push(isHeld),
    )
    try {
      await sleep(leaseMs * 1.4)
      expect(await journal.claim(job, 'second', leaseMs)).toMatchObject({ state: 'busy' })
      expect(held.every(Boolean)).toBe(true)
      await journal.release(study, 't1', 'first', false)
      await heartbeat.beat()
      await heartbeat.beat()
      expect(held.at(-1)).toBe(false)
    } finally {
      heartbeat.stop()
      await journal.close()
    }
  },
)
