// Numbers of lists in other scripts and in words: `一`, `Ⅰ`, `가`, `①`, `first`.

const zeroTo = (text: string) => [...text]
const chinese = zeroTo('〇一二三四五六七八九')
const financial = zeroTo('零壹贰叁肆伍陆柒捌玖')
const financialTraditional = zeroTo('零壹貳參肆伍陸柒捌玖')

/**
 * Returns a number such as `二十七`: the units of ten, hundred and thousand follow their digit. Without
 * `hasLeadingOne`, the digit one is left out before a ten at the beginning: `十七`.
 */
function writeCounting(n: number, digits: readonly string[], units: string, hasLeadingOne: boolean): string {
  const [ten = '', hundred = '', thousand = ''] = units
  const parts: string[] = []
  let gap = false
  for (const [size, unit] of [
    [1_000, thousand],
    [100, hundred],
    [10, ten],
    [1, ''],
  ] as const) {
    const digit = Math.floor(n / size) % 10
    if (digit === 0) gap = parts.length > 0
    else {
      if (gap) parts.push(digits[0] as string)
      gap = false
      const isBareTen = size === 10 && digit === 1 && parts.length === 0 && !hasLeadingOne
      parts.push((isBareTen ? '' : (digits[digit] as string)) + unit)
    }
  }
  return parts.join('')
}

/**
 * Returns a writer of numbers as letters in order, then doubled, tripled and so on: the first letter twice
 * follows the last letter.
 */
const byLetters = (letters: string) => (n: number) => {
  const all = [...letters]
  return (all[(n - 1) % all.length] as string).repeat(Math.ceil(n / all.length))
}
const byDigits = (digits: string) => (n: number) =>
  [...String(n)].map((digit) => [...digits][Number(digit)]).join('')
/** Returns a writer of numbers as signs, which exist only up to `count`; larger numbers are digits. */
const bySigns = (first: number, count: number) => (n: number) =>
  n <= count ? String.fromCodePoint(first + n - 1) : String(n)

const small = [
  ...['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

function writeCardinal(n: number): string {
  if (n >= 1_000) return String(n)
  if (n >= 100) {
    const rest = n % 100
    return `${small[Math.floor(n / 100)]} hundred${rest === 0 ? '' : ` ${writeCardinal(rest)}`}`
  }
  if (n < 20) return small[n] as string
  return `${tens[Math.floor(n / 10)]}${n % 10 === 0 ? '' : `-${small[n % 10]}`}`
}

function ordinalWord(n: number): string {
  const word = writeCardinal(n)
  const last = /[a-z]+$/.exec(word)?.[0] ?? ''
  if (last === '') return word
  const ordinal = irregular[last] ?? `${last.replace(/y$/, 'ie')}th`
  return word.slice(0, -last.length) + ordinal
}

const capitalizeWord = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const countingInChinese = (n: number) => writeCounting(n, chinese, '十百千', false)
const russian = 'абвгдежзиклмнопрстуфхцчшщыэюя'
const arabicAlphabet = 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي'
const abjad = 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'

/** Writers of numbers by the value of `w:numFmt`. */
const writers: Readonly<Record<string, (n: number) => string>> = {
  chineseCounting: countingInChinese,
  chineseCountingThousand: countingInChinese,
  taiwaneseCounting: countingInChinese,
  taiwaneseCountingThousand: countingInChinese,
  japaneseCounting: countingInChinese,
  koreanCounting: (n) => writeCounting(n, zeroTo('영일이삼사오육칠팔구'), '십백천', false),
  koreanDigital: byDigits('영일이삼사오육칠팔구'),
  chineseLegalSimplified: (n) => writeCounting(n, financial, '拾佰仟', true),
  ideographLegalTraditional: (n) => writeCounting(n, financialTraditional, '拾佰仟', true),
  ideographDigital: byDigits('〇一二三四五六七八九'),
  japaneseDigitalTenThousand: byDigits('〇一二三四五六七八九'),
  taiwaneseDigital: byDigits('〇一二三四五六七八九'),
  ideographTraditional: byLetters('甲乙丙丁戊己庚辛壬癸'),
  ideographZodiac: byLetters('子丑寅卯辰巳午未申酉戌亥'),
  ganada: byLetters('가나다라마바사아자차카타파하'),
  chosung: byLetters('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
  aiueoFullWidth: byLetters(
    'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
  ),
  irohaFullWidth: byLetters(
    'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
  ),
  decimalFullWidth: byDigits('０１２３４５６７８９'),
  decimalEnclosedCircle: bySigns(0x2460, 20),
  decimalEnclosedCircleChinese: bySigns(0x2460, 20),
  decimalEnclosedParen: bySigns(0x2474, 20),
  decimalEnclosedFullstop: bySigns(0x2488, 20),
  ideographEnclosedCircle: bySigns(0x3280, 10),
  hindiNumbers: byDigits('०१२३४५६७८९'),
  thaiNumbers: byDigits('๐๑๒๓๔๕๖๗๘๙'),
  thaiLetters: byLetters('กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'),
  russianLower: byLetters(russian),
  russianUpper: byLetters(russian.toUpperCase()),
  arabicAlpha: byLetters(arabicAlphabet),
  arabicAbjad: byLetters(abjad),
  hebrew2: byLetters('אבגדהוזחטיכלמנסעפצקרשת'),
  cardinalText: (n) => capitalizeWord(writeCardinal(n)),
  ordinalText: (n) => capitalizeWord(ordinalWord(n)),
  numberInDash: (n) => `- ${n} -`,
  hex: (n) => n.toString(16).toUpperCase(),
}

/**
 * Returns a number in another script, in words or in a form such as `- 3 -`. Undefined for other formats, and
 * for numbers below 1 or above 9,999.
 */
export function writeScriptNumber(n: number, format: string): string | undefined {
  return n >= 1 && n < 10_000 && Object.hasOwn(writers, format) ? writers[format]?.(n) : undefined
}
