// The contract for every Store, run against each implementation by a separate test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { localMailbox } from '../../../internal/store/mail/mailbox.ts'
import type { Store } from '../../../internal/store/store.ts'
import { mailboxContract } from './mail/contract.ts'
import { taskContract } from './task/contract.ts'
import { threadContract } from './thread/contract.ts'

/** Opens a store in a directory. `now` is its clock. */
type Open = (dir: string, now: () => number) => Promise<Store>

/** A store in a new directory before every test, its clock, and a way to open it once more. */
export interface Place {
  store: Store
  dir: string
  clock: { now: number }
  /** Returns a second handle on the same data, as another process would have. */
  again(): Promise<Store>
}

/** Declares the whole suite for one implementation. */
export function storeContract(name: string, open: Open): void {
  describe(name, () => {
    const place = {} as Place
    let opened: Store[]
    beforeEach(async () => {
      place.dir = mkdtempSync(join(tmpdir(), 'anode-store-'))
      place.clock = { now: 1_700_000_000_000 }
      const { clock } = place
      opened = []
      place.again = async () => {
        const store = await open(place.dir, () => clock.now)
        opened.push(store)
        return store
      }
      place.store = await place.again()
    })
    afterEach(() => {
      for (const store of opened) store.close()
      rmSync(place.dir, { recursive: true, force: true })
    })

    threadContract(place)
    taskContract(place)
    mailboxContract(() => ({
      box: localMailbox(place.store.mail),
      scope: 'study:A',
      other: 'study:B',
      clock: place.clock,
      again: async () => localMailbox((await place.again()).mail),
    }))

    test('returns blobs byte for byte, by the hash of their content', async () => {
      const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256)
      const hash = place.store.blobs.put(bytes)
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
      expect(place.store.blobs.put(bytes)).toBe(hash)
      expect(Buffer.compare((await place.again()).blobs.get(hash) as Uint8Array, bytes)).toBe(0)
      expect(place.store.blobs.put(new Uint8Array())).toBe(
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      )
      for (const unknown of ['0'.repeat(64), '', '../anode.db', hash.toUpperCase()])
        expect(place.store.blobs.get(unknown)).toBeUndefined()
    })

    test('stores answers per workspace, once each, and can delete them', async () => {
      const { answers } = place.store
      const rule = { tool: 'bash', action: 'allow', command: 'git status' }
      answers.add('/a', rule)
      answers.add('/a', rule)
      answers.add('/a', { tool: 'read', action: 'deny' })
      answers.add('/b', rule)
      const [first, second] = (await place.again()).answers.list('/a')
      expect(first).toEqual({ id: first?.id, rule, created: place.clock.now })
      expect(second?.rule).toEqual({ tool: 'read', action: 'deny' })
      expect(answers.forget('/b', first?.id as number)).toBe(false)
      expect(answers.forget('/a', first?.id as number)).toBe(true)
      expect(answers.list('/a').map((answer) => answer.rule['tool'])).toEqual(['read'])
      expect(answers.list('/b')).toHaveLength(1)
    })
  })
}
