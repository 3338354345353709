// Forms of words of languages that join particles, articles and endings to them: Korean,
// Arabic, Hebrew, Hindi.

import { once } from '../../once.ts'
import { hasUnspacedScript } from './unspaced-script.ts'

/** Scripts whose words are compared by their forms. Latin, Greek and Cyrillic words have stemmers. */
const scripts: readonly [RegExp, (word: string) => string[]][] = [
  [/\p{sc=Hang}/u, koreanForms],
  [/\p{sc=Arab}/u, arabicForms],
  [/\p{sc=Hebr}/u, hebrewForms],
  [/\p{sc=Deva}/u, hindiForms],
]

const alphabetic = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_]/u

/**
 * Returns true if `word` has letters, all of scripts other than Latin, Greek and Cyrillic, and contains
 * neither digits nor underscores. Such words are compared by `listWordForms`, unless their script is
 * written without spaces.
 */
export const hasWordForms = (word: string): boolean =>
  /[\u0530-\uffff]/.test(word) && /[\p{L}]/u.test(word) && !alphabetic.test(word)

/**
 * Returns the word in lower case and with unified letters, then its forms without prefixes, particles and
 * endings, each once. Returns only the word for a script without rules of this file.
 */
export function listWordForms(word: string): string[] {
  const clean = word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
  const rule = scripts.find(([script]) => script.test(clean))
  return rule ? [...new Set(rule[1](clean))] : [clean]
}

/**
 * Returns the form for comparisons of words: the shortest form with at least three letters (two in Korean),
 * or the word itself if no form is shorter.
 */
export function bareForm(word: string): string {
  const [whole = word, ...others] = listWordForms(word)
  const letters = /^\p{sc=Hang}/u.test(whole) ? 2 : 3
  return others.reduce(
    (best, form) => (form.length >= letters && form.length < best.length ? form : best),
    whole,
  )
}

/** Particles of Korean nouns, and the forms of "to be" that follow a noun directly, longest first. */
const josa = once(() =>
  [
    ...'은 는 이 가 을 를 의 에 도 만 와 과 로 나 랑 야 요 들 께'.split(' '),
    ...'에서 에게 에는 에도 으로 까지 부터 보다 처럼 마다 조차 마저 밖에 한테 이나 이랑 이란 라는 이며 에만 들은 들이 들을 들의'.split(
      ' ',
    ),
    ...'으로는 에서는 에서도 이라는 까지는 부터는 에게는 이라고 으로서 으로써 로서 로써 하고'.split(' '),
    ...'인가 인가요 인지 입니까 입니다 이에요 예요 이다 이죠 인데 이었다 였다 일까 일까요 인'.split(' '),
  ].sort((a, b) => b.length - a.length),
)

/** Matches a Korean noun with the verb "do" or "become" behind it, in any ending. Group 1 is the noun. */
const nounVerb = /^(\p{sc=Hang}{2,}?)(?:하|해|했|합|한|할|함|되|돼|됐|됩|된|될|됨)\p{sc=Hang}*$/u

/**
 * Matches an ending of a Korean verb. The pattern is in conjoining letters, so that it matches within
 * a syllable too.
 */
const verbEnding = once(
  () =>
    new RegExp(
      `(?:${[
        '\u11b8니다 \u11b8니까 습니다 습니까 나요 는가 는가요 \u11ab가 \u11ab가요 \u11ab다 는다 \u11af까 \u11af까요 아요 어요 여요',
        '았다 었다 였다 았습니다 었습니다 였습니다 \u11bb다 \u11bb습니다 \u11bb나요 네요 지요 죠 다 고 며 면 서 는 던 기 \u11ab \u11af',
      ]
        .join(' ')
        .split(' ')
        .map((ending) => ending.normalize('NFD'))
        .sort((a, b) => b.length - a.length)
        .join('|')})$`,
      'u',
    ),
)

function koreanForms(word: string): string[] {
  const out = [word]
  let bare = word
  // a noun may have two particles, as in 창고에서는
  for (let i = 0; i < 2; i++) {
    const particle = josa().find((one) => bare.length > one.length && bare.endsWith(one))
    if (particle === undefined) break
    bare = bare.slice(0, -particle.length)
    out.push(bare)
  }
  const noun = nounVerb.exec(word)?.[1]
  if (noun !== undefined) out.push(noun)
  const stem = word.normalize('NFD').replace(verbEnding(), '').normalize('NFC')
  if (stem !== '') out.push(stem)
  return out
}

const hasLetters = (word: string, letters: number) => word.length >= letters

