// What a model costs.

/**
 * US dollars for a million tokens. `above` replaces the prices for requests with more input than `tokens`.
 */
export interface ModelPrice {
  input: number
  output: number
  cached?: number
  /** For what is written to the provider's cache, kept for minutes, and for an hour; else as `input`. */
  cacheWrite?: number
  cacheWrite1h?: number
  above?: Omit<ModelPrice, 'above'> & { tokens: number }
}
