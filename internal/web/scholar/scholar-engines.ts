// The selection and order of scholarly search engines: the configured engine, else all that can be used.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { arxivBase, createArxivSearch } from './arxiv.ts'
import { createCrossrefSearch, crossrefBase } from './crossref.ts'
import { createOpenalexSearch, openalexBase } from './openalex.ts'
import type { ScholarSearch } from './scholar-paper.ts'
import { createSemanticScholarSearch, semanticScholarBase } from './semantic-scholar.ts'
import { createSerperSearch, serperBase } from './serper.ts'

/** Settings of the configuration for scholarly search engines. */
interface ScholarSettings {
  scholar?: string | undefined
  openalexKey?: string | undefined
  serperKey?: string | undefined
}

export interface ScholarEngine {
  name: string
  host: string
  search: ScholarSearch
  /** The key or setting that is missing, without which the engine cannot be used. */
  missing?: string
}

/**
 * Returns the engines to use, at least one. An engine that the settings name is the only one. Only Serper
 * needs a key; with a key it comes first.
 */
export function chooseScholarEngines(
  web: ScholarSettings,
  env: EnvironmentVariables,
): [ScholarEngine, ...ScholarEngine[]] {
  const serperKey = web.serperKey || env.SERPER_KEY || ''
  const openalex: ScholarEngine = {
    name: 'openalex',
    host: new URL(openalexBase).hostname,
    search: createOpenalexSearch(web.openalexKey || env.OPENALEX_API_KEY || ''),
  }
  const serper: ScholarEngine = {
    name: 'serper',
    host: new URL(serperBase).hostname,
    search: createSerperSearch(serperKey),
    missing: serperKey
      ? undefined
      : 'web.scholar is serper, which needs a key in web.serperKey or SERPER_KEY',
  }
  const others: ScholarEngine[] = [
    {
      name: 'semantic_scholar',
      host: new URL(semanticScholarBase).hostname,
      search: createSemanticScholarSearch(env.SEMANTIC_SCHOLAR_API_KEY ?? ''),
    },
    { name: 'crossref', host: new URL(crossrefBase).hostname, search: createCrossrefSearch() },
    { name: 'arxiv', host: new URL(arxivBase).hostname, search: createArxivSearch() },
  ]
  const forced = [serper, openalex, ...others].find(({ name }) => name === web.scholar)
  if (forced) return [forced]
  return serperKey ? [serper, openalex, ...others] : [openalex, ...others]
}
