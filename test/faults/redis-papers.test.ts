// Evidence from pages of a PDF on the Redis engine: after workers are killed, page, hash and
// quote are unchanged.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machines } from '../support/many-machines.ts'
import { papers } from '../support/papers.ts'
import { durable, startRedis, whereRedis } from '../support/redis.ts'
import { random, report, rounds, seed, sleep } from './store/start.ts'

const question =
  'How fast do tide pools cool at night, and how does starch change with the drying time of oats?'

/** Returns the responses for the two tasks: a passage search, a read of the file, and the claim. */
function papersScript(delayMs: number): string {
  const task = (id: string, query: string, path: string, quote: string) =>
    [
      { calls: [{ name: 'finder', args: { mode: 'passage', query } }] },
      { calls: [{ name: 'read', args: { path } }] },
      { text: 'finished', claims: [{ text: `It says ${quote}.`, evidence: `E${id.slice(1)}.1`, quote }] },
    ].map((reply) => ({ task: id, delay_ms: delayMs, usage: { in: 100, out: 10 }, ...reply }))
  return [
    ...task(
      't1',
      'tide pools cooling rate falls with depth',
      'tide-pools.pdf',
      'Cooling rate falls with depth',
    ),
    ...task(
      't2',
      'starch content of oats after drying times',
      'oat-starch.docx',
      'Starch is lost only after eight hours',
    ),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

interface PapersReport {
  claims: { place: string; verified: boolean; source_changed: boolean }[]
}

whereRedis('papers on the Redis engine', () => {
  test('keeps pages and hashes when a worker is killed at any moment', async ({ onTestFinished }) => {
    const park = machines()
    const redis = await startRedis(durable)
    onTestFinished(async () => {
      await park.clear()
      await redis.remove()
    })
    const next = random()
    const tried = rounds(1)
    const model = (dir: string, delayMs: number) => {
      const file = join(dir, '..', 'papers.jsonl')
      writeFileSync(file, papersScript(delayMs))
      return ['--engine', redis.url, '--model', `script:${file}`]
    }
    const serve = async (label: string) => {
      const machine = park.machine(papers as Record<string, Uint8Array>)
      const worker = machine.start(['worker', '--label', label, ...model(machine.dir, 300)])
      await worker.says('serves corpus')
      return worker
    }
    await serve('b')
    let survived = 0
    for (let round = 0; round < tried; round++) {
      const a = await serve(`a${round}`)
      const lead = park.machine(papers as Record<string, Uint8Array>)
      const flags = ['--workers', '2', '--local', '0', '--json', '--quiet', ...model(lead.dir, 300)]
      const study = lead.start(['study', question, ...flags])
      await a.says('started')
      await sleep(next() * 1200)
      a.process.kill('SIGKILL')
      expect([await study.ended, study.err()], `seed ${seed}`).toEqual([0, ''])
      const found = JSON.parse(study.out()) as PapersReport
      expect(found, `seed ${seed}`).toMatchObject({
        repaid_steps: 0,
        duplicate_claims: 0,
        citation_accuracy: 1,
        status: 'done',
      })
      const [pool, oats] = found.claims
      expect(pool).toMatchObject({ verified: true, source_changed: false })
      expect(pool?.place).toMatch(/^tide-pools\.pdf, page 2, lines? \d/)
      expect(oats?.place).toMatch(/^oat-starch\.docx, paragraphs? \d/)
      const checked = await lead.run(['study', 'verify', 'last', '--json'])
      expect([checked.code, checked.err]).toEqual([0, ''])
      survived++
    }
    report('worker with papers killed', survived, tried)
  }, 900_000)
})
