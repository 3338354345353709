// The decoding of text in any encoding: by byte order mark, positions of NUL bytes, strict UTF-8, a named
// encoding, then by a guess.

import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { decodeBytes } from './decode-bytes.ts'
import { trimCut } from './text-encoding.ts'
import { twoByteEncoding } from './two-byte-encoding.ts'

/** Decoded bytes. `guessed` is true if neither the file nor its bytes determine the encoding. */
interface DecodedBytes {
  text: string
  encoding: string
  guessed?: true
}

/**
 * Number of bytes at the start of a file from which its encoding is guessed. A guess is rejected if the whole
 * file is not valid in it.
 */
const sampleBytes = 256 << 10
/**
 * Confidence, from 0 to 100, from which a multi-byte encoding is certain. The detector is weak
 * at single-byte encodings.
 */
const sureConfidence = 50

/**
 * Decodes bytes; undefined if they are not text in a known encoding. `named` is the encoding that the file
 * declares in a header or a tag. `isCut` bytes may end within a character, which is removed.
 */
export async function decodeAnyText(
  bytes: Uint8Array,
  named?: string,
  isCut = false,
): Promise<DecodedBytes | undefined> {
  const marked = markedEncoding(bytes)
  if (marked) return decodeStrictly(bytes, marked, isCut)
  const hasNul = bytes.includes(0)
  const whole = isCut ? trimCut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) : bytes
  if (!hasNul && isUtf8(whole)) return { text: new TextDecoder().decode(whole), encoding: 'utf-8' }
  if (hasNul) {
    const wide = wideEncoding(bytes, isCut)
    return wide === undefined ? undefined : decodeStrictly(bytes, wide, isCut)
  }
  const namedText = named === undefined ? undefined : decodeStrictly(bytes, named, isCut)
  if (namedText && namedText.encoding !== 'utf-8') return namedText
  return guessEncoding(bytes, isCut)
}

/**
 * Returns one line about a guessed encoding, because the letters may be wrong; undefined for one that is
 * not a guess.
 */
export const describeGuess = ({ encoding, guessed }: Pick<DecodedBytes, 'encoding' | 'guessed'>) =>
  guessed ? `read as ${encoding}, a guess: the file does not name its encoding` : undefined

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/**
 * Returns the UTF-16 encoding of bytes, or undefined. In the first 4,096 bytes, the NUL bytes must all be at
 * even or all at odd positions, and be at least an eighth of the bytes. The number of bytes must be even,
 * unless `isCut` is true.
 */
function wideEncoding(bytes: Uint8Array, isCut: boolean): string | undefined {
  const part = bytes.subarray(0, 4_096)
  const nuls = [0, 0]
  for (const [at, byte] of part.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] as number) + 1
  const [even = 0, odd = 0] = nuls
  if ((!isCut && bytes.length % 2 !== 0) || even + odd < part.length / 8) return undefined
  if (even === 0) return 'utf-16le'
  return odd === 0 ? 'utf-16be' : undefined
}

/**
 * Decodes bytes; undefined for an invalid byte, an unknown encoding, or a control character below U+0020
 * other than white space and ESC.
 */
function decodeStrictly(bytes: Uint8Array, encoding: string, isCut: boolean): DecodedBytes | undefined {
  try {
    const text = decodeBytes(bytes, encoding, { fatal: true, cut: isCut })
    const { encoding: name } = new TextDecoder(encoding)
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : { text, encoding: name }
  } catch {
    return undefined
  }
}

async function guessEncoding(bytes: Uint8Array, isCut: boolean): Promise<DecodedBytes | undefined> {
  const sample = bytes.subarray(0, sampleBytes)
  const { analyse } = await import('chardet')
  for (const { name, confidence } of analyse(sample)) {
    if (confidence < sureConfidence || !/^(?:Shift_JIS|EUC|GB|Big5|ISO-2022)/.test(name)) continue
    const decoded = decodeStrictly(bytes, name, isCut)
    if (decoded) return { ...decoded, guessed: true }
  }
  const best = bestSingleByte(sample)
  // a short text of two-byte letters is too little for the detector and matches no alphabet well
  if ((best?.score ?? 0) < weakScore) {
    const wide = twoByteEncoding(sample)
    const decoded = wide === undefined ? undefined : decodeStrictly(bytes, wide, isCut)
    if (decoded) return { ...decoded, guessed: true }
  }
  const decoded = best && best.score > 0 ? decodeStrictly(bytes, best.encoding, isCut) : undefined
  return decoded && { ...decoded, guessed: true }
}

