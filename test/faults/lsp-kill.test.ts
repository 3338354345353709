// kill -9 of Anode while language servers run, one of which ignores every other signal: no process is left.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { bin, tsserver } from '../support/language-servers.ts'
import { live } from '../support/live.ts'
import { root } from '../support/sources.ts'

const rounds = process.env.ANODE_FAULTS ? 10 : 1
vi.setConfig({ testTimeout: rounds * 60_000 })
const lines: string[] = []
afterAll(() => {
  for (const line of lines) console.log(line)
})

/** Returns the processes whose environment contains the mark: servers and their child processes. */
function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`ANODE_TEST_MARK=${mark}\0`))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    // it ended while we looked
    return ''
  }
}

async function gone(mark: string, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(100)) {
    if (marked(mark).length === 0) return true
  }
  return marked(mark).length === 0
}

/**
 * Kills Anode. Returns the number of processes at that moment, and whether they had ended ten seconds later.
 */
async function kill(at: World, mark: string): Promise<{ before: number; over: boolean }> {
  const env = { ANODE_TEST_MARK: mark }
  const fake = join(root, 'test/support/fake-server.mjs')
  const servers = {
    typescript: {
      command: join(bin, 'typescript-language-server'),
      initializationOptions: { tsserver: { path: tsserver } },
      env,
    },
    fake: { command: process.execPath, args: [fake, 'immortal'], extensions: { '.x': 'x' }, env },
  }
  // `live` takes the workspace for the home directory
  at.put('.config/anode/lsp.json', JSON.stringify(servers))
  at.put('a.ts', 'export const one: string = 1\n')
  at.put('a.x', 'bad\n')
  const run = live(at, ['tools', 'batch'])
  run.send({
    id: 1,
    tool: 'get_diagnostics',
    args: { paths: ['a.ts', 'a.x'], wait: true, wait_timeout_ms: 30_000 },
  })
  await run.until(/not assignable/)
  const before = marked(mark).length
  run.child.kill('SIGKILL')
  await run.done
  return { before, over: await gone(mark, 10_000) }
}

test.runIf(process.platform === 'linux')('kill -9 of a run ends its language servers', async () => {
  let survived = 0
  for (let round = 0; round < rounds; round++) {
    const at = world()
    const mark = `${process.pid}.${round}`
    try {
      const { before, over } = await kill(at, mark)
      // the server, its tsserver, and the fake one
      expect(before).toBeGreaterThanOrEqual(3)
      if (over) survived++
    } finally {
      for (const pid of marked(mark)) process.kill(pid, 'SIGKILL')
      at.remove()
    }
  }
  lines.push(`killed with language servers running: ${survived}/${rounds}`)
  expect(survived).toBe(rounds)
})
