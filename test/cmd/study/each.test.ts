// `anode study --each` as a user runs it: tables without a model, their files, bad input and resumes.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { root } from '../../support/sources.ts'
import { trialPdf, trials, trialText } from '../../support/trials.ts'

vi.setConfig({ testTimeout: 120_000 })

const question = 'How many were enrolled?'
const columns = 'patients: number; funder; design: rct|cohort; visit: date'

let at: World
beforeEach(() => {
  at = world()
  mkdirSync(join(at.dir, 'papers'))
  for (const trial of trials) writeFileSync(join(at.dir, 'papers', `${trial.name}.pdf`), trialPdf(trial))
})
afterEach(() => at.remove())

const study = (...more: string[]) => at.anode(['study', question, '--model', 'builtin/extract', ...more])
const readTable = (name: string): string[][] => parse(readFileSync(join(at.dir, name), 'utf8'))

it('fills a row for each document, with its quotes and their positions', async () => {
  const done = await study('--each', 'papers/*.pdf', '--columns', columns, '-o', 't.csv')
  expect(done, done.err).toMatchObject({ code: 0 })
  const [head, ...rows] = readTable('t.csv')
  expect(head?.slice(0, 7)).toEqual([
    'document',
    'patients',
    'patients_quote',
    'patients_place',
    'funder',
    'funder_quote',
    'funder_place',
  ])
  const dates = { birch: '2021-03-04', cedar: '2019-05-17', maple: '2020-06-09' }
  expect(
    rows.map(([path, patients, , , funder, , , design, , , visit]) => [
      path,
      patients,
      funder,
      design,
      visit,
    ]),
  ).toEqual(
    trials.map(({ name, patients, funder, design }) => [
      `papers/${name}.pdf`,
      String(patients),
      `The work was funded by ${funder}.`,
      design,
      dates[name as keyof typeof dates],
    ]),
  )
  for (const [path = '', ...cells] of rows) {
    const text = trialText(trials.find(({ name }) => path.includes(name)) as (typeof trials)[number])
    for (let i = 0; i < cells.length; i += 3) {
      expect(text.replace(/\s+/g, ' ')).toContain(cells[i + 1])
      expect(cells[i + 2]).toMatch(/^page 1, lines? \d/)
    }
  }
  expect(done.out).toMatch(/^papers\/birch\.pdf +83 /m)
  expect(done.out).toContain('3 documents: 12 of 12 cells filled.')
  expect(done.err).toContain('estimate  3 documents, no tokens, free, 1 s (builtin/extract)\n')
})

it('prints a row with the reason for unreadable documents', async () => {
  const papers = join(root, 'test', 'fixtures', 'papers')
  for (const name of ['old-survey-scan.pdf', 'sealed-results.pdf', 'torn-copy.pdf'])
    copyFileSync(join(papers, name), join(at.dir, 'papers', name))
  const done = await study('--each', 'papers', '--columns', 'patients: number', '-o', 't.csv')
  expect(done.code).toBe(3)
  expect(done.out).toMatch(/^papers\/sealed-results\.pdf +\(it is encrypted\)$/m)
  expect(done.out).toMatch(/^papers\/old-survey-scan\.pdf +\(no text: 12 scanned pages\)$/m)
  expect(done.out).toContain('3 documents not read')
  expect(readTable('t.csv').find(([path]) => path?.includes('sealed'))).toEqual([
    'papers/sealed-results.pdf',
    ...['', '', ''],
    'it is encrypted',
  ])
  expect(readTable('t.csv')[0]).toEqual(['document', 'patients', 'patients_quote', 'patients_place', 'why'])
})

it('leaves a cell empty that the document does not state', async () => {
  const done = await study(
    '--each',
    'papers/*.pdf',
    '--columns',
    'funder; dosage: number',
    '--json',
    '--quiet',
  )
  expect(done.code).toBe(3)
  const { rows, counts } = JSON.parse(done.out)
  expect(rows.map((row: { cells: { dosage: unknown } }) => row.cells.dosage)).toEqual([null, null, null])
  expect(counts).toMatchObject({ documents: 3, unread: 0, cells: 6, filled: 3, empty: 3 })
})

it('reads equal documents once, and takes names from a list', async () => {
  copyFileSync(join(at.dir, 'papers/birch.pdf'), join(at.dir, 'papers/again.pdf'))
  at.put('list.txt', '# two of them\npapers/maple.pdf\n\npapers/birch.pdf\npapers/again.pdf\n')
  const done = await study('--each', '@list.txt', '--json')
  expect(done.err).toContain('papers/again.pdf equals papers/birch.pdf and is read once')
  const { rows, same, columns } = JSON.parse(done.out)
  expect(rows.map((row: { document: string }) => row.document)).toEqual([
    'papers/maple.pdf',
    'papers/birch.pdf',
  ])
  expect(same).toEqual([{ path: 'papers/again.pdf', as: 'papers/birch.pdf' }])
  expect(columns).toEqual([{ name: 'answer', type: 'text' }])
  expect(rows[0].cells.answer.value).toContain('57 patients were enrolled')
})

