// Numbers of any script.
import { expect, test } from 'vitest'
import { hasNumeral, listForeignNumerals } from '../../../../../internal/base/text/scripts/foreign-words.ts'

test.each(['7', '٤١٢ شخصا', '४१२', '๔๑๒', '四百一十二人', '七点出发', '三個月'])(
  '%s gives a number',
  (text) => {
    expect(hasNumeral(text)).toBe(true)
  },
)

test.each(['一般来说', 'none', '三国', '', 'ميناء'])('%s gives none', (text) => {
  expect(hasNumeral(text)).toBe(false)
})

test('finds positions of foreign numbers, and no others', () => {
  expect(listForeignNumerals('共412人')).toEqual([])
  expect(listForeignNumerals('定员四百人')).toEqual([2])
  expect(listForeignNumerals('x ٤١٢')).toEqual([2])
})
