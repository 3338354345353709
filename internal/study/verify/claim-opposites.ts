// Opposite words in claims and quotes: "enabled" in one and "disabled" in the other about the same thing.
import { once } from '../../base/once.ts'
import { condition } from './claim-denial.ts'

/** Two groups of words, each with the opposite meaning of the other. The words are regular expressions. */
type OppositePair = readonly [one: string, other: string]

const end = '(?= by default|\\s*(?:$|[.,;:)]))'

const axes: readonly OppositePair[] = [
  // "on" and "off" count only after such verbs, because otherwise they are mostly prepositions
  [
    `enabl\\w*|activ(?:e|ated?)|(?:turn(?:s|ed)?|switch(?:es|ed)?) on|(?:is|are|be|been) on${end}`,
    `disabl\\w*|inactive|deactivated?|(?:turn(?:s|ed)?|switch(?:es|ed)?) off|(?:is|are|be|been) off${end}`,
  ],
  [
    'allow\\w*|permit\\w*|accept\\w*',
    'den(?:y|ies|ied)|refus\\w*|reject\\w*|forbid\\w*|prohibit\\w*|disallow\\w*',
  ],
  ['includ\\w*', 'exclud\\w*'],
  ['required|mandatory|compulsory', 'optional'],
  ['ascending', 'descending'],
  ['increas\\w*|grow(?:s|ing)?', 'decreas\\w*|shrink\\w*'],
  ['succeed\\w*|success\\w*', 'fail(?:s|ed|ure|ures)?'],
  ['unlimited|infinite|boundless', 'limited|finite|bounded'],
  ['oldest|earliest', 'newest|latest'],
  ['synchronous(?:ly)?', 'asynchronous(?:ly)?'],
  ['public', 'private'],
  ['mutable', 'immutable'],
  ['valid', 'invalid'],
  ['supported', 'unsupported'],
  ['safe', 'unsafe'],
  ['encrypted', 'unencrypted'],
  ['compressed', 'uncompressed'],
  ['sorted|ordered', 'unsorted|unordered'],
  ['case-sensitive', 'case-insensitive'],
  ['inserted|added|created', 'deleted|removed'],
  ['keeps?|kept|retain\\w*|preserv\\w*', 'delet\\w*|remov\\w*|discard\\w*|drop(?:s|ped)?'],
  ['smallest|shortest|lowest', 'largest|longest|highest'],
]
const toWordPattern = (group: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${group})(?![\p{L}\p{N}_-])`, 'iu')
const listPairs = once(() => axes.map(([one, other]) => [toWordPattern(one), toWordPattern(other)] as const))

/**
 * Words with which a statement holds only in one case or on one side of a limit, so that opposite words may
 * say the same: "at most 8 are accepted" and "more than 8 are refused".
 */
const limited = new RegExp(
  String.raw`\b(?:only|except|unless|until|if|when|whenever|otherwise|instead|but|or|whether|without|` +
    'at most|at least|up to|within|once|than|above|below|over|under|exceed\\w*|maximum|minimum)\\b',
  'iu',
)
const negation = /\b(?:not|never|no|cannot|none|nothing|nor|neither)\b|n['’]t\b/iu

/**
 * Returns true if the main clause of the claim and the sentence differ in one pair of opposite words, such as
 * "enabled" and "disabled", and both deny them or neither does. Two such pairs cancel each other: "keeps the
 * newest" and "drops the oldest". Returns false if one of them has a condition or a limit.
 */
export function areOpposite(claim: string, sentence: string): boolean {
  const ours = claim.replace(condition, '')
  if (limited.test(ours) || limited.test(sentence)) return false
  if (negation.test(ours) !== negation.test(sentence)) return false
  const differing = listPairs().filter(([one, other]) => {
    const claimed = sideOf(ours, one, other)
    return claimed !== 0 && claimed === -sideOf(sentence, one, other)
  })
  return differing.length % 2 === 1
}

/** Returns 1 if only `one` matches the text, -1 if only `other` does, else 0. */
function sideOf(text: string, one: RegExp, other: RegExp): number {
  return Number(one.test(text)) - Number(other.test(text))
}

const assigned = /(?:[=:]\s*|^[ \t]*\w+[ \t]+(?=\w+\s*$))(true|false|yes|no|on|off)\b/gimu

/**
 * Returns true if the claim states that something is enabled or allowed and the code sets exactly one
 * yes/no value, which is false, or the reverse. Does not check that both are about the same thing. Returns
 * false if the claim has a negation or a limit, or if a word in the code, as in `disable_cache`, may
 * reverse the value.
 */
export function isSetOpposite(claim: string, code: string): boolean {
  const ours = claim.replace(condition, '')
  const values = [...code.matchAll(assigned)].map(([, value]) => /^(?:true|yes|on)$/i.test(value as string))
  if (values.length !== 1 || negation.test(ours) || limited.test(ours)) return false
  if (negative.test(code.replace(assigned, ''))) return false
  const sides = listPairs()
    .slice(0, 2)
    .map(([one, other]) => sideOf(ours, one, other))
  return sides.includes(values[0] ? -1 : 1) && !sides.includes(values[0] ? 1 : -1)
}

const negative = /disabl|without|no_|No[A-Z]|non|skip|ignor|off|exclud|inactiv|deny|forbid|prevent/i
