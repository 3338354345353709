// Search for the tools that match a name or some words, best match first.
import { extractTerms, findTerms } from '../../text-analysis/terms.ts'
import type { ToolDescription } from '../../tool/catalog.ts'
import type { ToolSearch } from '../../tool/ctx.ts'
import { globOf } from './tool-registry.ts'

export type ToolSearchRequest = Parameters<ToolSearch['load']>[0]

type MatchedTool = Pick<ToolDescription, 'name' | 'about' | 'schema'>

/** Weight of a matching word by the field in which it occurs. */
const weights = { name: 3, about: 1, schema: 0.5 }
/** Matches with less than this share of the best score are dropped. */
const minShare = 0.3

/**
 * Returns the tools that match the name, sorted by the words. Without a name, or if no tool has it, returns
 * the tools that match the words.
 */
export function matchTools<T extends MatchedTool>(tools: readonly T[], request: ToolSearchRequest): T[] {
  const { name = '', query = '' } = request
  const named = name.trim() === '' ? [] : tools.filter((tool) => isNamed(tool.name, name.trim()))
  if (query.trim() === '') return named
  if (named.length === 0) return rankByWords(tools, query)
  const ranked = rankByWords(named, query)
  return [...ranked, ...named.filter((tool) => !ranked.includes(tool))]
}

/**
 * Returns true if `pattern` is the tool's name, with or without the prefix `mcp__<server>__`, or a pattern
 * with `*` that matches it.
 */
function isNamed(tool: string, pattern: string): boolean {
  if (pattern.includes('*')) return globOf(pattern).test(tool) || globOf(`mcp__*__${pattern}`).test(tool)
  return tool === pattern || tool.endsWith(`__${pattern}`)
}

function rankByWords<T extends MatchedTool>(tools: readonly T[], query: string): T[] {
  const terms = extractTerms(query)
  // extractTerms drops words of two letters, but tool names contain some of them, such as pr or db
  const short = query.toLowerCase().match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{2}(?![\p{L}\p{N}])/gu) ?? []
  const toolMatches = tools.map((tool) => ({
    tool,
    places: [
      [weights.name, findTerms(tool.name, [...terms, ...short])],
      [weights.about, findTerms(tool.about, terms)],
      [weights.schema, findTerms(JSON.stringify(tool.schema), terms)],
    ] as const,
  }))
  const rarity = new Map(
    [...terms, ...short].map((term) => {
      const having = toolMatches.filter(({ places }) => places.some(([, there]) => there.includes(term)))
      return [term, Math.log(1 + tools.length / Math.max(1, having.length))]
    }),
  )
  const scored = toolMatches.map(({ tool, places }) => ({
    tool,
    score: places.reduce(
      (sum, [weight, there]) => there.reduce((part, term) => part + weight * (rarity.get(term) ?? 0), sum),
      0,
    ),
  }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score > 0 && score >= best * minShare)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}
