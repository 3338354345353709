// Which servers may keep studies, by their reply to INFO.
import { expect, test } from 'vitest'
import { findUnsafeSettings } from '../../../../internal/study/redis/server-check.ts'

const info = (over: Record<string, string> = {}) =>
  Object.entries({ redis_version: '7.0.15', aof_enabled: '1', maxmemory_policy: 'noeviction', ...over })
    .map(([name, value]) => `${name}:${value}`)
    .join('\r\n')

test.each<[string, Record<string, string>, string | undefined]>([
  ['a good one', {}, undefined],
  ['the oldest that will do', { redis_version: '6.2.0' }, undefined],
  ['a far newer one', { redis_version: '10.0.1' }, undefined],
  ['an old one', { redis_version: '6.0.16' }, "the server's version is 6.0.16; 6.2 or newer is needed"],
  [
    'one that does not say its version',
    { redis_version: '' },
    "the server's version is ; 6.2 or newer is needed",
  ],
  ['one that keeps nothing', { aof_enabled: '0' }, 'appendonly is off; set "appendonly yes"'],
  [
    'one that evicts',
    { maxmemory_policy: 'allkeys-lru' },
    'maxmemory-policy is allkeys-lru; set "maxmemory-policy noeviction"',
  ],
  [
    'one with both',
    { aof_enabled: '0', maxmemory_policy: 'volatile-ttl' },
    'appendonly is off and maxmemory-policy is volatile-ttl; set "appendonly yes" and ' +
      '"maxmemory-policy noeviction"',
  ],
])('%s', (_, over, fault) => {
  expect(findUnsafeSettings(`# Server\r\n${info(over)}\r\n`)).toBe(fault)
})
