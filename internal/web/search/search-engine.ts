// The search engine for a query: the one that the settings force, else the first with a key or URL, else
// DuckDuckGo. For Exa and Serper, another engine can follow if it fails.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { serperBase } from '../scholar/serper.ts'
import { createDuckduckgoSearch, duckduckgoBase } from './duckduckgo.ts'
import { chooseEngineName, type EngineName, exaKeyOf, serperKeyOf, type WebSettings } from './engine-name.ts'
import { createExaSearch, exaBase } from './exa.ts'
import { createSearxngSearch } from './searxng.ts'
import { createSerperWebSearch } from './serper.ts'
import type { WebSearch } from './web-query.ts'

export interface SearchEngine {
  name: EngineName
  /** Name of the engine as users know it. */
  title: string
  host: string
  search: WebSearch
  /** The setting or key that is missing, without which the engine cannot be used. */
  missing?: string
  /**
   * Engine that gets the query if this one fails. Only Exa and Serper can have one, unless the user chose
   * them by name.
   */
  next?: SearchEngine
}

/**
 * Returns the engine for searches. `preferred` is chosen if its key is set and the settings force
 * no other engine.
 */
export function chooseEngine(
  web: WebSettings,
  env: EnvironmentVariables,
  preferred?: 'serper',
): SearchEngine {
  const base = web.searxngUrl ?? ''
  const makers = {
    exa: () => exaOf(exaKeyOf(web, env)),
    serper: () => serperOf(serperKeyOf(web, env)),
    searxng: () => searxngOf(base),
    duckduckgo: duckduckgoOf,
  }
  const name = chooseEngineName(web, env, preferred)
  if ((name !== 'exa' && name !== 'serper') || web.provider === name) return makers[name]()
  // If the first engine fails, the user's own SearXNG server comes before the public engine.
  const next = base ? searxngOf(base) : duckduckgoOf()
  return next.missing === undefined ? { ...makers[name](), next } : makers[name]()
}

function exaOf(key: string): SearchEngine {
  const missing = key ? undefined : 'web.provider is exa, which needs a key in web.exaKey or EXA_API_KEY'
  const host = new URL(exaBase).hostname
  return { name: 'exa', title: 'Exa', host, search: createExaSearch(key), missing }
}

function serperOf(key: string): SearchEngine {
  const missing = key ? undefined : 'web.provider is serper, which needs a key in web.serperKey or SERPER_KEY'
  const host = new URL(serperBase).hostname
  return { name: 'serper', title: 'Serper', host, search: createSerperWebSearch(key), missing }
}

function searxngOf(base: string): SearchEngine {
  const usable = URL.canParse(base) && /^https?:/i.test(base)
  const missing = usable ? undefined : 'SearXNG needs the http address of a server in web.searxngUrl'
  const host = usable ? new URL(base).hostname : ''
  return { name: 'searxng', title: 'SearXNG', host, search: createSearxngSearch(base), missing }
}

function duckduckgoOf(): SearchEngine {
  const host = new URL(duckduckgoBase).hostname
  return { name: 'duckduckgo', title: 'DuckDuckGo', host, search: createDuckduckgoSearch() }
}
