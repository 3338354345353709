// Denials in claims and quotes: the check whether one of them denies what the other states.

import { listClaimTerms, readTextWords, weighTerm } from './claim-terms.ts'

const plain = new RegExp(
  String.raw`\b(?:not?(?! (?:more|less|fewer|longer|later|larger|greater|smaller|earlier) than\b|` +
    String.raw` only\b)|never|cannot|nor|neither|none|nothing|nobody|without|nicht|kein\w*|ohne|` +
    String.raw`jamais|aucune?|nunca|ningun\w*)\b|n['’]t\b`,
  'giu',
)

/** Matches words that deny by their meaning: "is forbidden" means "is not allowed". */
const lexical = new RegExp(
  String.raw`\b(?:refus|reject|forbid|forbad|den(?:y|ie)|disallow|prohibit|fail|ignor|skip|` +
    'omit|exclud|lack|miss|absen|empt|disabl|prevent|avoid|only|except|unless|until|invalid|impossib|' +
    'inactiv|non|un(?=[a-z]{4})|dis(?=[a-z]{5})|false|off|zero|null|nil|undefined|unable)[a-z]*',
  'giu',
)

/** Matches parts of a program that may express a denial, such as `!` or `false`. */
const signs = new RegExp(
  String.raw`!|~|["']-["']|(?<![\d.])0(?![\d.])|-1\b|` +
    String.raw`\b(?:none|null|nil|undefined|false|err|raise|throws?|panic|else|return$)\b|` +
    String.raw`no_|No[A-Z]|(?:error|exception)\b`,
  'iu',
)

/** Matches a condition before or after the main clause of a sentence. */
export const condition = new RegExp(
  String.raw`^(?:if|when|where|while|unless|until|as long as|once)\b[^,]*,|` +
    String.raw`\b(?:if|when|unless|until|where|while|which|that|so that)\b.*$`,
  'giu',
)

/**
 * Returns true if exactly one of two sentences denies something, and the other sentence mentions it. Returns
 * false if the other sentence has a word such as "refuse" that the denying one does not have.
 */
export function isDenialOnOneSide(claim: string, sentence: string): boolean {
  const isOurs = countDenials(claim) > 0
  if (isOurs === countDenials(sentence) > 0) return false
  const denying = isOurs ? claim : sentence
  const other = isOurs ? sentence : claim
  const same = lexicalWords(denying)
  return [...lexicalWords(other)].every((word) => same.has(word)) && speaksOfDenied(denying, other, isOurs)
}

/** Largest number of terms after a denial that it may deny. "Without" denies only the noun after it. */
const scope = 3

/**
 * Returns true if a text contains a term that the other text denies. "Not" in a claim denies the whole quote,
 * because a claim is one statement.
 */
function speaksOfDenied(denying: string, other: string, isClaim: boolean): boolean {
  const words = readTextWords(other)
  return [...denying.matchAll(plain)].some(({ 0: denial, index }) => {
    if (isClaim && /^(?:not|never|cannot|n['’]t|nicht)$/i.test(denial)) return true
    const rest = denying.slice(index + denial.length).split(/[,;:]/)[0] as string
    const denied = listClaimTerms(rest).slice(0, /^(?:without|ohne)$/i.test(denial) ? 1 : scope)
    return denied.some((term) => weighTerm(term, words) > 0)
  })
}

/**
 * Returns true if the main clause of a claim denies something, although the quoted program contains no part
 * that may express a denial.
 */
export function deniesProgram(claim: string, code: string): boolean {
  const main = claim.replace(condition, '')
  if (countDenials(main) === 0) return false
  return countDenials(code) === 0 && lexicalWords(code.replace(/_/g, ' ')).size === 0 && !signs.test(code)
}

const countDenials = (text: string): number => (text.match(plain) ?? []).length

const lexicalWords = (text: string): Set<string> =>
  new Set((text.match(lexical) ?? []).map((word) => word.toLowerCase().slice(0, 5)))
