// What tests of the page share: the barriers that axe finds, and a study of three workers.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { plant, scratchWith } from './scratch.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeFinding {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** Everything that axe finds, serious or not. */
export async function findBarriers(page: Page): Promise<unknown[]> {
  await page.evaluate(axe)
  const findings = await page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } }
    return (await engine.run()).violations
  })
  return findings.map(({ id, impact, nodes }) => [id, impact, nodes[0]?.html])
}

/** Three tasks of some steps each, as words of a command line; the first step of `t1` takes `firstMs`. */
export function studyOfLocks(dir: string, firstMs = 2_000): string[] {
  const pause = { delay_ms: 120 }
  const read = (n: number) => ({
    delay_ms: n === 1 ? firstMs : 120,
    calls: [{ name: 'read', args: { path: 'lock.md' } }],
  })
  const claim = (n: number) => ({
    ...pause,
    claims: [{ text: `It locks, says ${n}.`, evidence: `E${n}.1`, quote: 'locks files with O_EXCL' }],
  })
  const look = (n: number, i: number) => ({
    ...pause,
    calls: [{ name: 'grep', args: { pattern: `x${n}${i}` } }],
  })
  const replies = [1, 2, 3].flatMap((n) =>
    [read(n), look(n, 1), look(n, 2), look(n, 3), claim(n)].map((reply) => ({ task: `t${n}`, ...reply })),
  )
  const report = { task: 'report', text: '## Answer\n\nIt locks [C1.1, C2.1, C3.1].\n' }
  const home = scratchWith({
    'script.jsonl': [...replies, report].map((reply) => `${JSON.stringify(reply)}\n`).join(''),
    'plan.json': JSON.stringify({
      tasks: ['locks', 'crashes', 'journals'].map((objective) => ({ objective })),
    }),
  })
  plant(dir, { 'lock.md': 'The store locks files with O_EXCL.\n' })
  const model = `script:${join(home, 'script.jsonl')}`
  const plan = join(home, 'plan.json')
  return ['study', 'what of locks?', '--plan', plan, '--model', model, '--workers', '3', '--json']
}
