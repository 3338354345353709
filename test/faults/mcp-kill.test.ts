// kill -9 of a run with three active MCP servers, a language server and a plugin: none of their
// processes is left.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { processesWith } from '../internal/process/scratch.ts'
import { type World, world } from '../support/anode.ts'
import { live } from '../support/live.ts'
import { fake, real } from '../support/mcp.ts'
import { root } from '../support/sources.ts'

const rounds = process.env.ANODE_FAULTS ? 10 : 1
vi.setConfig({ testTimeout: rounds * 60_000 })
const lines: string[] = []
afterAll(() => {
  for (const line of lines) console.log(line)
})

async function until(check: () => boolean, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(100)) if (check()) return true
  return check()
}

/**
 * Returns the child processes by the marker in their arguments or environment, without the program itself.
 */
const children = (at: World, self: number | undefined) => processesWith(at.data).filter((pid) => pid !== self)

async function kill(at: World): Promise<boolean> {
  const mcpServers = {
    // together with the other tools there are too many to send all at once
    stall: { ...fake('stall', join(at.data, 'told')), alwaysLoad: true },
    memory: { ...real('memory'), env: { MEMORY_FILE_PATH: join(at.data, 'memory.json') } },
    files: real('filesystem', at.data),
  }
  at.put('../.config/anode/mcp.json', JSON.stringify({ mcpServers }))
  at.put(
    '../.config/anode/config.json',
    JSON.stringify({ plugins: { paths: [join(root, 'manual/examples/plugins/clock.py')] } }),
  )
  at.put('a.sh', 'greet() { echo hi; }\n')
  const replies = [
    { calls: [{ name: 'mcp__memory__read_graph', args: {} }] },
    { calls: [{ name: 'mcp__files__list_allowed_directories', args: {} }] },
    { calls: [{ name: 'plugin__clock__now', args: {} }] },
    {
      calls: [{ name: 'lsp', args: { operation: 'documentSymbol', path: 'a.sh' } }],
    },
    { calls: [{ name: 'mcp__stall__echo', args: { message: 'wait' } }] },
  ]
  at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const run = live(
    at,
    ['execute', 'go', '--model', 'script:replies.jsonl', '--approval', 'unrestricted', '--stream-json'],
    {
      HOME: join(at.dir, '..'),
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    },
  )
  run.end()
  await run.until(/"tool.call"[^\n]*mcp__stall__echo/)
  const started = children(at, run.pid).length
  run.child.kill('SIGKILL')
  await run.done
  // the servers, the plugin and the small shell that watches them
  if (started < 6) throw new Error(`only ${started} children were seen`)
  return until(() => children(at, run.pid).length === 0, 10_000)
}

test.runIf(process.platform === 'linux')(
  'kill -9 of a run ends its three MCP servers, language server and plugin',
  async () => {
    const ends: boolean[] = []
    for (let round = 0; round < rounds; round++) {
      const at = world()
      try {
        ends.push(await kill(at))
      } finally {
        at.remove()
      }
    }
    const survived = ends.filter(Boolean).length
    lines.push(`mcp kill -9: no process left after 10 s: survived ${survived}/${ends.length}`)
    expect(survived).toBe(ends.length)
  },
)
