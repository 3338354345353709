// Tables by a language model: a scripted server answers for each document. Checked cells, corrections, limits,
// failures and killed processes.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, it, onTestFinished, vi } from 'vitest'
import { program, type World, world } from '../../support/anode.ts'
import { type Received, type ServedReply, serveModel } from '../../support/model-server.ts'

vi.setConfig({ testTimeout: 120_000 })

const question = 'How many were enrolled?'

interface Cell {
  value: string | number
  quote: string
  evidence?: string
}

const rowReply = (row: Record<string, Cell>): ServedReply => ({ text: JSON.stringify({ row }) })
const right = (n: number): ServedReply =>
  rowReply({
    patients: { value: String(n), quote: `In total ${n} patients were enrolled.`, evidence: 'E1.1' },
  })

/** Returns the number in the name of the document of a request, or undefined for the summary. */
const documentOf = ({ body }: Received): number | undefined => {
  const found = /^Document papers\/(\d+)\.txt/m.exec(String(body.messages[1]?.content))?.[1]
  return found === undefined ? undefined : Number(found)
}

const lastText = ({ body }: Received) => String(body.messages.at(-1)?.content)

/** Opens a workspace with reports 1 to `count`, and a server that `answer` scripts. */
async function openTrials(
  count: number,
  answer: (n: number, request: Received) => ServedReply,
  summary: (request: Received) => ServedReply = () => ({
    text: '- All of them enrolled patients.\n- No cell is empty.',
  }),
) {
  const at: World = world()
  onTestFinished(() => at.remove())
  mkdirSync(join(at.dir, 'papers'))
  const write = (n: number, patients = n + 20) =>
    at.put(
      `papers/${n}.txt`,
      `Report ${n}\n\nIn total ${patients} patients were enrolled.\n\nFunded by Fund ${n}.\n`,
    )
  for (let n = 1; n <= count; n++) write(n)
  const served = await serveModel((request) => {
    const n = documentOf(request)
    return n === undefined ? summary(request) : answer(n, request)
  })
  onTestFinished(() => served.close())
  const providers = {
    me: { baseUrl: served.url, model: 'me', window: 200_000, price: { input: 1, output: 2 } },
  }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me' }))
  const study = (...more: string[]) =>
    at.anode(['study', question, '--each', 'papers/*.txt', '--columns', 'patients: number', ...more])
  const rows = () => served.requests.filter((request) => documentOf(request) !== undefined)
  return { at, served, study, write, rows }
}

it('fills each row from a request with that document alone, and summarizes the table', async () => {
  const { study, served, rows, at } = await openTrials(3, (n) => right(n + 20))
  const done = await study('-o', 't.csv')
  expect(done.code, done.err).toBe(0)
  expect(done.err).toMatch(/^estimate {2}3 documents, about [\d,]+ tokens, \$0\.\d\d, \d+ s \(me\/me\)$/m)
  expect(rows()).toHaveLength(3)
  for (const request of rows()) {
    const n = documentOf(request) as number
    const prompt = request.raw
    expect(prompt).toContain(`Fund ${n}.`)
    for (const other of [1, 2, 3].filter((one) => one !== n)) expect(prompt).not.toContain(`Fund ${other}.`)
    expect(request.body.tools ?? []).toEqual([])
  }
  expect(served.requests).toHaveLength(4)
  expect(lastText(served.requests[3] as Received)).toContain('{"document":"papers/2.txt","patients":"22"}')
  expect(done.out).toContain(
    '3 documents: 3 of 3 cells filled.\n\nSummary by me/me:\n- All of them enrolled patients.\n- No cell is empty.\n',
  )
  expect(parse(readFileSync(join(at.dir, 't.csv'), 'utf8'))[1]).toEqual([
    'papers/1.txt',
    '21',
    'In total 21 patients were enrolled.',
    'line 3',
  ])
})

it.each([
  [
    'an invented number',
    { value: '99', quote: 'In total 21 patients were enrolled.' },
    'its number is not in its quote',
  ],
  [
    'an invented quote',
    { value: '99', quote: 'In total 99 patients were enrolled.' },
    'its quote is not in the document',
  ],
  [
    'words for a number',
    { value: 'many', quote: 'In total 21 patients were enrolled.' },
    'its value is not a number',
  ],
])('asks once to correct %s, and leaves the cell empty otherwise', async (_, wrong, fault) => {
  for (const isCorrected of [true, false]) {
    const { study, rows } = await openTrials(1, (_n, request) =>
      isCorrected && lastText(request).startsWith('0 of 1 cell holds.')
        ? right(21)
        : rowReply({ patients: wrong }),
    )
    const done = await study('--json', '--quiet')
    expect(rows()).toHaveLength(2)
    expect(lastText(rows()[1] as Received)).toContain(`patients: ${fault}.`)
    const { rows: lines, counts } = JSON.parse(done.out)
    expect(done.code).toBe(isCorrected ? 0 : 3)
    expect(counts).toMatchObject(isCorrected ? { filled: 1, verified: 1 } : { filled: 0, not_found: 1 })
    expect(lines[0].cells.patients.state).toBe(isCorrected ? 'verified' : 'not_found')
  }
})

it('asks once for the JSON object, and reads the document again when the study resumes', async () => {
  let isBroken = true
  const { study, rows, at } = await openTrials(2, (n) =>
    n === 1 && isBroken ? { text: 'It is 21.' } : right(n + 20),
  )
  const done = await study()
  expect(done.code).toBe(3)
  expect(done.out).toContain('the answer was not valid: the model returned no row')
  expect(rows().filter((request) => documentOf(request) === 1)).toHaveLength(2)
  isBroken = false
  const resumed = await at.anode(['study', 'resume', 'last', '--json', '--quiet'])
  expect(resumed.code, resumed.err).toBe(0)
  expect(JSON.parse(resumed.out).counts).toMatchObject({ filled: 2, empty: 0 })
  expect(rows().filter((request) => documentOf(request) === 2)).toHaveLength(1)
})

