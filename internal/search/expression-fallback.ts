// Text search that tries again. If a text that looks like a regular expression has no match, it is searched
// as an expression.
import { FailureError } from '../base/errors.ts'
import type { SearchMeans } from './ripgrep/ripgrep.ts'
import type { SearchTree } from './search-tree.ts'
import type { TextQuery, TextSearchResult } from './text-query.ts'
import { searchText } from './text-search.ts'

/**
 * Matches texts that look like an expression: classes, any number of any character, anchors, alternatives.
 */
const expressionSigns = /\\[bBdDsSwW.()[\]{}|*+?$^]|\.[*+]|\][*+]|^\^|\$$|\w\|\w|\[\^|\[[^\]]*\w-\w[^\]]*\]/

/**
 * Returns the result of the query. A literal pattern without a match that looks like an expression is
 * searched again as an expression. If that has a match, `found` is its result. Throws like `searchText`.
 */
export async function searchTextOrExpression(tree: SearchTree, query: TextQuery, means: SearchMeans) {
  const literal = await searchText(tree, query, means)
  const isTried = !query.regex && query.patterns.some((one) => expressionSigns.test(one)) && isEmpty(literal)
  const expression = isTried ? await searchExpression(tree, query, means) : undefined
  return { found: expression ?? literal, triedExpression: isTried, isExpression: expression !== undefined }
}

const isEmpty = ({ files, left: omittedCounts, binary, ended: endReason }: TextSearchResult) =>
  files.length === 0 && omittedCounts.files === 0 && !binary && endReason === undefined

/**
 * Returns the matches of the patterns as expressions; undefined if an expression is invalid or has no match.
 */
async function searchExpression(tree: SearchTree, query: TextQuery, means: SearchMeans) {
  try {
    // Users of grep without -E write alternatives as \|, which has to be | here.
    const patterns = query.patterns.map((pattern) => pattern.replaceAll('\\|', '|'))
    const searchResult = await searchText(tree, { ...query, patterns, regex: true }, means)
    return isEmpty(searchResult) ? undefined : searchResult
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'bad_args') return undefined
    throw error
  }
}
