// Pages that are kept: for five minutes, up to a size, the newest first, and for one session only.
import { expect, test } from 'vitest'
import { createPageCache, pageCacheOf } from '../../../internal/web/page-cache.ts'
import type { WebPage } from '../../../internal/web/page-text.ts'

const page = (chars: number): WebPage => ({
  ...{
    url: 'https://a.test/',
    redirects: [],
    named: [],
    status: 200,
    contentType: 'text/plain',
    sha256: '',
    fetched: '',
  },
  ...{ kind: 'text', text: 'x'.repeat(chars), notes: [] },
})

test('keeps a page for five minutes', () => {
  let now = 0
  const cache = createPageCache(() => now)
  cache.put('a', page(1))
  now = 299_999
  expect(cache.get('a')).toEqual(page(1))
  now = 300_000
  expect(cache.get('a')).toBeUndefined()
})

test('removes the oldest page above 16 MiB, and does not store a page that is larger', () => {
  const cache = createPageCache(() => 0)
  for (const key of ['a', 'b', 'c']) cache.put(key, page(3 << 20))
  cache.put('d', page(9 << 20))
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true, false])
})

test('sessions do not share pages', () => {
  const [one, other] = [async () => Promise.reject(), async () => Promise.reject()]
  pageCacheOf(one).put('a', page(1))
  expect([pageCacheOf(one).get('a'), pageCacheOf(other).get('a')]).toEqual([page(1), undefined])
})
