// Which search engine is asked: the one that the settings force, else the first that is set up, and who comes
// after it.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { createDuckduckgoSearch, duckduckgoBase } from './duckduckgo.ts'
import { chooseEngineName, type EngineName, exaKeyOf, type WebSettings } from './engine-name.ts'
import { createExaSearch, exaBase } from './exa.ts'
import { createSearxngSearch } from './searxng.ts'
import type { WebSearch } from './web-query.ts'

export interface SearchEngine {
  name: EngineName
  /** As people write it. */
  title: string
  host: string
  search: WebSearch
  /** What the engine lacks to be used. */
  missing?: string
  /** Asked when this one fails; absent where the engine was chosen by name, or is the last resort itself. */
  next?: SearchEngine
}

export function chooseEngine(web: WebSettings, env: EnvironmentVariables): SearchEngine {
  const key = exaKeyOf(web, env)
  const base = web.searxngUrl ?? ''
  const makers = { exa: () => exaOf(key), searxng: () => searxngOf(base), duckduckgo: duckduckgoOf }
  const name = chooseEngineName(web, env)
  if (name !== 'exa' || web.provider === 'exa') return makers[name]()
  // a server of one's own comes before everybody's
  const next = base ? searxngOf(base) : duckduckgoOf()
  return { ...exaOf(key), ...(next.missing === undefined && { next }) }
}

function exaOf(key: string): SearchEngine {
  const missing = key ? undefined : 'web.provider is exa, which needs a key in web.exaKey or EXA_API_KEY'
  const host = new URL(exaBase).hostname
  return { name: 'exa', title: 'Exa', host, search: createExaSearch(key), ...(missing && { missing }) }
}

function searxngOf(base: string): SearchEngine {
  const usable = URL.canParse(base) && /^https?:/i.test(base)
  const missing = usable ? undefined : 'SearXNG needs the http address of a server in web.searxngUrl'
  const host = usable ? new URL(base).hostname : ''
  return {
    name: 'searxng',
    title: 'SearXNG',
    host,
    search: createSearxngSearch(base),
    ...(missing && { missing }),
  }
}

function duckduckgoOf(): SearchEngine {
  const host = new URL(duckduckgoBase).hostname
  return { name: 'duckduckgo', title: 'DuckDuckGo', host, search: createDuckduckgoSearch() }
}
