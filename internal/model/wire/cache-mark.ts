// The mark at the end of a part of a prompt that the provider is to cache.

/** How long the provider stores a marked prefix. */
export type CacheLifetime = '5m' | '1h'

/** Returns a mark, which caches the text before it. Five minutes are the provider's default. */
export function cacheControl(cache: CacheLifetime): { type: 'ephemeral'; ttl?: '1h' } {
  return cache === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
