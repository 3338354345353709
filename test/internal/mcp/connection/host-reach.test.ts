// The protection of a server's host: a host that was public at first never resolves to this machine later.
import { expect, test } from 'vitest'
import { openReach } from '../../../../internal/mcp/connection/host-reach.ts'
import { scratch } from '../../../support/scratch.ts'

test.each([
  ['public, then private', ['93.184.216.34'], ['127.0.0.1'], [false, false]],
  ['private, then public', ['10.0.0.7'], ['93.184.216.34'], [true, true]],
  ['mixed answers', ['93.184.216.34', '127.0.0.1'], ['127.0.0.1'], [false, false]],
  ['unknown at first', [], ['10.0.0.7'], [false, true]],
  ['mapped and metadata addresses', ['::ffff:93.184.216.34'], ['169.254.169.254'], [false, false]],
])('%s', async (_, first, second, expected) => {
  const data = scratch()
  const seen = []
  for (const answer of [first, second])
    seen.push(await openReach(data, 'k', async () => answer).isPrivate('mcp.example.org'))
  expect(seen).toEqual(expected)
})

test('remembers nothing for hosts that are private by name, and checks other hosts', async () => {
  const data = scratch()
  const reach = openReach(data, 'k', async (host) =>
    host.startsWith('a') ? ['93.184.216.34'] : ['10.1.1.1'],
  )
  for (const host of ['localhost', '127.0.0.1', '::1', '192.168.1.1', 'x.internal'])
    expect(await reach.isPrivate(host)).toBe(true)
  expect(await reach.isPrivate('8.8.8.8')).toBe(false)
  expect(await reach.isPrivate('a.example')).toBe(false)
  expect(await reach.isPrivate('b.example')).toBe(true)
})
