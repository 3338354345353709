// Numbers in texts: digits of any script, and numbers that Chinese and Japanese write in words.

const han = '[〇零一二三四五六七八九十百千万萬億亿两兩]'
/**
 * Matches numbers in Chinese characters. A single one is part of many words, so it counts only before a unit
 * or with another one.
 */
const hanNumber = `${han}{2,}|${han}(?=[点點時时分秒人个個名年月日元円圓圆米号號週周天回次台本艘吨頓公度岁歳条條])`
const anyNumber = new RegExp(`\\p{Nd}|${hanNumber}`, 'u')
const hanNumbers = new RegExp(hanNumber, 'gu')

/** Returns true if `text` contains a number in digits of any script or in Chinese characters. */
export const hasNumeral = (text: string): boolean =>
  /\d/.test(text) || (/[\u0660-\uffff]/.test(text) && anyNumber.test(text))

/**
 * Returns the indexes of numbers that are not written in the digits 0 to 9: first those in digits of other
 * scripts, then those in Chinese characters.
 */
export function listForeignNumerals(text: string): number[] {
  if (!/[\u0660-\uffff]/.test(text)) return []
  return [...text.matchAll(/(?![0-9])\p{Nd}+/gu), ...text.matchAll(hanNumbers)].map(({ index }) => index)
}
