// Denials in claims and quotes: whether one side denies what the other states.

import { listClaimTerms, readTextWords, weighTerm } from './claim-terms.ts'

const plain = new RegExp(
  String.raw`\b(?:not?(?! (?:more|less|fewer|longer|later|larger|greater|smaller|earlier) than\b|` +
    String.raw` only\b)|never|cannot|nor|neither|none|nothing|nobody|without|nicht|kein\w*|ohne|` +
    String.raw`jamais|aucune?|nunca|ningun\w*)\b|n['’]t\b`,
  'giu',
)

/** Words that deny by their meaning, as in "is forbidden" for "is not allowed". */
const lexical = new RegExp(
  String.raw`\b(?:refus|reject|forbid|forbad|den(?:y|ie)|disallow|prohibit|fail|ignor|skip|` +
    'omit|exclud|lack|miss|absen|empt|disabl|prevent|avoid|only|except|unless|until|invalid|impossib|' +
    'inactiv|non|un(?=[a-z]{4})|dis(?=[a-z]{5})|false|off|zero|null|nil|undefined|unable)[a-z]*',
  'giu',
)

/** Signs of a program that may deny. */
const signs = new RegExp(
  String.raw`!|~|["']-["']|(?<![\d.])0(?![\d.])|-1\b|` +
    String.raw`\b(?:none|null|nil|undefined|false|err|raise|throws?|panic|else|return$)\b|` +
    String.raw`no_|No[A-Z]|(?:error|exception)\b`,
  'iu',
)

const condition = new RegExp(
  String.raw`^(?:if|when|where|while|unless|until|as long as|once)\b[^,]*,|` +
    String.raw`\b(?:if|when|unless|until|where|while|which|that|so that)\b.*$`,
  'giu',
)

/** Returns whether exactly one of two sentences of prose denies. Denials that both have do not count. */
export function isDenialOnOneSide(claim: string, sentence: string): boolean {
  const isOurs = countDenials(claim) > 0
  if (isOurs === countDenials(sentence) > 0) return false
  const denying = isOurs ? claim : sentence
  const other = isOurs ? sentence : claim
  const same = lexicalWords(denying)
  return [...lexicalWords(other)].every((word) => same.has(word)) && speaksOfDenied(denying, other, isOurs)
}

/** Maximum number of terms after a denial that it may deny. "Without" denies only its noun. */
const scope = 3

/**
 * Returns whether a text contains a term that the other one denies. "Not" in a claim denies the whole quote,
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

/** Returns whether the main clause of a claim denies although the program has no sign of a denial. */
export function deniesProgram(claim: string, code: string): boolean {
  const main = claim.replace(condition, '')
  if (countDenials(main) === 0) return false
  return countDenials(code) === 0 && lexicalWords(code.replace(/_/g, ' ')).size === 0 && !signs.test(code)
}

const countDenials = (text: string): number => (text.match(plain) ?? []).length

const lexicalWords = (text: string): Set<string> =>
  new Set((text.match(lexical) ?? []).map((word) => word.toLowerCase().slice(0, 5)))
