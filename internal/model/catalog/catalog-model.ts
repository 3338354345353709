// What the catalogue holds of a model.
import type { ModelPrice } from '../model-price.ts'
import type { NameMatch } from './name-match.ts'

export interface CatalogModel {
  id: string
  match: NameMatch
  /** Tokens; absent where the source does not say. */
  window?: number
  price: ModelPrice
}

export interface ModelCatalog {
  /** The day on which its figures were true, as YYYY-MM-DD. */
  date: string
  /** By our names of the providers. */
  providers: Readonly<Record<string, readonly CatalogModel[]>>
}