const weakScore = 0.5
/** Single-byte encodings of Latin alphabets, each with the frequent letters beyond ASCII of its languages. */
const latin: Readonly<Record<string, string>> = {
  'windows-1252': 'éèàêçùôîûâëïœäöüßñáíóúãõåæøÄÖÜÉÈÀÇÑ«»“”’‘–—€°§',
  'windows-1250': 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžČŘŠŽőűáéíöüăâîșț“”„–—',
  'iso-8859-2': 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžČŘŠŽőű',
  'windows-1254': 'ğşıçöüâĞŞİÇÖÜ',
  'windows-1257': 'āčēģīķļņšūžąęėįųĀČĒŠŪŽ',
}
const other: Readonly<Record<string, string>> = {
  'windows-1251': 'оеаинтсрвлкмдпуяыьгзбчйхжшю',
  'koi8-r': 'оеаинтсрвлкмдпуяыьгзбчйхжшю',
  ibm866: 'оеаинтсрвлкмдпуяыьгзбчйхжшю',
  'windows-1253': 'ατοιεσνηυρκπλμςωάέήίόύώδγθχφβ',
  'windows-1255': 'יוהלאתמרבשנדעקפחכםגטצזןסךףץ',
  'windows-1256': 'ايلموترنبعهدسفكقحجشصطخةىءأإؤئضظغثذز',
}

/**
 * Returns the single-byte encoding with the highest score. A score of 0 or less means an unsuitable alphabet.
 * If most of the words with high bytes have no ASCII letters, alphabets other than Latin are compared; high
 * bytes among ASCII letters are accents.
 */
function bestSingleByte(bytes: Uint8Array): { encoding: string; score: number } | undefined {
  const words =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[A-Za-z\x80-\xff]+/g) ?? []
  const foreign = words.filter((word) => /[\x80-\xff]/.test(word))
  const pure = foreign.filter((word) => word.length > 1 && !/[A-Za-z]/.test(word)).length
  const table = pure * 2 > foreign.length ? other : latin
  let best: { encoding: string; score: number } | undefined
  for (const [encoding, usual] of Object.entries(table)) {
    const score = scoreText(decodeBytes(bytes, encoding), usual)
    if (!best || score > best.score) best = { encoding, score }
  }
  if (best?.encoding === 'koi8-r' && frameInWord.test(decodeBytes(bytes, 'koi8-r')))
    return { ...best, encoding: 'koi8-u' }
  return best
}

/** Matches a box-drawing sign next to a letter. KOI8-U has the letters є, і, ї and ґ instead. */
const frameInWord = /\p{L}[╓╕╖╜╢╤╥╫]|[╓╕╖╜╢╤╥╫]\p{L}/u

/**
 * Returns a score for a decoding: the mean weight of the letters beyond ASCII, where usual letters count
 * more. A capital letter within a word lowers the score.
 */
function scoreText(text: string, usual: string): number {
  const letters = text.match(/[^\x00-\x7f]/g) ?? []
  let score = 0
  for (const [at, letter] of letters.entries()) {
    const rank = usual.indexOf(letter.toLowerCase())
    const isUsual = rank >= 0 || usual.includes(letter)
    if (/[\x80-\x9f\ufffd]/.test(letter)) score -= 4
    else if (isUsual) score += worthOf(at, rank, usual)
    else score -= /\p{L}/u.test(letter) ? 0.3 : /\s/u.test(letter) ? 0 : 0.8
  }
  const misplaced = text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0
  return letters.length === 0 ? 0 : (score - misplaced * 1.5) / letters.length
}

/**
 * Returns the weight of a usual letter. In a list of at most 40 usual letters, an earlier (more frequent)
 * letter has a higher weight. In a longer list, and for the first letter beyond ASCII in a text, the
 * weight is 1.
 */
function worthOf(at: number, rank: number, usual: string): number {
  if (at === 0 || usual.length > 40) return 1
  return rank < 0 ? 0.8 : 1.2 - (0.6 * rank) / usual.length
}
