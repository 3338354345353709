// The store is made on first use, and closed however that ends.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withDataStore } from '../../../../internal/runtime/workspace/data-store.ts'
import type { Store } from '../../../../internal/store/store.ts'
import { scratch } from '../../../support/scratch.ts'

test('the store is open only during the work, also if the work fails', async () => {
  const data = join(scratch(), 'data')
  const env = { ANODE_DATA_DIR: data }
  let kept: Store | undefined
  const failing = withDataStore(env, (store) => {
    kept = store
    store.answers.add('/w', { tool: 'bash', action: 'allow' })
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  expect(existsSync(join(data, 'anode.db'))).toBe(true)
  expect(() => kept?.answers.list('/w')).toThrow()
  expect(await withDataStore(env, async (store) => store.answers.list('/w').length)).toBe(1)
})
