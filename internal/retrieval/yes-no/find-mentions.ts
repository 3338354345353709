// Finds where words stand that nothing states: in tests, data and addresses, a place that refuses them first.

import { readFileText } from '../count-file.ts'
import type { CountedFiles } from '../count-files.ts'
import type { PassageFile } from '../passage.ts'
import { linesOfText } from '../split-file.ts'
import type { ScanTerms } from '../term-scanner.ts'
import { type CountedPassage, holdsTerm } from '../weigh.ts'
import type { ParsedQuestion } from '../words.ts'
import { isRefusal } from './mention.ts'

/** A place that names a word of the question without saying that it is so. */
export interface WordMention {
  word: string
  path: string
  /** 1-based. */
  line: number
  /** The words around it refuse what it names. */
  refuses: boolean
}

/** Passages that are looked at for one word. */
const maxRead = 6

/** One place for each of `words`; none where its file has gone. */
export async function findMentions(
  words: readonly string[],
  question: Pick<ParsedQuestion, 'terms'>,
  { kept, files }: Pick<CountedFiles, 'kept' | 'files'>,
  scan: ScanTerms,
): Promise<WordMention[]> {
  const out: WordMention[] = []
  for (const word of words) {
    const term = question.terms.findIndex((one) => one.word === word)
    const near = kept.filter((passage) => holdsTerm(passage, term) > 0).sort(byWeight(term))
    let best: WordMention | undefined
    for (const passage of near.slice(0, maxRead)) {
      const found = await mentionIn(passage, files[passage.file] as PassageFile, { word, term, scan })
      if (found && (!best || found.refuses)) best = found
      if (found?.refuses) break
    }
    if (best) out.push(best)
  }
  return out
}

/** What refuses comes first, then what weighs most. */
const byWeight = (term: number) => (a: CountedPassage, b: CountedPassage) =>
  (a.stated?.[term] === 0 ? 0 : 1) - (b.stated?.[term] === 0 ? 0 : 1) || b.fileWeight - a.fileWeight

async function mentionIn(
  passage: CountedPassage,
  file: PassageFile,
  { word, term, scan }: { word: string; term: number; scan: ScanTerms },
): Promise<WordMention | undefined> {
  const read = await readFileText(file)
  if (!('text' in read)) return undefined
  const places = linesOfText(read.text)
    .slice(passage.from - 1, passage.to)
    .flatMap((text, i) => {
      let isHere = false
      scan(text, (place) => {
        isHere ||= place.term === term
      })
      return isHere ? [{ text, line: passage.from + i }] : []
    })
  const one = places.find(({ text }) => isRefusal(text)) ?? places[0]
  if (!one) return undefined
  return { word, path: file.path, line: one.line, refuses: isRefusal(one.text) }
}
