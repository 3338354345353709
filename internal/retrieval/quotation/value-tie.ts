// Decision whether a value in a quote is the one that a part of a question asks for. Another value near the
// words of the part answers nothing.
import type { QuestionLanguage } from '../language.ts'
import { asksMeasure } from '../languages/wanted-answer.ts'
import type { TermPlace } from '../term-scanner.ts'
import { isAmount } from './amount.ts'
import { type AskedKind, asking } from './asked-kind.ts'
import type { TextSpan } from './statement-lines.ts'
import { hasMostWords } from './statement-words.ts'
import type { ValueStatement } from './value-statement.ts'

/** A quote with the places of terms, and the part of the question that it should answer. */
interface TieInput {
  quote: string
  places: readonly TermPlace[]
  /**
   * Weights, from 0 to 1, of terms that count for every statement, by the index of the term. They are the
   * terms in the passage's headings, the names in its path and, in prose, the names that it defines.
   */
  titles: ReadonlyMap<number, number>
  /**
   * Weights, from 0 to 1, of the terms in the passage's headings and in the names that it defines, and of the
   * names in its path, by the index of the term.
   */
  names: ReadonlyMap<number, number>
  kind: AskedKind
  /** The part as written in the question. */
  part: string
  language: QuestionLanguage
  /** Indices of the part's telling terms, which are words that are not common in questions. */
  terms: readonly number[]
  /**
   * Weight of every term of the question, by its index; 0 for terms of other parts and for terms that
   * are not telling.
   */
  weights: readonly number[]
  /** Weight of a term in the question, from 0 to 1. How rare the term is in the files has no effect on it. */
  weightOf: (term: number) => number
  wordOf: (term: number) => string
  /** Weight of a synonym relative to the word itself. */
  synonymWorth: number
}

/** Smallest share of the part, by weight, that the statement of a value has to contain with its titles. */
const minStated = 0.5

const amountKinds: ReadonlySet<AskedKind> = new Set(['count', 'duration', 'number'])

/** Returns true if the value at index `at` belongs to a statement about what the part asks. */
export function isTied(input: TieInput, at: number, statement: ValueStatement): boolean {
  const { quote, kind, weights, part } = input
  const value = readValue(quote, at)
  const isAsked = ({ from, to }: TextSpan) =>
    input.places.some((place) => from <= place.at && place.at < to && (weights[place.term] ?? 0) > 0)
  const isNumber = amountKinds.has(kind) || (kind === 'value' && /^\d/.test(value))
  const hasNouns = input.language === 'en'
  const isNamed = /\b(?:which|what)\b/i.test(part)
  const hasAnyUnit = asksMeasure(part)
  if (isNumber && !isAmount({ quote, at, value, statement, kind, isNamed, hasAnyUnit, hasNouns, isAsked }))
    return false
  if (kind === 'value' && stateWord.test(value) && condition.test(quote.slice(statement.own.from, at)))
    return false
  const outside = input.places.filter((place) => place.at < at || place.at >= at + value.length)
  const within = (spans: readonly TextSpan[]) =>
    outside.filter((place) => spans.some(({ from, to }) => from <= place.at && place.at < to))
  const ownPlaces = within([statement.own])
  const lead = within(statement.lead)
  const outer = within(statement.outer)
  const heldWeights = new Map(input.titles)
  const hold = (term: number, share: number) =>
    heldWeights.set(term, Math.max(heldWeights.get(term) ?? 0, share))
  for (const { term, weight } of [...ownPlaces, ...lead, ...outer])
    hold(term, weight >= 1 ? 1 : input.synonymWorth)
  const isDefault = tellsDefault(input, statement, at, heldWeights)
  if (isDefault === false) return false
  if (isDefault !== undefined) hold(isDefault, 1)
  for (const { term } of within(statement.functions)) hold(term, input.synonymWorth)
  const all = weights.reduce((sum, one) => sum + one, 0)
  const stated = [...heldWeights].reduce((sum, [term, share]) => sum + share * (weights[term] ?? 0), 0)
  if (!fewKinds.has(kind) && !hasMostWords(withNames(heldWeights, input), withoutKindNouns(input)))
    return false
  return (
    stated >= minStated * all &&
    namesSubject(input, statement, at, { own: ownPlaces, lead, outer, held: heldWeights })
  )
}

/** Matches words for the kind of the value, which a text that gives the value need not repeat. */
const kindNoun = new RegExp(
  '^(?:errors?|exceptions?|signals?|versions?|values?|defaults?|standard|numbers?|count|' +
    'seconds?|minutes?|hours?)$',
  'i',
)

const withoutKindNouns = ({ terms, wordOf, weightOf }: TieInput) => ({
  terms: terms.filter((term) => !kindNoun.test(wordOf(term))),
  weightOf,
})

/**
 * Kinds of value that occur rarely in a text. Fewer words of the question are then enough to show that the
 * value is the right one.
 */
const fewKinds: ReadonlySet<AskedKind> = new Set(['signal', 'version'])

/**
 * Returns `heldWeights` (the terms of the statement with their weights) and the terms of `names`, which
 * count like synonyms.
 */
const withNames = (heldWeights: ReadonlyMap<number, number>, { names, synonymWorth }: TieInput) =>
  new Map([...[...names.keys()].map((term): [number, number] => [term, synonymWorth]), ...heldWeights])

const stateWord = /^\p{L}+$/u
/** Matches text before a word that is the condition of a statement and not its value: "if it is enabled". */
const condition = /\b(?:if|when|while|once|unless|where|until)\b[^,.;:]*$/i

