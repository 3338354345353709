// The catalogue of models: windows and prices by provider, as the build wrote it or a later update did.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readPrebuilt } from '../../base/files/prebuilt-files.ts'
import { isObject } from '../../base/untrusted-json.ts'
import type { CatalogModel, ModelCatalog } from './catalog-model.ts'
import { matchesName } from './name-match.ts'
import { convertPriceData, sourceProviders } from './price-source.ts'

/** The release of @pydantic/genai-prices that the build takes the catalogue from, and its day. */
export const priceSource = { version: '0.1.8', date: '2026-09-23' }

/** What an update has fetched. */
export const updatedCatalogFile = (env: EnvironmentVariables): string => join(dataDir(env), 'models.json')

let built: ModelCatalog | undefined
const updated = new Map<string, ModelCatalog | undefined>()

/** The newer of the catalogue of the build and that of an update. Both are read once. */
export function readModelCatalog(env?: EnvironmentVariables): ModelCatalog {
  built ??= (readPrebuilt('models.json') as ModelCatalog | undefined) ?? makeModelCatalog()
  const path = env && updatedCatalogFile(env)
  if (path === undefined) return built
  if (!updated.has(path)) updated.set(path, readUpdated(path))
  const newer = updated.get(path)
  return newer && newer.date > built.date ? newer : built
}

/** Keeps a catalogue beside the data of this user; from now on it counts where it is newer. */
export async function storeModelCatalog(env: EnvironmentVariables, catalog: ModelCatalog): Promise<void> {
  const path = updatedCatalogFile(env)
  makeDirectory(dirname(path), 0o700)
  const { writeAtomic } = await import('../../base/files/atomic-write.ts')
  await writeAtomic(path, Buffer.from(JSON.stringify(catalog)))
  updated.set(path, catalog)
}

/** Undefined where there was no update, or where its file cannot be read: the built one is always there. */
function readUpdated(path: string): ModelCatalog | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(found) && typeof found.date === 'string' && isObject(found.providers))
      return found as unknown as ModelCatalog
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error
  }
  return undefined
}

/** The catalogue of the installed package of prices: what the build writes, and what sources use directly. */
export function makeModelCatalog(): ModelCatalog {
  // only sources come here, so no start loads the module
  const { createRequire } = process.getBuiltinModule('node:module')
  const { findProvider } = createRequire(import.meta.url)('@pydantic/genai-prices') as {
    findProvider(options: { providerId: string }): unknown
  }
  const data = sourceProviders.map((providerId) => findProvider({ providerId }))
  return convertPriceData(data, priceSource.date)
}

/** The row of a model, by its id first and then by what its names match. */
export function findCatalogModel(
  catalog: ModelCatalog,
  provider: string,
  name: string,
): CatalogModel | undefined {
  const rows = catalog.providers[provider] ?? []
  return rows.find(({ id }) => id === name) ?? rows.find(({ match }) => matchesName(match, name))
}
