// Search for definitions. ripgrep finds the files with the name, then language servers, ctags or patterns
// decide which lines define it.

import { type ByteName, bytesOfText, textOfBytes } from '../../base/text/byte-name.ts'
import { collectBest } from '../fuzzy-score.ts'
import type { SearchMeans } from '../ripgrep/ripgrep.ts'
import type { SearchTree } from '../search-tree.ts'
import type { TextSearchResult } from '../text-query.ts'
import { searchText } from '../text-search.ts'
import { runCtags } from './ctags.ts'
import { readDefinition } from './definitions.ts'
import type { SymbolHit } from './symbol-hit.ts'

interface FoundSymbols {
  /**
   * Engine that found the symbols: ctags or regular expressions, with `lsp+` before it if a language server
   * found some of them.
   */
  engine: `${'' | 'lsp+'}${'ctags' | 'regex'}`
  /** Definitions, best first. */
  symbols: SymbolHit[]
  total: number
  /** Number of files with the name in which definitions were not searched, because the search has a limit. */
  left: number
  found: TextSearchResult
  /** Reasons why a language server returned nothing. */
  notes: string[]
}

/** A definition from a language server; lines count from 0. */
interface LspSymbol {
  path: string
  line: number
  name?: string
  kind?: string
  container?: string
}

/** Asks language servers for symbols whose names contain `name`. */
export type AskSymbolServers = (name: string) => Promise<{ hits: readonly LspSymbol[]; notes: string[] }>

const perFile = 200
const room = 8 * 1024 * 1024
const maxLine = 300
/**
 * Largest number of files that are passed to ctags. Files in which a line looks like a definition come first.
 */
const maxFiles = 400

/**
 * Returns at most `limit` definitions whose names contain the last part of `query.name`, best first.
 * `query.name` is a name, a part of a name, or a qualified name. Throws like `searchText`.
 */
export async function searchSymbols(
  tree: SearchTree,
  query: { name: string; caseSensitive: boolean; limit: number; ask?: AskSymbolServers | undefined },
  means: SearchMeans,
): Promise<FoundSymbols> {
  const word = lastName(query.name)
  const textQuery = {
    patterns: [word],
    regex: false,
    word: false,
    context: 0,
    caseSensitive: query.caseSensitive,
    max: perFile,
    room,
  }
  const first = await searchText(tree, textQuery, means)
  // A busy machine may kill a program, and a second start usually succeeds.
  const searchResult = first.ended === 'broken' ? await searchText(tree, textQuery, means) : first
  const shaped = searchResult.files.flatMap((file) => shapedIn(file.name, file.lines))
  const likely = new Set(shaped.map((hit) => hit.file))
  const files = searchResult.files.map((file) => file.name)
  const order = [...files.filter((name) => likely.has(name)), ...files.filter((name) => !likely.has(name))]
  const chosenFiles = order.slice(0, maxFiles)
  const [tagged, answer] = await Promise.all([
    runCtags(chosenFiles, tree.dir, word, means),
    searchResult.files.length > 0 ? query.ask?.(word) : undefined,
  ])
  const texts = new Map(
    searchResult.files.flatMap(({ name, lines }) => lines.map((one) => [`${name}\0${one.line}`, one.text])),
  )
  const read = tagged
    ? tagged.map((tag) => ({ ...tag, text: texts.get(`${tag.file}\0${tag.line}`) ?? tag.text }))
    : shaped
  const serverSymbols = symbolsOfServers(tree, answer?.hits ?? [], texts)
  const places = new Set(serverSymbols.map(placeOf))
  const hits = [...serverSymbols, ...read.filter((hit) => !places.has(placeOf(hit)))]

  const bestHits = collectBest<SymbolHit>(
    query.limit,
    (hit) => `${hit.file}\0${String(hit.line).padStart(9, '0')}`,
  )
  let total = 0
  for (const hit of hits) {
    const score = scoreName(word, hit, query.caseSensitive)
    if (score === undefined) continue
    total++
    bestHits.add(hit, score)
  }
  const symbols = bestHits.ranked().map((one) => one.item)
  const skippedFiles = (tagged ? order.length - chosenFiles.length : 0) + searchResult.left.files
  const fallback = tagged ? 'ctags' : 'regex'
  const engine = serverSymbols.length > 0 ? (`lsp+${fallback}` as const) : fallback
  const notes = answer?.notes ?? []
  return { engine, symbols, total, left: skippedFiles, found: searchResult, notes }
}

const placeOf = ({ file, line }: SymbolHit) => `${file}\0${line}`

/**
 * Returns those symbols of language servers that have a name and are on lines found by the text search. So
 * symbols in files that this search excludes are left out.
 */
function symbolsOfServers(
  tree: SearchTree,
  hits: readonly LspSymbol[],
  texts: ReadonlyMap<string, string>,
): SymbolHit[] {
  return hits.flatMap(({ path, line: from, name, kind, container }) => {
    if (!path.startsWith(`${tree.dir}/`) || name === undefined) return []
    const file = bytesOfText(path.slice(tree.dir.length + 1))
    const line = from + 1
    const text = texts.get(`${file}\0${line}`)
    if (text === undefined) return []
    return [{ name, kind: kind ?? 'symbol', file, line, text, scope: container || undefined }]
  })
}

/** Returns the last name in a query: `open` for `Store.open()`, as it appears in its definition. */
function lastName(query: string): string {
  const bare = query.trim().replace(/\(.*\)?$/s, '')
  const parts = bare.split(/::|[.#/\s]+|->/).filter(Boolean)
  return parts.at(-1) ?? query.trim()
}

function shapedIn(file: ByteName, lines: TextSearchResult['files'][number]['lines']): SymbolHit[] {
  const path = textOfBytes(file)
  return lines.flatMap(({ line, text }) => {
    const definition = text.length > maxLine ? undefined : readDefinition(path, text)
    return definition ? [{ ...definition, file, line, text }] : []
  })
}

const plainKinds = /^(?:variable|const|constant|let|var|member|field|property|parameter|local|alias|key)$/

/**
 * Returns a score, higher is better: exact names before beginnings before other parts, and functions and
 * types before variables. Long names and files of tests or vendored code get less. Undefined if the name does
 * not contain `word`.
 */
function scoreName(word: string, hit: SymbolHit, caseSensitive: boolean): number | undefined {
  const folded = caseSensitive ? hit.name : hit.name.toLowerCase()
  const foldedWord = caseSensitive ? word : word.toLowerCase()
  const at = folded.indexOf(foldedWord)
  if (at === -1) return undefined
  const exact = folded === foldedWord ? 400 + (hit.name === word ? 50 : 0) : at === 0 ? 200 : 0
  const kind = plainKinds.test(hit.kind) ? 0 : 30
  const aside = /(?:^|[/._-])(?:tests?|spec|mocks?|fixtures?|vendor|third_party)(?:[/._-]|$)/i.test(hit.file)
    ? 20
    : 0
  return exact + kind - aside - hit.name.length / 10
}