function arabicForms(word: string): string[] {
  const folded = word
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة$/, 'ه')
    .replace(/ک/g, 'ك')
    .replace(/ی/g, 'ي')
  const out = [folded]
  for (const prefix of [
    'وبال',
    'وال',
    'فال',
    'بال',
    'كال',
    'ولل',
    'لل',
    'ال',
    'و',
    'ف',
    'ب',
    'ك',
    'ل',
    'س',
    'ي',
    'ت',
  ]) {
    const bare = folded.startsWith(prefix) ? folded.slice(prefix.length) : ''
    if (hasLetters(bare, prefix.length > 1 ? 2 : 3)) out.push(bare)
  }
  const endings = [
    'هما',
    'كما',
    'تين',
    'هم',
    'هن',
    'ها',
    'نا',
    'كم',
    'ات',
    'ون',
    'ين',
    'ان',
    'وا',
    'يه',
    'ه',
    'ي',
    'ت',
    'ا',
  ]
  for (const one of [...out]) {
    for (const ending of endings) {
      const bare = one.endsWith(ending) ? one.slice(0, -ending.length) : ''
      if (hasLetters(bare, 3)) out.push(bare)
    }
  }
  return out
}

const finalLetters: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }

function hebrewForms(word: string): string[] {
  const folded = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ךםןףץ]/g, (letter) => finalLetters[letter] as string)
  const out = [folded]
  for (const prefix of [
    'ה',
    'ו',
    'ב',
    'ל',
    'מ',
    'ש',
    'כ',
    'וה',
    'שה',
    'מה',
    'בה',
    'וב',
    'ול',
    'ומ',
    'כש',
    'שב',
    'של',
    'כשה',
  ]) {
    const bare = folded.startsWith(prefix) ? folded.slice(prefix.length) : ''
    if (hasLetters(bare, 2)) out.push(bare)
  }
  for (const one of [...out]) {
    for (const ending of ['ימ', 'ות', 'יות', 'ה', 'ת', 'י', 'ו', 'יה', 'יהמ', 'נו']) {
      const bare = one.endsWith(ending) ? one.slice(0, -ending.length) : ''
      if (hasLetters(bare, 3)) out.push(bare)
    }
  }
  return out
}

/** Hindi endings of cases and numbers, and of verbs. */
const nounEndings = 'ियों ियाँ ियां ाओं ाएँ ाएं ुओं ुएँ ुएं ताओं ों ें'
const verbEndings = 'ता ते ती ना ने नी या ये यी गा गे गी ी ा े ो ि ु ू ं'
const hindiEnding = once(
  () => new RegExp(`(?:${[nounEndings, verbEndings].join(' ').replaceAll(' ', '|')})$`, 'u'),
)

function hindiForms(word: string): string[] {
  const folded = word
    .normalize('NFD')
    .replace(/\u093c/g, '')
    .replace(/\u0901/g, '\u0902')
    .normalize('NFC')
  const out = [folded]
  let bare = folded
  // a verb may have two endings, as in खुलती > खुल
  for (let i = 0; i < 2; i++) {
    const shorter = bare.replace(hindiEnding(), '')
    if (shorter === bare || shorter.replace(/\p{M}/gu, '').length < 2) break
    bare = shorter
    out.push(bare)
  }
  return out
}

/**
 * For each script: the prefixes that may precede a word within the written word, and the pattern that removes
 * such a prefix.
 */
const joined: readonly [RegExp, readonly string[], RegExp][] = [
  [/^\p{sc=Arab}/u, ['', 'ال', 'وال', 'بال', 'لل', 'و', 'ب', 'ل'], /^(?:وال|بال|فال|كال|لل|ال)(?=.{2})/u],
  [/^\p{sc=Hebr}/u, ['', 'ה', 'ב', 'ל', 'מ', 'ש', 'ו', 'כ'], /^[הבלמשוכ](?=.{3})/u],
]

/**
 * Returns the texts with which written forms of `word` begin, with and without prefixes such as articles.
 * They are searched in an index that contains only whole words. Empty for words whose forms the index finds
 * itself: those of Latin, Greek or Cyrillic letters and of scripts without spaces.
 */
export function listWordBeginnings(word: string): string[] {
  if (!hasWordForms(word) || hasUnspacedScript(word)) return []
  const clean = word.normalize('NFC')
  if (/^\p{sc=Hang}/u.test(clean)) return [bareForm(clean)]
  const rule = joined.find(([script]) => script.test(clean))
  if (!rule) return [clean]
  const bare = clean.replace(rule[2], '').replace(/(?<=.{3})(?:ات|ين|ون|ة|ه|ים|ות|ה)$/u, '')
  return rule[1].map((prefix) => prefix + bare)
}
