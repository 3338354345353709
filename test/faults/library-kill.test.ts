// kill -9 of a program that uses Anode as a library while its agent runs a command: nothing is left, and the
// next run works.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { processesWith } from '../internal/process/scratch.ts'
import { world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

const rounds = process.env.ANODE_FAULTS ? 10 : 1
vi.setConfig({ testTimeout: rounds * 60_000 })

const program = `
import { createAgent } from 'anode-cli'
const [script, task] = process.argv.slice(2)
const agent = await createAgent({ model: 'script:' + script, workspaceRoot: '.', approval: 'unrestricted' })
const { end, text } = await agent.run(task)
console.log(end, text)
`

async function until(check: () => boolean, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(100)) if (check()) return true
  return check()
}

test('after kill -9 no process and no directory of the run is left', async () => {
  let survived = 0
  for (let round = 0; round < rounds; round++) {
    const at = world()
    const home = dirname(at.dir)
    mkdirSync(join(home, 'node_modules'))
    symlinkSync(root, join(home, 'node_modules', 'anode-cli'))
    at.put('program.mjs', program)
    const command = 'touch began; sleep 600 & setsid sleep 601'
    at.put(
      'hang.jsonl',
      JSON.stringify({ calls: [{ name: 'bash', args: { command, timeout_ms: 600_000 } }] }),
    )
    at.put('end.jsonl', '{"text":"fine"}')
    const start = (...words: string[]) =>
      spawn(process.execPath, ['program.mjs', ...words], {
        cwd: at.dir,
        env: { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: at.data },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const child = start('hang.jsonl', 'one')
    const own = () => processesWith(at.data).filter((pid) => pid !== child.pid)
    expect(await until(() => existsSync(join(at.dir, 'began')), 30_000)).toBe(true)
    expect(own().length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await once(child, 'close')
    const isGone = await until(() => own().length === 0, 10_000)
    const next = start('end.jsonl', 'two')
    const said = await text(next.stdout)
    const runs = existsSync(join(at.data, 'run')) ? readdirSync(join(at.data, 'run')) : []
    expect([isGone, said, runs]).toEqual([true, 'done fine\n', []])
    survived++
    at.remove()
  }
  console.log(`survived/tried ${survived}/${rounds} (programs that use the library, killed)`)
})
