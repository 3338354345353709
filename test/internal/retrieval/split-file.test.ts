// Passages of a file: whole lines, each exactly once, for every kind of file.
import { expect, test } from 'vitest'
import { maxPassageChars, type PassageKind } from '../../../internal/retrieval/passage.ts'
import { linesOfText, splitFile } from '../../../internal/retrieval/split-file.ts'
import { rng } from '../../support/rng.ts'

const cut = (text: string, path: string, kind: PassageKind) => {
  const lines = linesOfText(text)
  return splitFile(lines, path, kind).map((one) => ({
    ...one,
    text: lines.slice(one.from - 1, one.to).join('\n'),
  }))
}

test('a section of Markdown includes the titles around it', () => {
  const text =
    '# Server\n\nIntro.\n\n## Options\n\n### `bodyLimit`\n\nDefault: 1 MiB.\n\n## Methods\n\nMore.\n'
  expect(cut(text, 'a.md', 'prose').map(({ from, to, heading }) => [from, to, heading])).toEqual([
    [1, 3, 'Server'],
    [5, 9, 'Server > Options > bodyLimit'],
    [11, 13, 'Server > Methods'],
  ])
})

test('a number sign inside of fenced code is not a title, and an underlined line is one', () => {
  const text = 'Guide\n=====\n\n```sh\n# not a title\n```\n\nPart\n----\n\nWords.\n'
  expect(cut(text, 'a.md', 'prose').map(({ heading }) => heading)).toEqual(['Guide', 'Guide > Part'])
})

test('the rest of a cut table keeps the names of its columns', () => {
  const rows = Array.from({ length: 60 }, (_, i) => `| setting-${i} | ${'word '.repeat(8)}| ${i} |`)
  const text = ['## Limits', '', '| name | meaning | default |', '|---|---|---|', ...rows].join('\n')
  const found = cut(text, 'a.md', 'prose')
  expect(found.length).toBeGreaterThan(2)
  for (const one of found.slice(1)) expect(one.heading).toBe('Limits > name, meaning, default')
})

test('the rest of a cut list keeps the line that introduces it', () => {
  const items = Array.from({ length: 40 }, (_, i) => `- item ${i} ${'word '.repeat(12)}`)
  const found = cut(
    ['# A', '', 'These keys are read at the start:', '', ...items].join('\n'),
    'a.md',
    'prose',
  )
  expect(found.length).toBeGreaterThan(1)
  for (const one of found.slice(1)) expect(one.heading).toContain('These keys are read at the start:')
})

test('a comment stays with the setting below it', () => {
  const text =
    '##### CLIENTS #####\n\n# How many clients may connect\n# at the same time.\n\nmaxclients 10000\n\n# Other\nport 6379\n'
  const [first] = cut(text, 'redis.conf', 'config')
  expect(first).toMatchObject({ heading: 'CLIENTS', symbol: 'maxclients port' })
  expect(first?.text).toContain('at the same time.\n\nmaxclients 10000')
})

test('keeps a comment with the definition below it, and long definitions keep their name', () => {
  const body = Array.from(
    { length: 80 },
    (_, i) => `${i % 7 === 0 ? '\n' : ''}  step(${i}, 'some words here')`,
  )
  const text = `import x from 'y'\n\n/** Waits for all. */\nexport function drainQueue() {\n${body.join('\n')}\n}\n`
  const found = cut(text, 'a.ts', 'code')
  expect(found.find(({ text }) => text.includes('Waits for all'))?.symbol).toBe('drainQueue')
  expect(found.length).toBeGreaterThan(2)
  for (const one of found.slice(1)) expect(one.symbol).toBe('drainQueue')
})

test('splits YAML by settings and INI by sections', () => {
  const yaml = cut(
    'global:\n  scrape: 15s\n\n  # How long a scrape may take.\n  timeout: 10s\n',
    'a.yml',
    'config',
  )
  expect(yaml[0]?.symbol).toContain('scrape')
  expect(cut('[main]\na=1\n\n[other]\nb=2\n', 'a.ini', 'config').map(({ heading }) => heading)).toEqual([
    'main',
    'other',
  ])
})

