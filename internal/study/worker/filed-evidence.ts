// Selection of a study's stored passages that matter for a further question.
import { findTerms } from '../../text-analysis/terms.ts'
import type { StudyEvidence } from '../log/entries.ts'

/** The passages of one piece of evidence, in their order. */
interface FiledPassages {
  evidence: StudyEvidence
  texts: string[]
}

/**
 * Largest number of characters of one passage, to which longer text is divided, and of all
 * selected passages together.
 */
const maxPassageChars = 1500
const maxChosenChars = 16_000

/** Smallest weight of a passage that is selected, as a share of the highest weight. */
const minShare = 0.25

/**
 * Returns the passages with the highest weight for `terms`, of which rare ones count more, up to
 * `maxChosenChars` characters. Evidence stays in its order. If several tasks stored the same passage, it
 * is contained once.
 */
export function chooseFiledPassages(
  filed: Iterable<StudyEvidence>,
  terms: readonly string[],
): FiledPassages[] {
  const passages = passagesOf(filed, terms)
  const weight = weighTerms(passages, terms)
  const scored = passages
    .map((passage) => ({ ...passage, score: passage.held.reduce((sum, term) => sum + weight(term), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
  const best = scored[0]?.score ?? 0
  let length = 0
  const chosenPassages = scored.filter(({ text, score }) => {
    if (score < best * minShare || length + text.length > maxChosenChars) return false
    length += text.length
    return true
  })
  const out = new Map<string, FiledPassages>()
  for (const { evidence, text } of chosenPassages.sort((a, b) => a.order - b.order)) {
    const group = out.get(evidence.id) ?? { evidence, texts: [] }
    group.texts.push(text)
    out.set(evidence.id, group)
  }
  return [...out.values()]
}

interface FiledPassage {
  evidence: StudyEvidence
  text: string
  order: number
  held: string[]
}

function passagesOf(filed: Iterable<StudyEvidence>, terms: readonly string[]): FiledPassage[] {
  const out: FiledPassage[] = []
  const seenKeys = new Set<string>()
  for (const evidence of filed) {
    for (const text of cutPassages(evidence.excerpt)) {
      const key = `${evidence.canonical}\n${text}`
      if (seenKeys.has(key)) continue
      seenKeys.add(key)
      out.push({ evidence, text, order: out.length, held: findTerms(text, terms) })
    }
  }
  return out
}

/**
 * Returns the blocks of text between empty lines. Short blocks are joined, and a long block is cut between
 * its lines. A line longer than `maxPassageChars` loses its end.
 */
function cutPassages(excerpt: string): string[] {
  const out: string[] = []
  let current = ''
  const push = () => {
    if (current.trim() !== '') out.push(current.replace(/^\n+|\s+$/g, ''))
    current = ''
  }
  for (const line of excerpt.split('\n')) {
    const isFull = current.length + line.length > maxPassageChars
    if (isFull || (line.trim() === '' && current.length > maxPassageChars / 3)) push()
    current += `${line.slice(0, maxPassageChars)}\n`
  }
  push()
  return out
}

function weighTerms(passages: readonly FiledPassage[], terms: readonly string[]): (term: string) => number {
  const count = new Map(terms.map((term) => [term, 0]))
  for (const { held: passageTerms } of passages)
    for (const term of passageTerms) count.set(term, (count.get(term) ?? 0) + 1)
  const all = passages.length
  return (term) => {
    const passageCount = count.get(term) ?? 0
    return Math.log(1 + (all - passageCount + 0.5) / (passageCount + 0.5))
  }
}
