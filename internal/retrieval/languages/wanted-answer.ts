// What a question wants: a number, a position, code, or a yes or no; the words that it implies; and whether
// a text has such an answer.
import { hasNumeral } from '../../base/text/scripts/foreign-words.ts'
import type { QuestionLanguage } from '../language.ts'

export interface WantedAnswer {
  /**
   * What the wanted number measures: anything, a duration, or a number of bytes. Undefined if no
   * number is wanted.
   */
  number: 'any' | 'duration' | 'size' | undefined
  /**
   * Set if only a number can answer the question: a count of things, or how long, large or
   * often something is.
   */
  amount: 'count' | 'measure' | undefined
  place: boolean
  code: boolean
}

const duration = new RegExp(
  String.raw`\b(?:how (?:long|often|soon|fast)|timeout|interval|duration|deadline|wie (?:lange|` +
    String.raw`oft|schnell)|combien de temps|cu[aá]nto tiempo)\b`,
  'i',
)
const size = new RegExp(
  String.raw`\b(?:how (?:large|big)|size|bytes|wie gro(?:ß|ss)|quelle taille|qu[eé] tama[ñn]o|` +
    String.raw`(?:body|file|memory|buffer) limit)\b`,
  'i',
)
const number = new RegExp(
  String.raw`\b(?:how (?:many|much|high|deep|old)|number|limit|maximum|minimum|port|percent|rate|` +
    String.raw`count|default|wie ?(?:viele?|hoch)|höchstens|mindestens|combien|cu[aá]nt[oa]s?)\b`,
  'i',
)
const count = /\b(?:how many|number of|wie ?viele|anzahl|combien d|cu[aá]nt[oa]s)\b/i
const amount = new RegExp(
  String.raw`\b(?:how (?:long|often|soon|fast|large|big|high|deep|old|early|late|much|far)|wie (?:lange|` +
    String.raw`oft|schnell|gro(?:ß|ss)|hoch|tief|früh|spät|weit)|combien|cu[aá]nt[oa])(?![\p{L}])`,
  'iu',
)
const place = new RegExp(
  String.raw`\b(?:where|which (?:file|folder|directory|path|module|function)|what (?:file|folder|` +
    String.raw`directory|path)|path|location|located|stored|wo|wohin|où|d[oó]nde)\b`,
  'i',
)
const code = new RegExp(
  String.raw`\b(?:function|method|class|implement(?:s|ed|ation)?|source code|in the code|defined|` +
    String.raw`declared|struct|algorithm|funktion|methode|fonction|función)\b|[a-z]\w*\(\)`,
  'i',
)

/** Words of other languages that ask for a count, a measure or a place, as alternatives of a pattern. */
const foreign = {
  count: [
    '多少(?!钱|錢)|几(?!点|时|號|号|何|乎)|幾(?!點|時)|何[人個件枚台冊本隻匹頭回社名室階校]|いくつ|몇(?! ?시)|กี่(?!โมง)',
    '(?<!\\p{L})كم(?!\\p{L})|כמה|कितन[ाेी]|сколько|bao nhiêu|mấy(?! giờ)|số lượng',
  ].join('|'),
  measure: [
    '多(?:大|长|長|久|高|深|远|遠|重|快|宽|寬)|几点|几时|幾點|何時|何分|何日|何年',
    '何キロ|何メートル|何度|いくら|どの(?:くらい|ぐらい)|どれ(?:くらい|ぐらい)',
    '얼마|몇 ?시|กี่โมง|เท่าไ[รห]|เท่าใด|นานแค่ไหน|mấy giờ|bao (?:lâu|xa)',
    'кака[яй] (?:длина|высота|глубина)|как (?:долго|часто|далеко)',
  ].join('|'),
  place: '哪里|哪儿|哪裡|在哪|何处|どこ|어디|ที่ไหน|أين|اين|איפה|היכן|कहाँ|कहां|где|куда|ở đâu|nơi nào',
}
const foreignAmount = new RegExp(`${foreign.count}|${foreign.measure}`, 'iu')
const foreignCount = new RegExp(foreign.count, 'iu')
const foreignPlace = new RegExp(foreign.place, 'iu')