it('shows only the passages of a large document that are about the columns', async () => {
  const { study, rows, at } = await openTrials(0, () => right(77))
  const filler = Array.from(
    { length: 4000 },
    (_, i) => `Paragraph ${i} is about the weather over the sea.`,
  ).join('\n\n')
  at.put('papers/9.txt', `A title\n\n${filler}\n\nIn total 77 patients were enrolled.\n\n${filler}\n`)
  const done = await study('--json', '--quiet')
  expect(done.code, done.err).toBe(0)
  const [request] = rows()
  expect(lastText(request as Received)).toContain('In total 77 patients were enrolled.')
  expect(request?.raw.length).toBeLessThan(140_000)
  expect(JSON.parse(done.out).rows[0].cells.patients).toMatchObject({ value: '77', place: 'line 8003' })
})

it('wants --yes for an unknown price, and for a price above the limit', async () => {
  const { study, at, served } = await openTrials(2, (n) => right(n + 20))
  const above = await study('--budget-usd', '0.000001')
  expect(above.code).toBe(2)
  expect(above.err).toContain('and --budget-usd is $0.0000')
  const providers = { me: { baseUrl: served.url, model: 'me', window: 200_000 } }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me' }))
  const unknown = await study()
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain(
    'the price of me/me is unknown, and this reads 2 documents\nadd --yes to start\n',
  )
  expect(served.requests).toEqual([])
  expect((await study('--yes')).code).toBe(0)
})

it('stops at the limit of tokens, and a resume with more reads only the rest', async () => {
  const { study, rows, at } = await openTrials(6, (n) => ({
    ...right(n + 20),
    usage: { in: 3000, out: 100 },
  }))
  const first = await study('--workers', '1', '--budget-tokens', '16000', '--json', '--quiet')
  expect(first.code).toBe(3)
  const { counts, reason } = JSON.parse(first.out)
  expect(reason).toBe('budget')
  expect(counts.filled).toBeGreaterThan(0)
  expect(counts.filled).toBeLessThan(6)
  const resumed = await at.anode([
    'study',
    'resume',
    'last',
    '--budget-tokens',
    '400000',
    '--json',
    '--quiet',
  ])
  expect(resumed.code, resumed.err).toBe(0)
  expect(rows()).toHaveLength(6)
})

it('ends after five failed requests in a row', async () => {
  const { study, rows } = await openTrials(20, () => ({
    status: 400,
    body: '{"error":{"message":"no such model"}}',
  }))
  const done = await study('--workers', '1')
  expect(done.code).toBe(1)
  expect(done.out).toContain('20 documents not read')
  expect(rows().length).toBeLessThanOrEqual(10)
})

it('shows 50 rows at a time to the summary, and joins the pages', async () => {
  const pages: number[] = []
  const { study } = await openTrials(
    101,
    (n) => right(n + 20),
    (request) => {
      pages.push(lastText(request).match(/"document"/g)?.length ?? 0)
      return { text: Array.from({ length: 14 }, (_, i) => `- line ${i} of page ${pages.length}`).join('\n') }
    },
  )
  const done = await study('--yes', '--workers', '16', '--json', '--quiet')
  expect(done.code, done.err).toBe(0)
  expect(pages).toEqual([50, 50, 1, 0])
  expect(JSON.parse(done.out).summary.split('\n')).toHaveLength(10)
})

it('pays no row twice after kill -9 at half, and no row is there twice', async () => {
  const count = 60
  const { at, rows, study } = await openTrials(count, (n) => right(n + 20))
  const whole = [program, 'study', question, '--each', 'papers/*.txt', '--columns', 'patients: number']
  const child = spawn(process.execPath, [...whole, '--workers', '4', '--json'], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let ended = 0
  let rest = ''
  child.stderr.on('data', (chunk) => {
    rest += chunk
    ended = rest.split('"kind":"task.ended"').length - 1
    if (ended >= count / 2) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.on('close', resolve))
  expect(child.signalCode).toBe('SIGKILL')
  const paidBefore = new Set(rows().map(documentOf))
  expect(paidBefore.size).toBeLessThan(count)
  const resumed = await at.anode(['study', 'resume', 'last', '--json', '--quiet'])
  expect(resumed.code, resumed.err).toBe(0)
  const { rows: lines, counts } = JSON.parse(resumed.out)
  expect(counts).toMatchObject({ documents: count, filled: count, empty: 0 })
  expect(new Set(lines.map((row: { document: string }) => row.document)).size).toBe(count)
  // a response that was on its way when the process died was not recorded, so at most each worker asks again
  expect(rows().length).toBeLessThanOrEqual(count + 4)
  const trace = (await at.anode(['study', 'trace', 'last', '--json'])).out.trim().split('\n')
  const entries = trace.map((line) => JSON.parse(line) as { kind: string; data: { task: string } })
  for (const kind of ['row', 'step']) {
    const tasks = entries.filter((entry) => entry.kind === kind && entry.data.task.startsWith('t'))
    expect(new Set(tasks.map(({ data }) => data.task)).size).toBe(tasks.length)
    expect(tasks).toHaveLength(count)
  }
  expect((await study('--sample', '1', '--quiet')).code).toBe(0)
})