test('reads titles of reStructuredText, AsciiDoc, manual pages and documents', () => {
  expect(cut('Title\n=====\n\nPart\n~~~~\n\nText.\n', 'a.rst', 'prose').at(-1)?.heading).toBe('Title > Part')
  expect(cut('= Top\n\n== Part\n\nText.\n', 'a.adoc', 'prose').at(-1)?.heading).toBe('Top > Part')
  expect(cut('.SH NAME\nx\n.SH "EXIT CODES"\n1\n', 'a.1', 'prose').at(-1)?.heading).toBe('EXIT CODES')
  expect(cut('.SH "EXIT CODES"\n1\n', 'a.1.in', 'prose').at(-1)?.heading).toBe('EXIT CODES')
  expect(cut('def run():\n    pass\n', 'a.py.tmpl', 'code').at(-1)?.symbol).toBe('run')
  expect(cut('# Top\n\na\n\n## Part\n\nb', 'a.html', 'prose').at(-1)?.heading).toBe('Top > Part')
})

const hostile: Record<string, string> = {
  nothing: '',
  'blank lines': '\n\n  \n\t\n',
  'one line of two megabytes': `${'word '.repeat(400_000)}\n# Title\nText`,
  'a row of two megabytes': `| a | b |\n|---|---|\n|${' x |'.repeat(500_000)}  \n`,
  'deep nesting': `${Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i % 400)}- ${i}`).join('\n')}\n`,
  'titles alone': Array.from({ length: 5_000 }, (_, i) => `${'#'.repeat((i % 6) + 1)} T${i}`).join('\n'),
  'an open fence': `\`\`\`\n${'code\n\n'.repeat(5_000)}`,
  rules: '---\n===\n---\n'.repeat(3_000),
  'comments alone': '# a\n'.repeat(20_000),
  'carriage returns': 'a\r\n\r\n# B\r\n\r\nc\r\n',
  'a byte order mark': '\uFEFF# Title\n\nText\n',
  'characters that are none': 'a\uFFFD\u0000b\n\n\u2028\n',
}
const kinds: [PassageKind, string][] = [
  ['prose', 'a.md'],
  ['prose', 'a.rst'],
  ['prose', 'a.html'],
  ['config', 'a.conf'],
  ['code', 'a.ts'],
  ['data', 'a.csv'],
]

function holdsEveryLine(text: string, path: string, kind: PassageKind) {
  const lines = linesOfText(text)
  const found = splitFile(lines, path, kind)
  const owners = new Array<number>(lines.length).fill(0)
  for (const { from, to } of found) {
    expect(from).toBeGreaterThanOrEqual(1)
    expect(to).toBeLessThanOrEqual(lines.length)
    for (let i = from - 1; i < to; i++) owners[i] = (owners[i] as number) + 1
    const size = lines.slice(from - 1, to).reduce((sum, line) => sum + line.length + 1, 0)
    // blank lines between packed blocks are not counted while packing
    const blank = lines
      .slice(from - 1, to)
      .filter((line) => line.trim() === '')
      .reduce((sum, line) => sum + line.length + 1, 0)
    if (to > from) expect(size - blank).toBeLessThanOrEqual(maxPassageChars)
  }
  const wrong = lines.flatMap((line, i) =>
    (owners[i] ?? 0) > 1 || (line.trim() !== '' && owners[i] !== 1) ? [i] : [],
  )
  expect(wrong).toEqual([])
}

for (const [kind, path] of kinds) {
  test.each(Object.entries(hostile))(`${path} keeps every line of %s`, (_, text) =>
    holdsEveryLine(text, path, kind),
  )
}

const bits = [
  ...[
    '# One',
    '## Two words',
    'Title',
    '=====',
    '-----',
    '',
    '',
    '',
    '- item',
    '  more',
    '1. first',
    '| a | b |',
  ],
  ...[
    '|---|---|',
    '| 1 | 2 |',
    '```',
    '~~~',
    '    code',
    'Text that goes on for a while and says something.',
  ],
  ...[
    'It ends here:',
    '/** says it */',
    '// note',
    'export function go() {',
    '}',
    'const a = 1',
    'def f(x):',
  ],
  ...[
    '# comment',
    'key: value',
    'key = 1',
    '[section]',
    '### BANNER ###',
    '  indented: yes',
    '<h2>T</h2>',
    '<p>x',
  ],
  ...['---', '...', '* * *', '\t', '> quote', 'x'.repeat(1_600), `${'y '.repeat(900)}:`],
]

test('loses, splits or repeats no line of random texts', () => {
  const random = rng(20_261_122)
  for (let round = 0; round < 400; round++) {
    const count = 1 + Math.floor(random() * 120)
    const text = Array.from({ length: count }, () => bits[Math.floor(random() * bits.length)]).join('\n')
    for (const [kind, path] of kinds) holdsEveryLine(text, path, kind)
  }
})