/** Returns the kind of answer that the question wants. */
export const readWantedAnswer = (question: string): WantedAnswer => ({
  number: wantedNumber(question),
  amount: wantedAmount(question),
  place: place.test(question) || foreignPlace.test(question),
  code: code.test(question),
})

function wantedNumber(question: string): WantedAnswer['number'] {
  if (size.test(question)) return 'size'
  if (duration.test(question)) return 'duration'
  return number.test(question) || foreignAmount.test(question) ? 'any' : undefined
}

export function wantedAmount(question: string): WantedAnswer['amount'] {
  if (count.test(question) || foreignCount.test(question)) return 'count'
  return amount.test(question) || foreignAmount.test(question) ? 'measure' : undefined
}

/**
 * Matches a path or the name of a file at its first sign, a slash or a dot, so that plain words cost little.
 */
const placeText =
  /\/[\w.-]|\.(?:(?<=\w-*\.)(?:conf|json|ya?ml|toml|md|ts|js|c|h|py|go|rs|txt|ini|cfg)|\w+rc)\b/

const durationText = new RegExp(
  String.raw`\d\s?(?:m?s|us|µs|sec(?:ond)?s?|milli|min(?:ute)?s?|h(?:ours?)?|d(?:ays?)?|weeks?|` +
    String.raw`Sekunden?|Minuten?|Stunden?|Tage?)\b|\b(?:milli)?seconds?\b|timeout|TIMEOUT|[Mm]illis`,
)
const sizeText = /\d\s?(?:[kKMGT]i?[bB]?|bytes?|letters?|characters?)\b|\bbytes\b|\b\d{4,}\b/

/**
 * Returns what the numbers in a text measure, as flags: 1 any, 2 a duration, 4 a number of bytes. Returns 0
 * without a number or if none is wanted. Reads only for the kind that the question wants, because no other
 * kind changes a score.
 */
export function numberIn(content: string, numberKind: WantedAnswer['number']): number {
  if (numberKind === undefined || !hasNumeral(content)) return 0
  if (numberKind === 'duration') return durationText.test(content) ? 3 : 1
  return numberKind === 'size' && sizeText.test(content) ? 5 : 1
}

/** Returns true if the text has a path or the name of a file. */
export const hasPlaceIn = (content: string): boolean => placeText.test(content)

/**
 * Matches, by language, the beginning of a yes-or-no question: its verb, or a word that replaces the verb.
 */
const opening: Readonly<Partial<Record<QuestionLanguage, RegExp>>> = {
  en: new RegExp(
    '^(?:(?:and|so|but|or|also|then),? )*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|' +
      String.raw`would|should|may|must)(?:n['’]t)?\s`,
    'iu',
  ),
  de: new RegExp(
    '^(?:(?:und|oder|aber),? )*(?:ist|sind|war|kann|könnte|können|darf|muss|hat|haben|wird|werden|' +
      String.raw`gibt|\p{L}+(?:t|en) (?:es|sie|er|man|das|die|der|den|dieses|diese))\s`,
    'iu',
  ),
  fr: new RegExp(
    String.raw`^(?:(?:et|ou|mais),? )*(?:est-ce que|est-ce qu['’]|y a-t-il|peut-|\p{L}+(?:-t)?-(?:il|elle|` +
      String.raw`ils|elles|on)\s|(?:est|sont|peut) )`,
    'iu',
  ),
  es: /^¿?(?:(?:y|o|pero),? )*(?:es|está|hay|puede|se puede|tiene|soporta|admite|habla|funciona|existe)\s/iu,
}

export const isYesNoQuestion = (part: string, language: QuestionLanguage): boolean =>
  opening[language]?.test(part.trim()) ?? false

/** Words about ability, such as "support", that a yes-or-no question may contain for any subject. */
export const capabilityWords: ReadonlySet<string> = new Set(
  `speak speaks talk talks understand understands know knows offer offers provide provides implement
  implements include includes contain contains come comes bring brings ship ships feature features
  support supports supported supporting able there
  spricht sprechen unterstützt unterstützen bietet versteht beherrscht kennt
  parle parler supporte supporter gère gérer comprend offre prend charge
  habla hablar soporta soportar admite admitir entiende ofrece`.split(/\s+/),
)

interface ImpliedWord {
  word: string
  /** Weight of the word, which is low because an answer does not need the word. */
  weight: number
}

