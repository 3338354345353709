// Places of terms in texts, against stemming every word of the text one by one.
import { expect, test } from 'vitest'
import { createTermScanner, type TermPlace } from '../../../internal/retrieval/term-scanner.ts'
import { foldWord, parseQuestion } from '../../../internal/retrieval/words.ts'
import { choice, rng } from '../../support/rng.ts'

async function scanOf(question: string) {
  const parsed = await parseQuestion(question)
  const scan = createTermScanner(parsed)
  return (text: string) => {
    const places: TermPlace[] = []
    scan(text, (place) => places.push(place))
    return places.map(({ at, term, weight }) => [parsed.terms[term]?.word, at, weight])
  }
}

test('finds a word in any of its forms, also inside of an identifier', async () => {
  const scan = await scanOf('timeouts')
  expect(
    scan('The timeout of a Timeout; requestTimeout, TIMEOUT_MS, HTTPTimeouts').map(([, at]) => at),
  ).toEqual([4, 17, 33, 42, 58])
  expect(scan('untimeout timeoutish').map(([, at]) => at)).toEqual([])
})

test('short words whose stem ends in another letter than they do', async () => {
  const scan = await scanOf('days keys boy')
  const found = scan('a day, two days; key KEYS boys Daily keyless dais').map(([word, at]) => `${word}@${at}`)
  expect(found).toEqual(['days@2', 'days@11', 'keys@17', 'keys@21', 'boy@26', 'days@45'])
})

test('finds a compound in any spelling', async () => {
  const scan = await scanOf('maxParamLength')
  const whole = (text: string) => scan(text).filter(([word]) => word === 'maxParamLength').length
  for (const text of [
    'maxParamLength',
    'max_param_length',
    'max-param-length',
    'MAX_PARAM_LENGTH',
    'max param length',
  ]) {
    expect(whole(text), text).toBe(1)
  }
  expect(whole('max other param length')).toBe(0)
})

test('finds compounds whose words end in y, i or a digit', async () => {
  const words = async (question: string, text: string) => (await scanOf(question))(text).map(([word]) => word)
  expect(await words('What does RetryHandler do?', 'class RetryHandler {')).toContain('RetryHandler')
  expect(await words('What is retry_policy?', 'retryPolicy = 3')).toContain('retry_policy')
  expect(await words('Does it do HTTP/2?', 'HTTP/2 and http2')).toContain('HTTP/2')
  expect(await words('Does it do HTTP/2?', 'HTTP 208, HTTP_200')).not.toContain('HTTP/2')
})

test('synonyms count less than the word', async () => {
  const scan = await scanOf('replica')
  expect(scan('replica')[0]?.[2]).toBe(1)
  expect(scan('slave')[0]?.[2]).toBeLessThan(1)
})

test('finds words with and without accents', async () => {
  expect((await scanOf('Wie groß ist die Größe?'))('GROSSE Größen')).toHaveLength(2)
})

test('finds only whole numbers', async () => {
  const scan = await scanOf('What is status 503?')
  expect(scan('503 1503 5030 x503').filter(([word]) => word === '503')).toHaveLength(1)
})

test('finds plain words exactly where stemming every word finds them', async () => {
  const random = rng(7)
  const bits =
    'study studies studied student limit limits limited limitation delay delays relay happy happily happen'
      .split(' ')
      .concat(['cache', 'caching', 'caches', 'cached', 'catch', 'entry', 'entries', 'enter'])
  for (const question of ['studies', 'limits', 'happy entries', 'caching delays']) {
    const parsed = await parseQuestion(question)
    const terms = parsed.terms.map((term) => ({ ...term, synonyms: [] }))
    const scan = createTermScanner({ ...parsed, terms })
    for (let round = 0; round < 50; round++) {
      const words = Array.from({ length: 40 }, () => choice(random, bits))
      const text = words.join(choice(random, [' ', ', ', '\n', '_', '-']))
      let found = 0
      scan(text, () => found++)
      const expected = words.filter((word) =>
        terms.some(({ stem }) => foldWord(word, parsed.stem) === stem),
      ).length
      expect(found).toBe(expected)
    }
  }
})

/** What a script writes before and after a name in Latin letters or a number, without a space. */
const glued = [
  ['田中さんは', 'で働いています'],
  ['王小明在', '公司工作'],
  ['그는', '에서 일한다'],
  ['เขาทำงานที่', 'ทุกวัน'],
  ['يعمل في ال', 'منذ'],
  ['עובד ב', 'כבר'],
  ['वह', 'में'],
  ['ខ្ញុំធ្វើការនៅ', 'ជា'],
  ['ມັນ', 'ແມ່ນ'],
] as const

test.each(
  glued.flatMap(([before, after]) => ['Toyota', 'toyota', 'S7', '412'].map((name) => [before, name, after])),
)('%s%s%s has the name', async (before, name, after) => {
  const scan = await scanOf(`where is ${name} named`)
  const found = scan(`${before}${name}${after}.`).map(([word, at]) => `${word}@${at}`)
  expect(found).toContain(`${name}@${before.length}`)
})

test.each(['Łódź', 'Zürich', 'naïve'])('%s is one word with its accents', async (name) => {
  const scan = await scanOf(`where is ${name} named`)
  expect(scan(`in ${name}x and ${name}.`).map(([, at]) => at)).toEqual([3 + name.length + 6])
})

test.each([
  ['isExcluded', 1],
  ['the isExcluded.', 1],
  ['IsExcluded()', 1],
  ['DEFAULT_IS_EXCLUDED', 1],
  ['two isExcludeds', 1],
  ['defaultIsExcluded', 0.8],
  ['isExcludedPath', 0.8],
  ['isExcluded2', 0.8],
])('in %s, the name isExcluded weighs %s', async (text, weight) => {
  const scan = await scanOf('isExcluded')
  const whole = scan(text).filter(([word]) => word === 'isExcluded')
  expect(whole.map((place) => place[2])).toEqual([weight])
})

test.each([
  ['What does IsExcluded do?', 'defaultIsExcluded', 0.8],
  ['What is the default of Timeout?', 'DefaultTimeout', 1],
  ['What is the default of MinPages?', 'DefaultMinPages', 1],
  ['What is the value of MinPages?', 'DefaultMinPages', 0.8],
  ['Where is MinPages defined?', 'MinPages', 1],
  ['Where is MinPages defined?', 'MIN_PAGES', 1],
])('%s: the name in %s weighs %d', async (question, text, weight) => {
  const name = / (\w*[A-Z]\w*)(?: \w+)?\?$/.exec(question)?.[1]
  const found = (await scanOf(question))(text).filter(([word]) => word === name)
  expect(found.map(([, , each]) => each)).toEqual([weight])
})
