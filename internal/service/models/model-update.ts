// Update of the model catalog, with prices and context windows. It runs only when the user requests it.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { messageOf, UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/open-file.ts'
import { readModelCatalog, storeModelCatalog } from '../../model/catalog/model-catalog.ts'
import { convertPriceData } from '../../model/catalog/price-source.ts'
import { createGuardedFetch } from '../../net/ssrf-guard.ts'

/** The URL at which the source of the price list publishes its data. */
const publishedData =
  'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json'

const maxBytes = 16 << 20

interface CatalogUpdate {
  /** Number of models in the new list. */
  models: number
  date: string
  dateBefore: string
}

/**
 * Reads `from` (a URL or a file; default: the published list) and stores its data. Throws UserError if the
 * list is unavailable or invalid; then nothing changes.
 */
export async function updateModelCatalog(
  env: EnvironmentVariables,
  from: string | undefined,
  today: string,
): Promise<CatalogUpdate> {
  const place = from ?? publishedData
  const text = /^https?:\/\//.test(place) ? await fetchText(place) : readText(place)
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${place} is not JSON`, { hint: 'nothing was changed', cause })
  }
  const catalog = convertPriceData(data, today)
  const before = readModelCatalog(env)
  const missing = Object.keys(before.providers).filter((id) => !catalog.providers[id])
  // if a provider is missing in the new list, the data format has probably changed, so the list is refused
  if (missing.length > 0) {
    throw new UserError(`${place} is not a valid price list: it has no prices for ${missing.join(', ')}`, {
      hint: 'nothing was changed',
    })
  }
  await storeModelCatalog(env, catalog)
  const models = Object.values(catalog.providers).reduce((sum, rows) => sum + rows.length, 0)
  return { models, date: catalog.date, dateBefore: before.date }
}

async function fetchText(url: string): Promise<string> {
  try {
    const answer = await createGuardedFetch()({ url, maxBytes })
    if (answer.status !== 200 || answer.cut)
      throw new Error(answer.cut ? 'the answer is too long' : `HTTP ${answer.status}`)
    return answer.body
  } catch (cause) {
    throw new UserError(`${url}: ${messageOf(cause)}`, {
      hint: 'nothing was changed; --from FILE takes a list that was fetched otherwise',
      cause,
    })
  }
}

function readText(path: string): string {
  const text = readSmall(path, maxBytes)
  if (text === undefined) throw new UserError(`file not found: ${path}`, { hint: 'nothing was changed' })
  return text
}
