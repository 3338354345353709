// Terms of claims. A term is compared by stems, whole names and their parts, and synonyms.

import { once } from '../../base/once.ts'
import { foldVariants, hasUnspacedScript } from '../../base/text/scripts/unspaced-script.ts'
import { listSynonymGroups } from '../../retrieval/field-synonyms.ts'
import { extractTerms } from '../../text-analysis/terms.ts'

export interface ClaimTerm {
  /** The term as the claim contains it, folded to lower case. */
  word: string
  /** Stems by which the term is recognized; for a name, they include the stems of its parts. */
  stems: readonly string[]
}

/** The words of one text, prepared for the search for terms. */
interface TextWords {
  stems: ReadonlySet<string>
  text: string
}

const isName = (term: string) => /[./_-]/.test(term)

/** Returns the terms of a claim. The parts of a name are not separate terms. */
export function listClaimTerms(text: string): ClaimTerm[] {
  const terms = extractTerms(spaceSigns(text))
  const parts = new Set(terms.filter(isName).flatMap((term) => term.split(/[./_-]/)))
  const wholeTerms = terms.filter((term) => !parts.has(term))
  return [
    ...wholeTerms.map((word) => ({
      word,
      stems: [
        stemTerm(word),
        ...(isName(word) ? extractTerms(word.replace(/[./_-]/g, ' ')).map(stemTerm) : []),
      ],
    })),
    ...shortNames(text).map((word) => ({ word, stems: [word] })),
  ]
}

export const readTextWords = (text: string): TextWords => ({
  stems: new Set([...extractTerms(spaceSigns(text)).map(stemTerm), ...shortNames(text)]),
  text: foldVariants(text),
})

/**
 * Returns names of one or two capital letters with a number, in lower case: `l0` for `L0`,
 * even inside `maxL0Size`.
 */
const shortNames = (text: string): string[] =>
  (text.match(/(?:(?<![A-Za-z\d])|(?<=[a-z_]))[A-Z]{1,2}\d{1,2}(?!\d)/g) ?? []).map((name) =>
    name.toLowerCase(),
  )

/** Returns the text with spaces instead of quote marks, which would join several words to one phrase. */
const spaceSigns = (text: string) => text.replaceAll(/["“”`']/g, ' ')

/** Weight of a synonym, as a share of the weight of the word itself. */
const synonymShare = 0.8

/**
 * Smallest length in characters of a stem that counts inside a longer name of a program, as `queue`
 * does in `enqueue`.
 */
const minPart = 4

/** Returns 0.8 if a name in a program contains a stem of the term, as `enqueue` contains `queue`; else 0. */
export const weighInNames = ({ stems }: ClaimTerm, { stems: names }: TextWords): number =>
  stems.some((stem) => stem.length >= minPart && [...names].some((name) => name.includes(stem)))
    ? synonymShare
    : 0

/** Returns 1 if the text contains the term, 0.8 if it contains a synonym, else 0. */
export function weighTerm({ word, stems }: ClaimTerm, { stems: textStems, text }: TextWords): number {
  if (stems.some((stem) => textStems.has(stem)) || (hasUnspacedScript(word) && text.includes(word))) return 1
  const others = stems.flatMap((stem) => synonyms().get(stem) ?? [])
  return others.some((stem) => textStems.has(stem)) ? synonymShare : 0
}

const synonyms = once(() => {
  const out = new Map<string, string[]>()
  for (const group of listSynonymGroups()) {
    const stems = group.map(stemTerm)
    for (const stem of stems)
      out.set(stem, [...(out.get(stem) ?? []), ...stems.filter((other) => other !== stem)])
  }
  return out
})

const irregularForms = `kept keep,ran run,sent send,wrote write,written write,found find,held hold,lost lose
took take,taken take,built build,chose choose,chosen choose,gave give,given give,began begin,begun begin
left leave,made make,got get,broke break,broken break,spent spend,meant mean,went go,gone go,grew grow
grown grow,thrown throw,threw throw,known know,shown show,children child,indices index,matches match`

const irregular = once(
  () => new Map(irregularForms.split(/[,\n]/).map((pair) => pair.split(' ') as [string, string])),
)

/** Returns a term without common endings, so that `expires`, `expiry` and `expiration` are equal. */
function stemTerm(term: string): string {
  const base = irregular().get(term) ?? term
  const bare = base.replace(/(?<=^\p{L}{3,})(?:ions?|ings?|ments?|ied|ies|ed|es|ers?|ly|y|e|s)$/u, '')
  return bare.replace(/(?<=^\p{L}{4,})at$/u, '').replace(/(?<=^\p{L}{2,})(\p{L})\1$/u, '$1')
}
