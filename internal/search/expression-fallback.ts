// The search for a text, and for the text as a regular expression if the text itself has no match.
import { FailureError } from '../base/errors.ts'
import type { SearchMeans } from './ripgrep/ripgrep.ts'
import type { SearchTree } from './search-tree.ts'
import type { TextQuery, TextSearchResult } from './text-query.ts'
import { searchText } from './text-search.ts'

/** Signs of an expression: classes, any number of any character, anchors, alternatives. */
const expressionSigns = /\\[bBdDsSwW.()[\]{}|*+?$^]|\.[*+]|\][*+]|^\^|\$$|\w\|\w|\[\^|\[[^\]]*\w-\w[^\]]*\]/

/**
 * Returns the result of the query. If a literal pattern has no match and looks like an expression, it is also
 * searched as an expression, and `found` is that result if it has a match. Throws like `searchText`.
 */
export async function searchTextOrExpression(tree: SearchTree, query: TextQuery, means: SearchMeans) {
  const literal = await searchText(tree, query, means)
  const isTried = !query.regex && query.patterns.some((one) => expressionSigns.test(one)) && isEmpty(literal)
  const expression = isTried ? await searchExpression(tree, query, means) : undefined
  return { found: expression ?? literal, triedExpression: isTried, isExpression: expression !== undefined }
}

const isEmpty = ({ files, left, binary, ended }: TextSearchResult) =>
  files.length === 0 && left.files === 0 && !binary && ended === undefined

/**
 * Returns the matches of the patterns as expressions; undefined for an invalid expression or without a match.
 */
async function searchExpression(tree: SearchTree, query: TextQuery, means: SearchMeans) {
  try {
    // grep without -E writes alternatives as \|
    const patterns = query.patterns.map((pattern) => pattern.replaceAll('\\|', '|'))
    const found = await searchText(tree, { ...query, patterns, regex: true }, means)
    return isEmpty(found) ? undefined : found
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'bad_args') return undefined
    throw error
  }
}
