// Words that look like others: they are reported, and texts in one script are not.
import { expect, test } from 'vitest'
import { listImitations } from '../../../../internal/base/text/imitations.ts'
import { asciiTwin } from '../../../../internal/base/text/similar-letters.ts'
import { costRatio } from '../../../support/cost.ts'

const names = [
  ...['./deploy.sh', 'npm', 'sudo', 'origin/main', 'package.json', 'copy', 'https://example.com/x', 'curl'],
  ...['python3', 'README.md', 'src/access.ts', 'release-please', 'SSH_PORT', '~/.ssh/id', 'pip', 'docker'],
]
/** Every character that has a twin, without signs. */
const twins = Array.from({ length: 0x1d800 }, (_, code) => code)
  .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((char) => /[\p{L}\p{N}]/u.test(char) && /^[a-z0-9]$/i.test(asciiTwin(char, false) ?? ''))

const fakes = names.flatMap((name) =>
  twins.flatMap((char) => {
    const at = name.indexOf(asciiTwin(char, false) as string)
    return at < 0 ? [] : [[name.slice(0, at) + char + name.slice(at + 1), name] as const]
  }),
)

test(`each of ${fakes.length} names with one foreign letter is said to look like the name`, () => {
  expect(fakes.length).toBeGreaterThan(1500)
  const missed = fakes.filter(
    ([fake, name]) => !listImitations(`bash ${fake} -x`)[0]?.why.startsWith(`looks like ${name}, but "`),
  )
  expect(missed).toEqual([])
})

const whole: [string, string][] = [
  ['сору a b', 'copy'],
  ['sudo сору a', 'copy'],
  ['ls && сору файл', 'copy'],
  ['ｒｍ -rf x', 'rm'],
  ['rm －rf x', '-rf'],
  ['rm –rf x', '-rf'],
  ['rm ーrf x', '-rf'],
  ['𝐫𝐦 -rf x', 'rm'],
  ['ⅼs', 'ls'],
  ['cat etcノpasswd', 'etc/passwd'],
  ['cat a∕b', 'a/b'],
  ['cat my_сору.txt', 'my_copy.txt'],
  ['cat "ехес"', 'exec'],
  ['cat ΜΑΚΕ', 'MAKE'],
  ['cat հօսո', 'houn'],
  ['run d"е"ploy', 'e'],
]
test.each(whole)('%s: a word looks like %s', (line, like) => {
  expect(listImitations(line).map(({ why }) => why)).toEqual([
    expect.stringContaining(`looks like ${like}, `),
  ])
})

const mixed =
  'Latin:deploy Cyrillic:жизнь Greek:θδξ Armenian:ժզ Georgian:ქართ Hebrew:שלום Arabic:مرحبا Thai:ภาษา'
    .split(' ')
    .map((one) => one.split(':') as [string, string])
const pairs = mixed.flatMap(([one, a]) =>
  mixed.filter(([other]) => other !== one).map(([other, b]) => [one, other, a + b] as const),
)
test.each(pairs)('%s and %s in one word are noted', (one, other, word) => {
  const [found] = listImitations(`cat ${word}`)
  expect(found?.why).toContain(`mixes letters of ${one} and ${other}`)
})

