// Letters of other scripts that look like a letter or a sign of ASCII.
import { once } from '../once.ts'

/** Pairs of a letter and an ASCII character that look the same in most fonts. */
const same = `
  аa еe оo рp сc уy хx іi јj ѕs ԁd һh ԛq ԝw ӏl ѵv ԍg
  АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԌG ԚQ ԜW ѴV ЗZ ӀI
  αa οo νv ρp ιi υu γy χx ϲc ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ
  օo ոn սu հh ցg քf յj զq ՏS ՍU ՕO
  ꭺA ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎥI ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏚS ᎢT ᏙV ᎳW ᏃZ
  ⲟo ⲣp ⲥc ⲭx ⲞO ⲢP ⲤC ⲦT ⲎH ⲒI ⲔK ⲘM ⲚN
  ꓐB ꓑP ꓓD ꓔT ꓖG ꓗK ꓙJ ꓚC ꓜZ ꓝF ꓟM ꓠN ꓡL ꓢS ꓣR ꓦV ꓧH ꓪW ꓫX ꓬY ꓮA ꓰE ꓲI ꓳO ꓴU
  ıi ɡg ɑa ɩi ƖI ǀl ꜱs ᴄc ᴏo ᴠv ᴡw ᴢz
  ∕/ ⁄/ ⧸/ ․. ‐- ‑- ‒- −- ∶: ꞉: ː:
`

/** Pairs that are similar enough to deceive a reader among ASCII letters. */
const near = `
  кk мm нh тt вb гr пn иu зz бb ьb
  κk τt ηn ωw εe μu σo βb δd ϵe
  աw լl իh ԼL պw ղn
  ノ/ 一- ー- ㅡ- 〇O 口O ㅣl 丨l –- —-
`

/** Returns a map from each character to the ASCII character that it looks like. */
const readPairs = (text: string) =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => [...pair] as [string, string]),
  )
const sameLetters = once(() => readPairs(same))
const nearLetters = once(() => readPairs(near))

/**
 * Matches the blocks of Unicode with forms of ASCII characters: full width, mathematical, letter-like, Roman
 * numerals. A few of their characters, such as mathematical Greek letters, have no ASCII form.
 */
const variant = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2100-\u214f\u2160-\u217f]/u

/**
 * Returns the ASCII character that `char` looks like; undefined without one. `loose`: similar
 * letters count too.
 */
export function asciiTwin(char: string, loose: boolean): string | undefined {
  const twin = sameLetters().get(char) ?? (loose ? nearLetters().get(char) : undefined)
  if (twin !== undefined) return twin
  if (!variant.test(char)) return undefined
  const plain = char.normalize('NFKC')
  // a mathematical Greek letter has the twin of its plain Greek letter
  return /^[!-~]$/.test(plain) ? plain : sameLetters().get(plain)
}

const scripts = [
  'Latin Cyrillic Greek Armenian Georgian Cherokee Coptic Lisu Hebrew Arabic Syriac Thaana Nko Devanagari',
  'Bengali Tamil Telugu Kannada Malayalam Gujarati Gurmukhi Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic',
  'Mongolian Tifinagh Glagolitic Gothic Deseret Osage Runic Ogham Canadian_Aboriginal Vai Bamum Yi Adlam',
].join(' ')
const cjk = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u30fc\u3007`

const scriptCache = new Map<string, string | undefined>()
let tests: [string, RegExp][] | undefined
let neutral: RegExp | undefined

/**
 * Returns the script of a letter, `another script` for a rare one, and undefined for characters that several
 * scripts use. Chinese, Japanese and Korean have one name, `CJK`, because one word may mix them.
 */
export function scriptOf(char: string): string | undefined {
  if (/[a-zA-Z]/.test(char)) return 'Latin'
  if (/[\0-\x7f]/.test(char)) return undefined
  if (scriptCache.has(char)) return scriptCache.get(char)
  const script = findScript(char)
  scriptCache.set(char, script)
  return script
}

/**
 * Returns a description of a letter, for a reader who does not know it: full width, letter-like symbol or its
 * script. Undefined for other characters that several scripts use.
 */
export const kindOf = (char: string): string | undefined =>
  /[\uff01-\uff5e]/.test(char) ? 'full width' : variant.test(char) ? 'letter-like symbol' : scriptOf(char)

function findScript(char: string): string | undefined {
  tests ??= [
    ...scripts
      .split(' ')
      .map((name): [string, RegExp] => [name.replace('_', ' '), new RegExp(`\\p{sc=${name}}`, 'u')]),
    ['CJK', new RegExp(`[${cjk}]`, 'u')],
  ]
  neutral ??= /[\p{sc=Common}\p{sc=Inherited}\p{sc=Unknown}]/u
  const script = tests.find(([, test]) => test.test(char))?.[0]
  return script ?? (neutral.test(char) ? undefined : 'another script')
}
