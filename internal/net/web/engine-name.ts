// Which search engine the settings choose, by name alone: it loads no engine.
import type { EnvironmentVariables } from '../../base/environment.ts'

const engineNames = ['exa', 'searxng', 'duckduckgo'] as const
export type EngineName = (typeof engineNames)[number]

/** The part of the configuration that is about the web. */
export interface WebSettings {
  provider?: string | undefined
  searxngUrl?: string | undefined
  exaKey?: string | undefined
}

/** The key of Exa, or an empty string. */
export function exaKeyOf(web: WebSettings, env: EnvironmentVariables): string {
  return web.exaKey || env.EXA_API_KEY || ''
}

/** The engine that the settings force, else the first that is set up. DuckDuckGo needs nothing. */
export function chooseEngineName(web: WebSettings, env: EnvironmentVariables): EngineName {
  const forced = engineNames.find((name) => name === web.provider)
  if (forced) return forced
  if (exaKeyOf(web, env)) return 'exa'
  return web.searxngUrl ? 'searxng' : 'duckduckgo'
}