test('each combining mark on a letter of Latin or Cyrillic is noted, apart from those that are hidden', () => {
  const marks = Array.from({ length: 0x1ffff }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((char) => /\p{M}/u.test(char))
  expect(marks.length).toBeGreaterThan(1800)
  const missed = marks.filter((mark) =>
    ['e', 'ж', '-', '/'].some(
      (base) =>
        [...`${base}${mark}`.normalize('NFC')].length > 1 &&
        !listImitations(`x${base}${mark}y`)[0]?.why.includes('has combining marks: U+'),
    ),
  )
  expect(missed).toEqual([])
})

test.each(['cat שלום/a.txt', 'cat ../مرحبا', 'ܫܠܡܐ', 'ދިވެހި', 'ߒߞߏ', '𞤀𞤣𞤤𞤢𞤥'])(
  '%s has right-to-left letters',
  (line) => {
    expect(listImitations(line)[0]?.why).toContain('has right-to-left letters')
  },
)

const sentences = [
  'Die Größe der Datei ändert sich: „gut“ – nicht schlecht, straße/müll.txt',
  'Ça, déjà vu d’été à l’œuvre : « oui » — non… où est le cœur naïf ?',
  'А вот он и сор, хор, а у нас так: как он со мной. К сожалению, То и Но',
  'документы/а.txt отчёт/сор.txt хвост/оса ещё/мы',
  'Сначала собери git-репозиторий и PDF-файл, потом запусти npm test у себя',
  'Ο κόσμος και το σπίτι: ο νέος τρόπος, υιός, ποιο είναι το αρχείο μου/ο.txt',
  '项目（abc）在 ABC 里，一 二 三：请使用Redis，然后运行 npm test。',
  '日本語のファイル「ＡＢＣ株式会社」を開く、ノート/一覧.txt',
  '한국어 문장과 API를 씁니다',
  'hệ điều hành Việt Nam, Łódź žluťoučký kůň ĐĐ şöğüç ışık',
  'हिन्दी में लिखें ภาษาไทย ქართული Հայերեն լեզու',
  'took 10µs, 20°C, ½ × 3² → № 5 ™ 1️⃣ ✅ “quoted” it’s a–b e.g. 3–5',
]
const prefixes = ['', '# ', 'echo "', "git commit -m '", '// ', 'cat docs/', '+ 12 │ ']
test.each(sentences)('%s has no note', (sentence) => {
  for (const prefix of prefixes) expect(listImitations(prefix + sentence)).toEqual([])
})

/** File names and words of 20 languages, each in one script. */
const honest: Record<string, string> = {
  Turkish: 'kız altın sınıf ısı kapı ılıca yazılım kayıt.txt sınav/ısı.md çıktı Diyarbakır',
  Azerbaijani: 'qız altı sarı balıq ayı qapı əlaqə',
  Russian: 'сор хор уха рос оса сухо хаос ухо ах сорока РОСТ',
  Ukrainian: 'рис сир осі хор сік рік їжа єдність сорока іскра',
  Bulgarian: 'хора сухо рух оса хоро уча ехо асо соя',
  Serbian: 'јер ја јаје соја рос хор ухо оса сарај',
  Macedonian: 'сѕѕѕ ѕвезда оро соја ухо хор ехо јас оса',
  Belarusian: 'рука сасна хор рух соса ехаў ёрш іх усе',
  Kazakh: 'су ора хор сор осы қыс әке үй',
  Tatar: 'һәр су рәхәт хор сәер аһ өй',
  Greek: 'νους ΝΕΟ ΤΟ ΚΑΙ ΜΑΖΙ ροή υγεία χορός ΟΧΙ ΥΠΟ',
  French: 'café été naïve.txt œuvre garçon élève noël où hôtel',
  German: 'Größe.txt Müll Straße Äpfel über Öl Übung',
  Vietnamese: 'Việt Nam/điện thoại.txt đường phở Huế ngữ',
  Czech: 'žluťoučký kůň řeka šťáva dílo číslo',
  Polish: 'Łódź źdźbło gęś żółw świat ćma',
  Spanish: 'año niño.txt canción pingüino camión',
  Swedish: 'ÅÄÖ räksmörgås.md blåbär ö å',
  Hungarian: 'őrült fűszer árvíz tükör ütő',
  Romanian: 'țară școală mâine împărat încă',
}
const honestNames = Object.values(honest)
  .flatMap((line) => line.split(' '))
  .flatMap((name) => [...new Set([name, name.normalize('NFD')])])
test(`${honestNames.length} honest names have no note`, () => {
  expect(honestNames.length).toBeGreaterThanOrEqual(200)
  const lines = honestNames.flatMap((name) => [name, `cat ${name}`, `vim docs/${name}`, `git add ${name}`])
  expect(lines.filter((line) => listImitations(line).length > 0)).toEqual([])
})

const targets =
  'pip copy exec apache space cache.py paypal proxy scope/copy archive access secret init config install git main login bin'.split(
    ' ',
  )
/** Each target with one, two and all of its letters replaced, letter by letter and by script. */
const disguises = targets.flatMap((name) =>
  [/[\u0400-\u052f]/, /[\u0370-\u03ff]/, /ı/].flatMap((script) => {
    const swap = (char: string) =>
      twins.find((twin) => script.test(twin) && asciiTwin(twin, false) === char) ?? char
    const chars = [...name]
    const at = chars.flatMap((char, i) => (swap(char) === char ? [] : [i]))
    const all = at.map((_, count) =>
      chars.map((char, i) => (at.slice(0, count + 1).includes(i) ? swap(char) : char)),
    )
    const single = at.map((one) => chars.map((char, i) => (i === one ? swap(char) : char)))
    return [...all, ...single].map((letters) => letters.join(''))
  }),
)
test(`${new Set(disguises).size} imitations are noted`, () => {
  const unique = [...new Set(disguises)]
  expect(unique.length).toBeGreaterThanOrEqual(200)
  expect(unique.filter((name) => listImitations(`bash ${name}`).length === 0)).toEqual([])
})

test('Arabic and Hebrew sentences imitate nothing', () => {
  for (const text of ['مرحبا بالعالم، هذا ملف', 'שלום עולם, זה קובץ', 'بِسْمِ ٱللَّهِ', 'שָׁלוֹם'])
    for (const { why, isDirection } of listImitations(`# ${text}`)) {
      expect(isDirection).toBe(true)
      expect(why).not.toMatch(/looks like|mixes|combining/)
    }
})

test('a long line costs time in proportion to its length', () => {
  const read = (count: number) => {
    const line = 'Привет мир, а как дела? '.repeat(count)
    return () => listImitations(line)
  }
  // a quadratic cost would be 64 times as much
  expect(costRatio(24, read(2_000), read(16_000))).toBeLessThan(24)
})

const strays = twins.filter(
  (char) => /[^\p{sc=Latin}\p{sc=Common}αγικνρτυχωϵ]/u.test(char) && /\p{L}/u.test(char),
)
const strayLines = [
  'rm -rf % build',
  'cp a %',
  'git checkout %',
  'cat src/%/x.ts',
  'ls %; echo привет',
  'tar xf x.tar % b',
]
test(`a foreign letter as a word of its own is noted, ${strays.length * strayLines.length} lines`, () => {
  expect(strays.length * strayLines.length).toBeGreaterThan(600)
  const lines = strays.flatMap((char) => strayLines.map((line) => line.replace('%', char)))
  const missed = lines.filter((line) => !listImitations(line)[0]?.why.includes('looks like '))
  expect(missed).toEqual([])
})

const singles = [
  ...['the angle α is small', 'f(x) = α·x + β', 'σ² = ρ ν / τ', 'λ = h / p, χ ~ 1', 'let ω = 2π f', 'ε → 0'],
  ...['а потом запусти npm', 'git commit -m "собери npm а git оставь"', 'пойди с git к серверу, о нём потом'],
  ...[
    'у меня npm и у тебя',
    'я и git',
    'Ο git και ο npm είναι',
    'η τιμή α του x',
    'А',
    'а',
    'х + у = 5',
    'i j à y ö',
  ],
]
test.each(singles)('%s: honest single letters have no note', (line) => {
  expect(listImitations(line)).toEqual([])
})