const valueText = /`[^`\n]*`|"[^"\n]*"|'[^'\n]*'|[\p{L}\p{N}_]+(?:[.,]\d+)*/uy

function readValue(quote: string, at: number): string {
  valueText.lastIndex = at
  return valueText.exec(quote)?.[0] ?? quote.slice(at, at + 1)
}

const defaultWord = /^(?:defaults?|standard)$/i
const defaultText = new RegExp(
  [
    String.raw`default|preset|\binitial|\bstandard\b|\bbuilt-?in\b|\bunless\b|\botherwise\b`,
    String.raw`\b(?:if|when|where)\b[^.]{0,40}\b(?:not (?:set|given|specified|provided|configured|passed|` +
      String.raw`present|defined|changed|used)|no \w+ (?:is|are|was)|none|unset|unspecified|undefined|` +
      String.raw`omitted|missing|absent)\b`,
    String.raw`\b(?:par défaut|standardmäßig|voreingestellt|por defecto|predeterminad)`,
  ].join('|'),
  'iu',
)
/** Matches text before a value that is assigned or returned. */
const assigned = new RegExp(
  String.raw`[\w$)\]"'\x60]\??\s*(?::\s*[\w<>[\]|. &'*]+\s*)?(?::=|=>|[:=])\s*[({["'\x60&+-]*$|` +
    String.raw`#\s*define\s+\w+\s+\(*$|\breturn\s+$`,
)

/**
 * Returns false if the part asks for a default and the value is not one; the term for "default" if it is, and
 * undefined for other parts. A default is called so in its statement or a title, or it is assigned in code or
 * settings. A value in an example is not a default.
 */
function tellsDefault(
  { weights, wordOf, quote, places }: TieInput,
  { own: ownSpan, lead, outer, isCode, isExample }: ValueStatement,
  at: number,
  heldWeights: ReadonlyMap<number, number>,
): number | false | undefined {
  const term = weights.findIndex((weight, i) => weight > 0 && defaultWord.test(wordOf(i)))
  if (term < 0) return undefined
  if (isExample) return false
  const isNamed = [ownSpan, ...lead, ...outer].some(
    ({ from, to }) =>
      defaultText.test(quote.slice(from, to)) ||
      places.some((place) => place.term === term && from <= place.at && place.at < to),
  )
  const isSet = isCode && assigned.test(quote.slice(ownSpan.from, at))
  return isNamed || isSet || (heldWeights.get(term) ?? 0) >= 1 ? term : false
}

/** Matches the name of a setting that only says that it is an amount. Other lines name its subject. */
const generic = new RegExp(
  String.raw`^(?:n|num|number|count|amount|total|limit|size|max\w*|min\w*|values?|default\w*|length|` +
    'capacity|quota|type)$',
  'i',
)
/** Matches the name to which the text after it is assigned or compared. */
const keyBefore = new RegExp(
  String.raw`([\w$.-]+)[\x60"'*\])]*\??\s*(?::\s*[\w<>[\]|. &'*]+\s*)?(?::=|=>|[<>!=]=?=?|:)\s*` +
    String.raw`[({["'\x60&+\-*]*$|#\s*define\s+(\w+)\s+\(*$|^\s*(\w+)\s+["'\x60]?$`,
)

/** Matches a sentence that leaves its subject to a title: "Defaults to 3", "By default 3". */
const elliptic = /^\W*(?:by default|(?:the )?defaults?|its?|this)\b/i

interface FoundPlaces {
  own: readonly TermPlace[]
  lead: readonly TermPlace[]
  outer: readonly TermPlace[]
  held: ReadonlyMap<number, number>
}

/**
 * Returns true if the statement names what is asked for. A setting with a name such as `limit` may leave
 * this to the lines around it.
 */
function namesSubject(
  input: TieInput,
  { own: span, isCode }: ValueStatement,
  at: number,
  { own: ownPlaces, lead, outer, held: heldWeights }: FoundPlaces,
): boolean {
  const subjects = listSubjects(input)
  const names = (places: readonly TermPlace[]) => places.some(({ term }) => subjects.includes(term))
  if (subjects.length === 0 || names(ownPlaces) || names(lead)) return true
  if (!names(outer) && !subjects.some((term) => heldWeights.has(term))) return false
  const key = keyBefore.exec(input.quote.slice(span.from, at))
  const name = key?.slice(1).find((one) => one !== undefined && !/^\d/.test(one))
  if (name !== undefined) return generic.test(name)
  const says = ({ term }: TermPlace) => !defaultWord.test(input.wordOf(term))
  return (
    !isCode && (ownPlaces.some(says) || lead.some(says) || elliptic.test(input.quote.slice(span.from, at)))
  )
}

const auxiliary = '(?:do|does|did|is|are|was|were|can|could|may|must|should|will|would|has|have|had)'
const countedNoun = new RegExp(
  String.raw`\bhow many (?<noun>(?:[\p{L}\p{N}_-]+ ){0,3}?[\p{L}\p{N}_-]+)(?= ${auxiliary}\b|\?|$)`,
  'iu',
)
const firstNoun = /\bhow many (?<noun>[\p{L}\p{N}_-]+)/iu

/**
 * Returns the terms for what is asked: for a count, the words after "how many"; otherwise all telling
 * words except "default".
 */
function listSubjects({ part, terms, wordOf, kind }: TieInput): number[] {
  const noun = (countedNoun.exec(part) ?? firstNoun.exec(part))?.groups?.noun?.split(' ') ?? []
  const counted = terms.filter((term) => noun.includes(wordOf(term)) && !asking.test(wordOf(term)))
  if (kind === 'count' && counted.length > 0) return counted
  return terms.filter((term) => !defaultWord.test(wordOf(term)))
}
