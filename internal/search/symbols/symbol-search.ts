// Finds where names are defined: ripgrep narrows the files down, ctags or the shapes of definitions decide.

import { type ByteName, textOfBytes } from '../byte-name.ts'
import { collectBest } from '../fuzzy-score.ts'
import type { SearchMeans } from '../ripgrep/ripgrep.ts'
import type { SearchTree } from '../search-tree.ts'
import type { TextSearchResult } from '../text-query.ts'
import { searchText } from '../text-search.ts'
import { runCtags } from './ctags.ts'
import { readDefinition } from './definitions.ts'
import type { SymbolHit } from './symbol-hit.ts'

interface Symbols {
  engine: 'ctags' | 'regex'
  /** Best first. */
  symbols: SymbolHit[]
  total: number
  /** Files that mention the name and were not looked into. */
  left: number
  found: TextSearchResult
}

const perFile = 200
const room = 8 * 1024 * 1024
const maxLine = 300
/** Files handed to ctags at once, those with likely definitions first. */
const maxFiles = 400

/** `query` is a name or the beginning, middle or qualified form of one. Throws like searchText. */
export async function searchSymbols(
  tree: SearchTree,
  query: { name: string; caseSensitive: boolean; limit: number },
  means: SearchMeans,
): Promise<Symbols> {
  const word = lastName(query.name)
  const found = await searchText(
    tree,
    {
      ...{ patterns: [word], regex: false, word: false, context: 0 },
      ...{ caseSensitive: query.caseSensitive, max: perFile, room },
    },
    means,
  )
  const shaped = found.files.flatMap((file) => shapedIn(file.name, file.lines))
  const likely = new Set(shaped.map((hit) => hit.file))
  const files = found.files.map((file) => file.name)
  const order = [...files.filter((name) => likely.has(name)), ...files.filter((name) => !likely.has(name))]
  const chosen = order.slice(0, maxFiles)
  const tagged = await runCtags(chosen, tree.dir, word, means)
  const texts = new Map(
    found.files.flatMap(({ name, lines }) => lines.map((one) => [`${name}\0${one.line}`, one.text])),
  )
  const hits = tagged
    ? tagged.map((tag) => ({ ...tag, text: texts.get(`${tag.file}\0${tag.line}`) ?? tag.text }))
    : shaped

  const kept = collectBest<SymbolHit>(
    query.limit,
    (hit) => `${hit.file}\0${String(hit.line).padStart(9, '0')}`,
  )
  let total = 0
  for (const hit of hits) {
    const score = scoreName(word, hit, query.caseSensitive)
    if (score === undefined) continue
    total++
    kept.add(hit, score)
  }
  const symbols = kept.ranked().map((one) => one.item)
  const left = (tagged ? order.length - chosen.length : 0) + found.left.files
  return { engine: tagged ? 'ctags' : 'regex', symbols, total, left, found }
}

/** `Store.open()` is looked up as `open`, which is how its definition spells it. */
function lastName(query: string): string {
  const bare = query.trim().replace(/\(.*\)?$/s, '')
  const parts = bare.split(/::|[.#/\s]+|->/).filter(Boolean)
  return parts.at(-1) ?? query.trim()
}

function shapedIn(file: ByteName, lines: TextSearchResult['files'][number]['lines']): SymbolHit[] {
  const path = textOfBytes(file)
  return lines.flatMap(({ line, text }) => {
    const found = text.length > maxLine ? undefined : readDefinition(path, text)
    return found ? [{ ...found, file, line, text }] : []
  })
}

const plainKinds = /^(?:variable|const|constant|let|var|member|field|property|parameter|local|alias)$/

/** Exact names first, then beginnings, then parts; what holds other things before variables. */
function scoreName(word: string, hit: SymbolHit, caseSensitive: boolean): number | undefined {
  const folded = caseSensitive ? hit.name : hit.name.toLowerCase()
  const wanted = caseSensitive ? word : word.toLowerCase()
  const at = folded.indexOf(wanted)
  if (at === -1) return undefined
  const exact = folded === wanted ? 400 + (hit.name === word ? 50 : 0) : at === 0 ? 200 : 0
  const kind = plainKinds.test(hit.kind) ? 0 : 30
  const aside = /(?:^|[/._-])(?:tests?|spec|mocks?|fixtures?|vendor|third_party)(?:[/._-]|$)/i.test(hit.file)
    ? 20
    : 0
  return exact + kind - aside - hit.name.length / 10
}
