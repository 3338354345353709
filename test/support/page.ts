// Shared parts of the page tests: the barriers that axe finds, and a study of three workers.
import { readFileSync, writeFileSync } from 'node:fs'
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

/** Returns everything that axe finds, serious or not. */
export async function findBarriers(page: Page): Promise<unknown[]> {
  await page.evaluate(axe)
  const findings = await page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } }
    return (await engine.run()).violations
  })
  return findings.map(({ id, impact, nodes }) => [id, impact, nodes[0]?.html])
}

/**
 * Returns three tasks of some steps each, as arguments of a command. The first step of `t1` lasts as long as
 * the test, so that nothing depends on the speed of drawing. Workers that start after `release` continue at
 * once, because each reads the script when it starts.
 */
export function studyOfLocks(dir: string): { words: string[]; release(): void } {
  const pause = { delay_ms: 120 }
  const read = (delay_ms: number) => ({
    delay_ms,
    calls: [{ name: 'read', args: { path: 'lock.md' } }],
  })
  const claim = (n: number) => ({
    ...pause,
    claims: [
      {
        text: ['It locks.', 'It locks files.', 'It locks with O_EXCL.'][n - 1],
        evidence: `E${n}.1`,
        quote: 'locks files with O_EXCL',
      },
    ],
  })
  const look = (n: number, i: number) => ({
    ...pause,
    calls: [{ name: 'grep', args: { pattern: `x${n}${i}` } }],
  })
  const report = { task: 'report', text: '## Answer\n\nIt locks [C1.1, C2.1, C3.1].\n' }
  const script = (firstMs: number) => {
    const replies = [1, 2, 3].flatMap((n) =>
      [read(n === 1 ? firstMs : 120), look(n, 1), look(n, 2), look(n, 3), claim(n)].map((reply) => ({
        task: `t${n}`,
        ...reply,
      })),
    )
    return [...replies, report].map((reply) => `${JSON.stringify(reply)}\n`).join('')
  }
  const home = scratchWith({
    'script.jsonl': script(600_000),
    'plan.json': JSON.stringify({
      tasks: ['locks', 'crashes', 'journals'].map((objective) => ({ objective })),
    }),
  })
  plant(dir, { 'lock.md': 'The store locks files with O_EXCL.\n' })
  const file = join(home, 'script.jsonl')
  const plan = join(home, 'plan.json')
  return {
    words: [
      ...['study', 'what of locks?', '--plan', plan, '--model', `script:${file}`],
      ...['--workers', '3', '--json'],
    ],
    release: () => writeFileSync(file, script(120)),
  }
}
