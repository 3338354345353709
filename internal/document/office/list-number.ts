// The number of a list item in the format that a Word file names.
import { writeScriptNumber } from './script-numbers.ts'

const ones = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix']
const tens = ['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx', 'lxx', 'lxxx', 'xc']
const hundreds = ['', 'c', 'cc', 'ccc', 'cd', 'd', 'dc', 'dcc', 'dccc', 'cm']

/**
 * Returns a number in a format, which is a value of `w:numFmt`; empty for `none`. Returns digits for an
 * unknown format and for a number that the format cannot show.
 */
export function formatListNumber(n: number, format: string): string {
  switch (format) {
    case 'none':
      return ''
    case 'decimalZero':
      return n < 10 ? `0${n}` : String(n)
    case 'lowerLetter':
      return toLetters(n)
    case 'upperLetter':
      return toLetters(n).toUpperCase()
    case 'lowerRoman':
      return toRoman(n)
    case 'upperRoman':
      return toRoman(n).toUpperCase()
    case 'ordinal':
      return `${n}${ordinalEnd(n)}`
    default:
      return writeScriptNumber(n, format) ?? String(n)
  }
}

/** Returns the letters of a number: `aa` follows `z`, then `bb`. Returns digits below 1 and above 780. */
function toLetters(n: number): string {
  if (n < 1 || n > 780) return String(n)
  return String.fromCharCode(97 + ((n - 1) % 26)).repeat(Math.ceil(n / 26))
}

function toRoman(n: number): string {
  if (n < 1 || n > 3_999) return String(n)
  const part = (table: readonly string[], unit: number) => table[Math.floor(n / unit) % 10] ?? ''
  return 'm'.repeat(Math.floor(n / 1_000)) + part(hundreds, 100) + part(tens, 10) + part(ones, 1)
}

function ordinalEnd(n: number): string {
  if (n % 100 >= 11 && n % 100 <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'
}
