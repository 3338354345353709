// Stored approvals: they are found again, damaged records are ignored, and the order of keys does not matter.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestJson, grantApproval, readApproval, revokeApproval } from '../../../internal/trust/approval.ts'
import { scratch } from '../../support/scratch.ts'

test('the digest depends on the value, not on its spelling', () => {
  expect(digestJson({ a: 1, b: [{ c: 2, d: undefined }] })).toBe(digestJson({ b: [{ c: 2 }], a: 1 }))
  expect(digestJson({ a: 1 })).not.toBe(digestJson({ a: '1' }))
  expect(digestJson(['a', 'b'])).not.toBe(digestJson(['b', 'a']))
})

test('grants, reads and revokes an approval', async () => {
  const dir = scratch()
  expect(readApproval(dir, 'k')).toBeUndefined()
  await grantApproval(dir, 'k', { launch: 'l', parts: { echo: 'e' } })
  expect(readApproval(dir, 'k')).toMatchObject({ launch: 'l', parts: { echo: 'e' } })
  expect(statSync(join(dir, 'trust', 'approved', 'k.json')).mode & 0o777).toBe(0o600)
  revokeApproval(dir, 'k')
  expect(readApproval(dir, 'k')).toBeUndefined()
})

test.each(['', '{', 'null', '[]', '{"launch": 1}', '{"launch": "l", "granted": "g", "parts": null}'])(
  'ignores the record %j',
  (text) => {
    const dir = scratch()
    mkdirSync(join(dir, 'trust', 'approved'), { recursive: true })
    writeFileSync(join(dir, 'trust', 'approved', 'k.json'), text)
    expect(readApproval(dir, 'k')).toBeUndefined()
  },
)
