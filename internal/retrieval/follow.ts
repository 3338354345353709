// Definitions and default values of names in the best passages, as at most two more passages.

import { documentKindOf } from '../document/document-kind.ts'
import type { PassageChoice, PassageHit } from './choose.ts'
import { readFileText } from './count-file.ts'
import { kindOfFile } from './file-kind.ts'
import type { PassageFile } from './passage.ts'
import { frameOf, listQuoteUnits } from './quotation/quote-units.ts'
import { linesOfText, splitFile } from './split-file.ts'

const maxFollowed = 2
const firstPassages = 3
const maxNames = 8
/**
 * Largest total size of files in bytes for which names are looked up. In larger sets, reading the files again
 * costs more than it finds.
 */
const maxFollowedBytes = 64 << 20

/** Matches identifiers of several words, which are joined by capitals, `_` or `-`. */
const name = new RegExp(
  String.raw`\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|` +
    String.raw`[A-Za-z]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:-[a-z0-9]+){1,4})\b`,
  'g',
)

export async function followNames(hits: readonly PassageHit[], choice: PassageChoice): Promise<PassageHit[]> {
  const { question } = choice
  if ((question.wants.number === undefined && !question.wants.code) || choice.bytes > maxFollowedBytes)
    return []
  const names = namesIn(hits.slice(0, firstPassages), choice)
  if (names.length === 0) return []
  const definitions: PassageHit[] = []
  for (const [index, file] of choice.files.entries()) {
    // Documents contain no definitions of names in programs, so they are skipped.
    if (documentKindOf(file.path) && file.text === undefined) continue
    const read = await readFileText(file)
    if (!('text' in read)) continue
    const here = names.filter((one) => read.text.includes(one))
    if (here.length > 0) definitions.push(...definitionsIn(read.text, { path: file.path, index }, here, hits))
  }
  definitions.sort((a, b) => b.score - a.score)
  const once = definitions.filter(
    (one, i) => definitions.findIndex(({ follows }) => follows === one.follows) === i,
  )
  return once.slice(0, maxFollowed)
}

/**
 * Returns at most 8 names in the passages that may be defined in other places, the most frequent first. Names
 * in the question are left out, because the search already covers them. In prose, a name counts if it is in
 * backticks or in capitals. A name such as `dry-run` counts only in backticks.
 */
function namesIn(hits: readonly PassageHit[], { question }: PassageChoice): string[] {
  const questionWords = new Set(question.terms.map(({ word }) => word.toLowerCase()))
  const counts = new Map<string, number>()
  for (const { text, kind, symbol } of hits) {
    const inTicks = new Set(
      [...text.matchAll(/`([^`\n]{3,60})`/g)].flatMap((tick) => tick[1]?.match(name) ?? []),
    )
    for (const [one] of text.matchAll(name)) {
      const isPlainHyphen = /^[a-z]+(?:-[a-z0-9]+)+$/.test(one)
      if (questionWords.has(one.toLowerCase()) || symbol.split(' ').includes(one)) continue
      if (isPlainHyphen && !inTicks.has(one)) continue
      if (kind === 'prose' && !inTicks.has(one) && !/^[A-Z]+(?:_[A-Z0-9]+)+$/.test(one)) continue
      counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxNames)
    .map(([one]) => one)
}

/** Matches a value that is created with a number, as in `= Timeout(timeout=5.0)`. */
const madeWith = /^(?:\s*:[^=]{0,40})?\s*:?=\s*(?:new\s+)?[A-Za-z_][\w.]*\([^()]*\d[^()]*\)/

/** Returns true if the line gives the name a literal value, or one that is created with a number. */
function hasDefinition(line: string, one: string): boolean {
  if (line.length > 400) return false
  const at = line.indexOf(one)
  if (at < 0) return false
  const behind = line.slice(at + one.length)
  if (madeWith.test(behind)) return true
  return (
    /^["'\])]*\s*(?::[^=,;]{0,40})?(?:=|:|\s)\s*(?:[-+]?\d|["'`]|true\b|false\b)/.test(behind) &&
    !/==|=>/.test(behind.slice(0, 4))
  )
}

function definitionsIn(
  text: string,
  file: Pick<PassageFile, 'path'> & { index: number },
  names: readonly string[],
  hits: readonly PassageHit[],
): PassageHit[] {
  const lines = linesOfText(text)
  const definitionLines = names.flatMap((one) => {
    const at = lines.findIndex((line) => hasDefinition(line, one))
    return at < 0 ? [] : [{ one, line: at + 1 }]
  })
  if (definitionLines.length === 0) return []
  const kind = kindOfFile(file.path)
  const passages = splitFile(lines, file.path, kind)
  return definitionLines.flatMap(({ one, line }): PassageHit[] => {
    const passage = passages.find(({ from, to }) => from <= line && line <= to)
    const source = hits[0]
    if (!passage || !source) return []
    const framed = kind === 'code' ? frameOf(lines, listQuoteUnits(lines, file.path), passage) : undefined
    if (hits.some(({ path, from, to }) => path === file.path && from <= line && line <= to)) return []
    return [
      {
        path: file.path,
        ...passage,
        kind,
        score: Math.round(source.score * 50) / 100,
        matched: [one],
        text: lines.slice(passage.from - 1, passage.to).join('\n'),
        part: source.part,
        follows: one,
        units: framed?.units,
        frame: framed?.frame,
        counted: { ...source.counted, file: file.index, counts: noCounts, places: new Uint16Array() },
      },
    ]
  })
}

const noCounts = { text: undefined, heading: undefined, symbol: undefined, path: undefined }
