// The entry of a model in the catalog.
import type { ModelPrice } from '../model-price.ts'
import type { NameMatch } from './name-match.ts'

export interface CatalogModel {
  id: string
  match: NameMatch
  /** Window in tokens; undefined if the source does not contain it. */
  window?: number
  price: ModelPrice
}

export interface ModelCatalog {
  /** The day on which its numbers were correct, as YYYY-MM-DD. */
  date: string
  /** The models of each provider, by Anode's name for the provider. */
  providers: Readonly<Record<string, readonly CatalogModel[]>>
}