it.each([
  ['no match', ['--each', 'nothing/*.pdf'], '--each matches no document: nothing/*.pdf'],
  ['a missing file', ['--each', 'papers/oak.pdf'], '--each: file not found: papers/oak.pdf'],
  ['a missing list', ['--each', '@none.txt'], 'none.txt'],
  ['an unknown type', ['--columns', 'patients: numbr'], 'column "patients" has the unknown type "numbr"'],
  [
    'a repeated name',
    ['--columns', 'funder; Funder: number'],
    'column "Funder" repeats the heading "funder"',
  ],
  ['a heading of another column', ['--columns', 'a; a_quote'], 'repeats the heading "a_quote"'],
  ['the name of the first column', ['--columns', 'Document'], 'repeats the heading "document"'],
  ['a column without a name', ['--columns', ': number'], 'invalid column name ""'],
  ['one choice', ['--columns', 'design: rct|'], 'column "design" has the unknown type "rct|"'],
  ['an empty sample', ['--sample', '0'], '--sample'],
  ['a plan', ['--plan', 'plan.json'], '--each does not go with --plan'],
  ['a preview of a plan', ['--plan-only'], '--each does not go with --plan-only'],
  ['the name of the last column', ['--columns', 'Why'], 'repeats the heading "why"'],
  ['a server that is down', ['--engine', 'redis://127.0.0.1:1'], 'does not answer: ECONNREFUSED'],
  ['the web', ['--sources', 'web'], '--each does not go with --sources'],
  ['a PDF', ['-o', 't.pdf'], 't.pdf ends in .pdf, which is not a format of a table'],
  ['a foreign file', ['-o', 'foreign.csv'], 'foreign.csv exists and is no table of a study'],
])('rejects %s and stores nothing', async (_, words, message) => {
  at.put('foreign.csv', 'name,price\nrope,3\n')
  const each = words[0] === '--each' ? [] : ['--each', 'papers/*.pdf']
  const done = await study(...each, ...words)
  expect([done.code, done.out]).toEqual([2, ''])
  expect(done.err).toContain(message)
  expect((await at.anode(['study', 'list', '--json'])).out).toBe('[]\n')
})

it.each([
  ['--columns', 'a'],
  ['--sample', '2'],
])('rejects %s without --each', async (...words) => {
  const done = await study(...words)
  expect(done.code).toBe(2)
  expect(done.err).toContain(`${words[0]} needs --each`)
})

it('asks for --yes above 100 documents, and refuses more than 1,000', async () => {
  for (let i = 0; i < 101; i++)
    at.put(`many/${i}.txt`, `Report ${i}. In total ${i + 20} patients were enrolled.\n`)
  const refused = await study('--each', 'many')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('this reads 101 documents\nadd --yes to start')
  const sample = await study(
    '--each',
    'many',
    '--sample',
    '5',
    '--columns',
    'patients: number',
    '--json',
    '--quiet',
  )
  expect(JSON.parse(sample.out).counts).toMatchObject({ documents: 5, filled: 5 })
  const all = await study('--each', 'many', '--columns', 'patients: number', '--yes', '--json', '--quiet')
  expect(JSON.parse(all.out).counts).toMatchObject({ documents: 101, filled: 101 })
  for (let i = 101; i < 1001; i++) at.put(`many/${i}.txt`, `Report ${i}.\n`)
  const large = await study('--each', 'many/*', '--yes')
  expect(large.code).toBe(2)
  expect(large.err).toContain('--each matches 1,001 documents, at most 1,000 are allowed')
})

it('reads only what is missing, new or changed when it resumes', async () => {
  const words = ['--each', 'papers/*.pdf', '--columns', 'patients: number', '-o', 't.csv']
  expect((await study(...words)).code).toBe(0)
  const nothing = await at.anode(['study', 'resume', 'last'])
  expect(nothing.code).toBe(1)
  expect(nothing.err).toContain('nothing is left to resume')
  const [birch, cedar] = trials as [(typeof trials)[number], (typeof trials)[number]]
  writeFileSync(join(at.dir, 'papers/birch.pdf'), trialPdf({ ...birch, patients: 84 }))
  writeFileSync(join(at.dir, 'papers/willow.pdf'), trialPdf({ ...cedar, name: 'willow', patients: 31 }))
  rmSync(join(at.dir, 'papers/maple.pdf'))
  const resumed = await at.anode(['study', 'resume', 'last', '-o', 't.csv'])
  expect(resumed.code, resumed.err).toBe(0)
  expect(resumed.err).toContain('papers/birch.pdf: the document has changed')
  expect(resumed.err).toContain('papers/willow.pdf: the document is new')
  expect(resumed.err).not.toMatch(/found +papers\/cedar\.pdf/)
  expect(readTable('t.csv').map(([path, patients]) => [path, patients])).toEqual([
    ['document', 'patients'],
    ['papers/birch.pdf', '84'],
    ['papers/cedar.pdf', '1204'],
    ['papers/willow.pdf', '31'],
  ])
})

it('prints a stored table in each of its forms', async () => {
  await study('--each', 'papers/*.pdf', '--columns', columns)
  const report = async (...more: string[]) => (await at.anode(['study', 'report', 'last', ...more])).out
  const rows: string[][] = parse(await report('--format', 'csv'))
  expect(rows.map((row) => row.length)).toEqual([13, 13, 13, 13])
  const markdown = await report('--format', 'md')
  expect(markdown).toContain(
    '| document | patients | funder | design | visit |\n| --- | --- | --- | --- | --- |\n',
  )
  expect(markdown).toMatch(
    /\| 83<br>“Of 123 people asked, 83 patients were enrolled in the study\.” page 1, lines? \d/,
  )
  const page = await report('--format', 'html')
  expect(page).toContain('<td>83<small><q>Of 123 people asked, 83 patients were enrolled in the study.</q>')
  expect(await report()).toContain('3 documents: 12 of 12 cells filled.')
  expect(JSON.parse(await report('--json')).rows).toHaveLength(3)
  expect((await at.anode(['study', 'report', 'last', '--format', 'pdf'])).err).toContain(
    'a table cannot be pdf',
  )
})
