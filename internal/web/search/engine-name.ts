// The name of the search engine that the settings choose. This file does not load any engine.
import type { EnvironmentVariables } from '../../base/environment.ts'

const engineNames = ['exa', 'serper', 'searxng', 'duckduckgo'] as const
export type EngineName = (typeof engineNames)[number]

/** The settings of the configuration for web searches. */
export interface WebSettings {
  provider?: string | undefined
  searxngUrl?: string | undefined
  exaKey?: string | undefined
  serperKey?: string | undefined
}

/** Returns the key of the search engine Exa; empty without one. */
export function exaKeyOf(web: WebSettings, env: EnvironmentVariables): string {
  return web.exaKey || env.EXA_API_KEY || ''
}

/** Returns the key of the search engine Serper; empty without one. */
export function serperKeyOf(web: WebSettings, env: EnvironmentVariables): string {
  return web.serperKey || env.SERPER_KEY || ''
}

/**
 * Returns the name of the engine that the settings force, else `preferred` if its key is set, else the first
 * engine with a key or URL: Exa, SearXNG, Serper. Otherwise returns DuckDuckGo, which needs neither.
 */
export function chooseEngineName(
  web: WebSettings,
  env: EnvironmentVariables,
  preferred?: 'serper',
): EngineName {
  const forced = engineNames.find((name) => name === web.provider)
  if (forced) return forced
  const hasSerper = serperKeyOf(web, env) !== ''
  if (preferred && hasSerper) return preferred
  if (exaKeyOf(web, env)) return 'exa'
  if (web.searxngUrl) return 'searxng'
  return hasSerper ? 'serper' : 'duckduckgo'
}
