// Kind of answer that a question wants (a number, a position, or code), and whether a text has it.
import { hasNumeral } from '../../base/text/scripts/numerals.ts'

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
export function numberIn(content: string, wanted: WantedAnswer['number']): number {
  if (wanted === undefined || !hasNumeral(content)) return 0
  if (wanted === 'duration') return durationText.test(content) ? 3 : 1
  return wanted === 'size' && sizeText.test(content) ? 5 : 1
}

/** Returns true if the text has a path or the name of a file. */
export const hasPlaceIn = (content: string): boolean => placeText.test(content)
