// The catalog of models: windows and prices by provider. It comes from the build, or from a later update
// by the user.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataDir, readPrebuilt } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isObject } from '../../base/untrusted-json.ts'
import type { CatalogModel, ModelCatalog } from './catalog-model.ts'
import { matchesName } from './name-match.ts'
import { convertPriceData, sourceProviders } from './price-source.ts'

/** The release of @pydantic/genai-prices that the build uses for the catalog, and its day. */
export const priceSource = { version: '0.1.8', date: '2026-09-23' }

/** Returns the path of a downloaded catalog. */
export const updatedCatalogFile = (env: EnvironmentVariables): string => join(dataDir(env), 'models.json')

let built: ModelCatalog | undefined
const updated = new Map<string, ModelCatalog | undefined>()

/**
 * Returns the catalog of the build, or the downloaded one if its date is later. Without `env` always that of
 * the build. Each file is read once per process. Throws the system's error if a downloaded catalog exists but
 * cannot be read.
 */
export function readModelCatalog(env?: EnvironmentVariables): ModelCatalog {
  built ??= (readPrebuilt('models.json') as ModelCatalog | undefined) ?? makeModelCatalog()
  const path = env && updatedCatalogFile(env)
  if (path === undefined) return built
  if (!updated.has(path)) updated.set(path, readUpdated(path))
  const newer = updated.get(path)
  return newer && newer.date > built.date ? newer : built
}

/**
 * Stores a catalog in the data directory of this user, which is used while it is newer than the built one.
 */
export async function storeModelCatalog(env: EnvironmentVariables, catalog: ModelCatalog): Promise<void> {
  const path = updatedCatalogFile(env)
  makeDirectory(dirname(path), 0o700)
  const { writeAtomic } = await import('../../base/files/atomic-write.ts')
  await writeAtomic(path, Buffer.from(JSON.stringify(catalog)))
  updated.set(path, catalog)
}

/**
 * Returns the downloaded catalog; undefined if it does not exist or is not a valid catalog. Throws other
 * errors of reading.
 */
function readUpdated(path: string): ModelCatalog | undefined {
  try {
    const catalog: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(catalog) && typeof catalog.date === 'string' && isObject(catalog.providers))
      return catalog as unknown as ModelCatalog
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error
  }
  return undefined
}

/** Makes the catalog from the installed package of prices, for the build and for runs from sources. */
export function makeModelCatalog(): ModelCatalog {
  // only the build and runs from sources call this, so no start of the bundle loads the module
  const { createRequire } = process.getBuiltinModule('node:module')
  const { findProvider } = createRequire(import.meta.url)('@pydantic/genai-prices') as {
    findProvider(options: { providerId: string }): unknown
  }
  const data = sourceProviders.map((providerId) => findProvider({ providerId }))
  return convertPriceData(data, priceSource.date)
}

/**
 * Returns the provider's model with the id `name`, else its first model whose pattern matches `name`;
 * undefined without one.
 */
export function findCatalogModel(
  catalog: ModelCatalog,
  provider: string,
  name: string,
): CatalogModel | undefined {
  const rows = catalog.providers[provider] ?? []
  return rows.find(({ id }) => id === name) ?? rows.find(({ match }) => matchesName(match, name))
}
