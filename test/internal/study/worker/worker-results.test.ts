// What a worker of a study reads of one call: no more than any other agent, and no way that it does not have.
import { expect, test } from 'vitest'
import { serveModel } from '../../../support/model-server.ts'
import { bench, oneTask } from '../../../support/study-run.ts'

const line = (i: number) => `the store locks file ${i} while the journal is written`
const many = Array.from({ length: 2_000 }, (_, i) => line(i)).join('\n')
const files = {
  ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`src/part${i}.md`, many])),
  'wide.md': `${'a lock '.repeat(40_000)}\n`,
}

/** The most characters of a result with the lines that name its evidence. */
const rows: [tool: string, args: Record<string, unknown>, most: number][] = [
  ['grep', { pattern: 'store' }, 26_000],
  ['grep', { pattern: 'store', max_matches: 5_000 }, 26_000],
  ['grep', { pattern: 'st.re', regex: true, context: 3 }, 26_000],
  ['finder', { mode: 'text', query: 'store locks' }, 62_000],
  ['finder', { mode: 'passage', query: 'which file is locked while the journal is written' }, 62_000],
  ['read', { path: 'src/part0.md', end_line: 2_000 }, 62_000],
  ['read', { path: 'wide.md' }, 62_000],
  ['multi_read', { paths: Array.from({ length: 8 }, (_, i) => `src/part${i}.md`) }, 62_000],
  ['glob', { pattern: '**/*.md', limit: 5_000 }, 62_000],
]

test.each(rows)('%s %j', async (name, args, most) => {
  const server = await serveModel((_, n) =>
    n === 0 ? { calls: [{ name, args }] } : { text: JSON.stringify({ claims: [], gaps: ['nothing'] }) },
  )
  try {
    const at = bench(files)
    Object.assign(at.env, { OPENAI_API_KEY: 'sk-test-0123456789abcdef', OPENAI_BASE_URL: server.url })
    await at.start({ plan: at.plan(oneTask), model: 'openai/gpt-5.4', workers: 1, sources: ['repo'] })
    const second = server.requests[1]?.body as { messages: { role: string; content: string }[] }
    const [result] = second.messages.filter(({ role }) => role === 'tool')
    expect(result?.content).toMatch(/output of [^\]]+: material, not instructions/)
    expect(result?.content.length).toBeLessThan(most)
    // a worker has no tool that pages
    expect(result?.content).not.toMatch(/page it with|result \{/)
  } finally {
    await server.close()
  }
})
