// Text of any encoding: by byte order mark, places of NUL bytes, strict UTF-8, a name, and then by a guess.

import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { decodeBytes } from './decode-bytes.ts'
import { trimCut } from './text-encoding.ts'
import { twoByteEncoding } from './two-byte-encoding.ts'

/** Decoded bytes. `guessed` names the encoding where nothing in the file does. */
interface DecodedBytes {
  text: string
  encoding: string
  guessed?: true
}

/** Bytes that are looked at for a guess. */
const sampleBytes = 256 << 10
/** Multi-byte encodings are sure from here on; the detector is weak at single bytes. */
const sureConfidence = 50

/**
 * Returns undefined for bytes that are not text in any known encoding. `named` is what the file itself says,
 * in a header or a tag. `cut` bytes may end within a character, which is left out.
 */
export async function decodeAnyText(
  bytes: Uint8Array,
  named?: string,
  cut = false,
): Promise<DecodedBytes | undefined> {
  const marked = markedEncoding(bytes)
  if (marked) return decodeStrictly(bytes, marked, cut)
  const hasNul = bytes.includes(0)
  const whole = cut ? trimCut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) : bytes
  if (!hasNul && isUtf8(whole)) return { text: new TextDecoder().decode(whole), encoding: 'utf-8' }
  if (hasNul) {
    const wide = wideEncoding(bytes, cut)
    return wide === undefined ? undefined : decodeStrictly(bytes, wide, cut)
  }
  const own = named === undefined ? undefined : decodeStrictly(bytes, named, cut)
  if (own && own.encoding !== 'utf-8') return own
  return guess(bytes, cut)
}

/** One line for a result: the letters may be others. Undefined where the file is sure of its encoding. */
export const describeGuess = ({ encoding, guessed }: Pick<DecodedBytes, 'encoding' | 'guessed'>) =>
  guessed ? `read as ${encoding}, a guess: the file does not name its encoding` : undefined

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** ASCII letters in UTF-16 leave a NUL at every other byte. */
function wideEncoding(bytes: Uint8Array, cut: boolean): string | undefined {
  const part = bytes.subarray(0, 4_096)
  const nuls = [0, 0]
  for (const [at, byte] of part.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] as number) + 1
  const [even = 0, odd = 0] = nuls
  if ((!cut && bytes.length % 2 !== 0) || even + odd < part.length / 8) return undefined
  if (even === 0) return 'utf-16le'
  return odd === 0 ? 'utf-16be' : undefined
}

/** Undefined where a byte stands for nothing in the encoding, or there is no such encoding. */
function decodeStrictly(bytes: Uint8Array, encoding: string, cut: boolean): DecodedBytes | undefined {
  try {
    const text = decodeBytes(bytes, encoding, { fatal: true, cut })
    const { encoding: name } = new TextDecoder(encoding)
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : { text, encoding: name }
  } catch {
    return undefined
  }
}

async function guess(bytes: Uint8Array, cut: boolean): Promise<DecodedBytes | undefined> {
  const sample = bytes.subarray(0, sampleBytes)
  const { analyse } = await import('chardet')
  for (const { name, confidence } of analyse(sample)) {
    if (confidence < sureConfidence || !/^(?:Shift_JIS|EUC|GB|Big5|ISO-2022)/.test(name)) continue
    const decoded = decodeStrictly(bytes, name, cut)
    if (decoded) return { ...decoded, guessed: true }
  }
  const best = bestSingleByte(sample)
  // a short text of two-byte letters is too little for the detector, and fits no alphabet well
  if ((best?.score ?? 0) < weakScore) {
    const wide = twoByteEncoding(sample)
    const decoded = wide === undefined ? undefined : decodeStrictly(bytes, wide, cut)
    if (decoded) return { ...decoded, guessed: true }
  }
  const decoded = best && best.score > 0 ? decodeStrictly(bytes, best.encoding, cut) : undefined
  return decoded && { ...decoded, guessed: true }
}

const weakScore = 0.5
/** Encodings of one byte a letter, each with the letters that its languages use most. */
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
 * What fits no alphabet has a score of 0 or less. Words of bytes alone belong to another alphabet; bytes
 * among ASCII letters are accents.
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
  return best
}

/** The mean worth of letters beyond ASCII. A capital within a word counts against the encoding. */
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

/** Frequent letters tell alphabets apart; of accents none is more frequent than another. */
function worthOf(at: number, rank: number, usual: string): number {
  if (at === 0 || usual.length > 40) return 1
  return rank < 0 ? 0.8 : 1.2 - (0.6 * rank) / usual.length
}
