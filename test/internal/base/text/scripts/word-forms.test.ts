// Common forms of words with particles, articles and endings and of the bare word.
import { expect, test } from 'vitest'
import {
  bareForm,
  hasWordForms,
  listWordForms,
} from '../../../../../internal/base/text/scripts/word-forms.ts'

const meets = (a: string, b: string) => listWordForms(a).some((form) => listWordForms(b).includes(form))

const particles =
  '은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 까지 부터 보다 마다 이나 에는 에서는 인가 입니까 이다'.split(
    ' ',
  )
const nouns = '창고 여객선 정원 등대 항구 시장 열쇠 도서관'.split(' ')

test.each(nouns)('finds %s after every particle', (noun) => {
  for (const particle of particles) {
    expect(meets(noun, noun + particle), particle).toBe(true)
    for (const other of particles) expect(meets(noun + other, noun + particle), particle).toBe(true)
  }
})

test.each(nouns)('%s does not match another noun', (noun) => {
  for (const other of nouns.filter((one) => one !== noun)) expect(meets(noun, other), other).toBe(false)
})

test.each([
  ['출발하나요', '출발합니다'],
  ['출발하는', '출발했다'],
  ['떠나나요', '떠납니다'],
  ['열리나요', '열린다'],
  ['المستودع', 'للمستودع'],
  ['مستودع', 'بالمستودعات'],
  ['العبارة', 'العبّارة'],
  ['سفينة', 'السفينه'],
  ['אונייה', 'האונייה'],
  ['מחסן', 'במחסנים'],
  ['שָׁלוֹם', 'שלום'],
  ['गोदाम', 'गोदामों'],
  ['खुलती', 'खुलता'],
  ['जहाज', 'जहाज़'],
  ['पहुँच', 'पहुंच'],
])('%s and %s are one', (a, b) => {
  expect(meets(a, b)).toBe(true)
  expect(meets(b.normalize('NFD'), a)).toBe(true)
})

test('Latin, Cyrillic and digits have stemmers instead', () => {
  for (const word of ['port', 'порт', 'λιμάνι', '5180', 'x1']) expect(hasWordForms(word)).toBe(false)
  expect(bareForm('창고에서는')).toBe('창고')
})
