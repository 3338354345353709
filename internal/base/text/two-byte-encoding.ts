// The encoding of a short text of Chinese, Japanese or Korean letters of two bytes each.

/** Smallest share of everyday letters and signs among the two-byte letters of a text. */
const everydayShare = 0.75

interface TwoByteLetters {
  encoding: string
  lead: readonly [number, number]
  isTrail: (byte: number) => boolean
  /**
   * Ranges of the first byte of a letter: `everyday` for common letters, `signs` for signs such as kana,
   * which Japanese text contains too.
   */
  everyday: readonly [number, number]
  signs: readonly [number, number]
  /** The most frequent letters of texts in this encoding. They distinguish encodings with the same bytes. */
  frequent: ReadonlySet<string>
}

const frequentKorean = new Set(
  '이다는에의을를가은고지도로한하서사인나리기자시수일대어아정들해보것제부장전구주만상원용공선창여객명',
)
const frequentChinese = new Set(
  '的一是不了在人有我他这個个们来來到时時大地为為子中你说說生国國年着就那和要出得里后後以会會家可下而过過天去能对對小多然于心学學么之都好看起发' +
    '發成事只作当當想文无無开開手十用主行方又如前所本见見经經头頭面公同三已老从從动動两長长城市人口上海北京客船八点點仓倉库庫容量数數名',
)
const frequentJapanese = new Set(
  '一日大年中会人本月長国出上十生子分東三行同今高金時手見市力米自前円合立内二事社者地京間田体学下目五後新明方部女八心四民対主正代言九小思七山実' +
    '入回場野開万全定家北六問話文動度県水安氏和政保表道相意発不党名齢住所',
)

const isInRange = (byte: number, [from, to]: readonly [number, number]) => byte >= from && byte <= to
const isHigh = (byte: number) => byte >= 0xa1 && byte <= 0xfe
const isLowOrHigh = (byte: number) => (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfe)

/**
 * The encodings. In each of them, common letters have low codes. Korean precedes Chinese, because Korean
 * bytes are also valid in the Chinese encoding.
 */
const twoByteSets: readonly TwoByteLetters[] = [
  {
    encoding: 'shift_jis',
    lead: [0x81, 0xfc],
    isTrail: isLowOrHigh,
    everyday: [0x88, 0x97],
    signs: [0x81, 0x83],
    frequent: frequentJapanese,
  },
  {
    encoding: 'euc-kr',
    lead: [0xa1, 0xfe],
    isTrail: isHigh,
    everyday: [0xb0, 0xc8],
    signs: [0xa1, 0xa3],
    frequent: frequentKorean,
  },
  {
    encoding: 'euc-jp',
    lead: [0xa1, 0xfe],
    isTrail: isHigh,
    everyday: [0xb0, 0xcf],
    signs: [0xa1, 0xa5],
    frequent: frequentJapanese,
  },
  {
    encoding: 'gb18030',
    lead: [0x81, 0xfe],
    isTrail: isLowOrHigh,
    everyday: [0xb0, 0xd7],
    signs: [0xa1, 0xa3],
    frequent: frequentChinese,
  },
  {
    encoding: 'big5',
    lead: [0xa1, 0xf9],
    isTrail: isLowOrHigh,
    everyday: [0xa4, 0xc6],
    signs: [0xa1, 0xa3],
    frequent: frequentChinese,
  },
]

/**
 * Returns the name of the encoding in which at least three quarters of the two-byte letters are everyday
 * letters or signs such as kana; undefined without one. Of several, the one with the highest sum of this
 * share and the share of frequent letters.
 */
export function twoByteEncoding(bytes: Uint8Array): string | undefined {
  let best: { encoding: string; worth: number } | undefined
  for (const set of twoByteSets) {
    const share = everydayLetters(bytes, set)
    if (share < everydayShare) continue
    const worth = share + frequentLetters(bytes, set)
    if (worth > (best?.worth ?? 0)) best = { encoding: set.encoding, worth }
  }
  return best?.encoding
}

function frequentLetters(bytes: Uint8Array, { encoding, frequent }: TwoByteLetters): number {
  const letters = new TextDecoder(encoding).decode(bytes).match(/[^\x00-\x7f]/g) ?? []
  return (
    letters.filter((letter) => frequent.has(letter) || /[ぁ-んァ-ヶー]/.test(letter)).length /
    Math.max(1, letters.length)
  )
}

/**
 * Returns the share of common letters and signs among the two-byte letters. Returns 0 for bytes that are not
 * pairs, for fewer than three letters, and if more than a third of the letters are isolated.
 */
function everydayLetters(bytes: Uint8Array, { lead, isTrail, everyday, signs }: TwoByteLetters): number {
  let letters = 0
  let usual = 0
  let alone = 0
  let last = -2
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte < 0x80) continue
    if (!isInRange(byte, lead) || !isTrail(bytes[at + 1] ?? 0)) return 0
    letters++
    if (isInRange(byte, everyday) || isInRange(byte, signs)) usual++
    if (at !== last && !((bytes[at + 2] ?? 0) >= 0x80)) alone++
    at++
    last = at + 1
  }
  return letters < 3 || alone > letters / 3 ? 0 : usual / letters
}
