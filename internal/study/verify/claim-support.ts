// Whether a quotation says enough to stand for a claim: a word or two out of a source prove nothing.
import { foldVariants, hasUnspacedScript } from '../../base/text/scripts/unspaced-script.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import { foldSpace } from './quotation.ts'

/** A quotation shorter than this has to be a whole line of its source. */
const shortest = 20

/** Terms of the claim that the quotation has to hold; all of them where the claim has fewer. */
const shared = 2

/** `excerpt` holds the quotation. A claim that is its own quotation states what stands there. */
export function isSupported(claim: { text: string; quote: string }, excerpt: string): boolean {
  const quote = foldSpace(claim.quote)
  const isWholeLine = excerpt.split('\n').some((line) => foldSpace(line) === quote)
  if (widthOf(quote) < shortest && !isWholeLine) return false
  if (foldSpace(claim.text) === quote) return true
  const quoted = stems(claim.quote)
  const wanted = stems(claim.text)
  const text = foldVariants(quote)
  const isHeld = (stem: string) => quoted.has(stem) || (hasUnspacedScript(stem) && text.includes(stem))
  const held = [...wanted].filter(isHeld).length
  return wanted.size > 0 && held >= Math.min(shared, wanted.size)
}

const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu

/** The characters of a text. One of a dense script says as much as two letters. */
const widthOf = (text: string) => [...text].length + (text.match(dense) ?? []).length

/**
 * The terms of a text as stems, so that `locks`, `locked` and `locking` are one; parts of a name are no terms
 * beside it.
 */
function stems(text: string): Set<string> {
  const whole = extractTerms(text.replaceAll(/["“”`]/g, ' '))
  const parts = new Set(whole.flatMap((term) => (/[./_-]/.test(term) ? term.split(/[./_-]/) : [])))
  return new Set(whole.filter((term) => !parts.has(term)).map(stem))
}

/** Without one ordinary ending, as long as three letters stay. */
const stem = (term: string) => term.replace(/(?<=^\p{L}{3,})(?:ions?|ing|ed|es|er|e|s)$/u, '')
