// A run that reads fast and is killed by its first change: all events before the change are recorded.
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openStore } from '../../internal/store/sqlite.ts'
import { type World, world } from '../support/anode.ts'

vi.setConfig({ testTimeout: 60_000 })

let at: World
beforeAll(() => {
  at = world()
})
afterAll(() => at.remove())

/** Turns that each take about a millisecond, so that many of them wait for one commit. */
const reads = Array.from({ length: 12 }, (_, i) => ({
  calls: [{ name: 'read', args: { path: 'a.txt', end_line: i + 1 } }],
}))

test.runIf(process.platform === 'linux')(
  'stores reads before an effect when the effect starts, with its intent',
  async () => {
    at.put('a.txt', 'line\n'.repeat(20))
    // the parent of the shell is the program itself
    const effect = { calls: [{ name: 'bash', args: { command: 'touch done && kill -9 $PPID' } }] }
    at.put('replies.jsonl', [...reads, effect].map((reply) => JSON.stringify(reply)).join('\n'))
    const words = ['--model', 'script:replies.jsonl', '--approval', 'unrestricted', '--sandbox', 'off']
    const { code } = await at.anode(['execute', 'go', '--max-turns', '20', ...words])
    expect(code).toBeNull()
    expect(readdirSync(at.dir)).toContain('done')
    const store = await openStore(at.data, { readOnly: true })
    try {
      const [thread] = store.threads.list({})
      const events = store.threads.events(thread?.id as string)
      const count = (wanted: string) => events.filter(({ type }) => type === wanted).length
      expect([count('tool.call'), count('tool.result'), count('message')]).toEqual([13, 12, 14])
      expect(events.at(-1)).toMatchObject({ type: 'tool.call', payload: { tool: 'bash' } })
    } finally {
      store.close()
    }
  },
)
