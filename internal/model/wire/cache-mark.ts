// The mark that ends a part of a prompt which the provider is to keep.

/** How long the provider keeps a marked prefix. */
export type CacheLifetime = '5m' | '1h'

/** A mark: what stands before it is kept. Five minutes are what the provider takes for granted. */
export function cacheControl(cache: CacheLifetime): { type: 'ephemeral'; ttl?: '1h' } {
  return cache === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
