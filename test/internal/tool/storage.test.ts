// Storage: the session's store, or the reason why there is none.
import { expect, test } from 'vitest'
import { hasStore, storeOf } from '../../../internal/tool/storage.ts'
import { ctxWith } from '../../support/ctx.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()

test('the store of the session', async () => {
  expect(hasStore(place.ctx())).toBe(true)
  expect(await storeOf(place.ctx())).toBe(place.store)
})

test('a session without one', async () => {
  expect(hasStore(ctxWith())).toContain('no data directory')
  await expect(storeOf(ctxWith())).rejects.toMatchObject({ failure: { code: 'unavailable' } })
})
