// A cache of fetched pages. With it, several calls that show parts of one page see the same version.
import { monotonicNow } from '../base/time-limit.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { WebPage } from './page-text.ts'

const maxAgeMs = 300_000
const maxBytes = 16 << 20

interface PageCache {
  get(key: string): WebPage | undefined
  put(key: string, page: WebPage): void
}

const caches = new WeakMap<GuardedFetch, PageCache>()

/**
 * Returns the page cache of one session, which is created on first use. It belongs to the session's function
 * `fetch` and ends with it.
 */
export function pageCacheOf(fetch: GuardedFetch): PageCache {
  const cache = caches.get(fetch) ?? createPageCache(monotonicNow)
  caches.set(fetch, cache)
  return cache
}

/**
 * Returns an empty cache. A page stays for 5 minutes. All texts together take at most 16 MiB: the oldest
 * pages are dropped first, and a larger text is not stored. `now` returns milliseconds.
 */
export function createPageCache(now: () => number): PageCache {
  const pages = new Map<string, { page: WebPage; until: number; bytes: number }>()
  const drop = (isOver: (bytes: number) => boolean) => {
    let sum = [...pages.values()].reduce((total, { bytes }) => total + bytes, 0)
    for (const [key, { until, bytes }] of pages) {
      if (until > now() && !isOver(sum)) continue
      pages.delete(key)
      sum -= bytes
    }
  }
  return {
    get(key) {
      const entry = pages.get(key)
      return entry && entry.until > now() ? entry.page : undefined
    },
    put(key, page) {
      // Texts in memory have two bytes per UTF-16 unit.
      const bytes = 2 * page.text.length
      pages.delete(key)
      if (bytes > maxBytes) return
      pages.set(key, { page, until: now() + maxAgeMs, bytes })
      drop((sum) => sum > maxBytes)
    },
  }
}