const setting = '(?:set|chang|giv|configur|specif|defin|provid|pass)'

/** Phrases that mean the same as one word. The phrase is removed from the question, and the word is added. */
const phrases: readonly { pattern: RegExp; implied: ImpliedWord }[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:unless|if not|(?:when|if|where) (?:no(?:body|thing|ne)|no one|no \w+)` +
        String.raw`(?: (?:is|are|has|have))?)(?: \w+){0,3}? ${setting}\w*` +
        '(?: (?:anything|something|otherwise|it|them))?',
      'giu',
    ),
    implied: { word: 'default', weight: 0.4 },
  },
]

/** Forms of questions that imply a further word, which is added. */
const questions: readonly { pattern: RegExp; implied: ImpliedWord }[] = [
  {
    pattern: /\bat most\b|\bhow many\b.*\b(?:can|may|at once|at a time|simultaneously|in parallel)\b/iu,
    implied: { word: 'maximum', weight: 0.4 },
  },
  { pattern: /\bat least\b/iu, implied: { word: 'minimum', weight: 0.4 } },
]

/** Matches verbs with "nothing" and similar words, which describe silence: says nothing, sends no data. */
const silent = new RegExp(
  String.raw`\b(?:say(?:s|ing)?|said|sen(?:d|ds|ding|t)|answer(?:s|ed|ing)?|repl(?:y|ies|ied)) ` +
    String.raw`(?:nothing(?: at all)?|no (?:data|bytes?|reply|answer))\b`,
  'giu',
)

/**
 * Returns a part of a question without the phrases that one word replaces, and the words that it implies.
 * Phrases about silence become the word "silent".
 */
export function readImpliedWords(part: string): { text: string; implied: ImpliedWord[] } {
  const implied: ImpliedWord[] = []
  let text = part.replace(silent, 'silent')
  for (const { pattern, implied: impliedWord } of phrases) {
    const without = text.replace(pattern, ' ')
    if (without !== text) implied.push(impliedWord)
    text = without
  }
  for (const { pattern, implied: impliedWord } of questions) if (pattern.test(part)) implied.push(impliedWord)
  return { text, implied }
}

const auxiliary = '(?:is|are|was|were|does|do|did|can|could|may|must|should|will|would|has|have|had)'

/** Matches the word for a measure, such as "hot" in "how hot is the kiln". */
const measured = new RegExp(
  String.raw`(?<=\bhow )(?!${auxiliary}\b)\p{L}+(?= ${auxiliary} ` +
    String.raw`(?:the|an?|its?|this|that|each|every|any)\b)`,
  'giu',
)

/** Matches the word of a comparison, such as "longer" in "longer than". */
const compared = /\b(?!rather|other)\p{Ll}+er(?= than\b)/giu

/** Returns true if a part asks for a measure by a word such as "hot" in "how hot is the kiln". */
export const asksMeasure = (part: string): boolean => part.search(measured) >= 0

/**
 * Returns the words of a part for a measure or a comparison, in lower case. A text states them by a number or
 * in other words, such as "more than".
 */
export const listMeasureWords = (part: string): string[] =>
  [...part.matchAll(measured), ...part.matchAll(compared)].map(([word]) => word.toLowerCase())

const denial = new RegExp(
  String.raw`\b(?:without|no|not|never|ohne|kein\w*|sans|sin)\s+(?:(?:an?|any|the|einen?)\s+)?` +
    String.raw`(?<word>[\p{L}\p{N}_-]+)`,
  'giu',
)

/** Returns the words that a part denies, in lower case: "without a key" denies "key". */
export const listDeniedWords = (part: string): string[] =>
  [...part.matchAll(denial)].flatMap(({ groups }) => groups?.word?.toLowerCase() ?? [])

/** Largest number of characters between a denial and the word that it denies. */
const deniedChars = 24

const denialBefore = /\b(?:without|no|not|never|cannot|needs? no|ohne|kein\w*|sans|sin)\b|n['’]t\b/giu

/**
 * Returns true if a denial such as "no" is at most 24 characters before one of the places, which are indices
 * in the text.
 */
export function deniesAt(text: string, places: readonly number[]): boolean {
  return places.some((at) => {
    denialBefore.lastIndex = 0
    return denialBefore.test(text.slice(Math.max(0, at - deniedChars), at))
  })
}
