// Terminals against the sudden death of their parent, and one after the other: nothing of them may be left.
import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { createTerminalSessions } from '../../internal/pty/terminal-sessions.ts'
import { processesWith, runnerIn, scratch } from '../internal/process/scratch.ts'
import { root } from '../support/sources.ts'

const tries = Number(process.env.ANODE_FAULTS ?? 1)
const sessions = process.env.ANODE_FAULTS ? 1_000 : 20

async function gone(mark: string): Promise<boolean> {
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(50))
    if (processesWith(mark).length === 0) return true
  return false
}

test('kill -9 with terminals open leaves nothing', async () => {
  const dir = scratch()
  // the package with the terminals is found from here
  const host = join(root, 'node_modules', `.terminal-host-${process.pid}.mjs`)
  onTestFinished(() => rmSync(host, { force: true }))
  await build({
    entryPoints: [join(import.meta.dirname, 'terminal-host.ts')],
    ...{ outfile: host, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    external: ['@lydell/node-pty'],
  })
  for (let i = 0; i < tries; i++) {
    const mark = `mark-${process.pid}-${i}`
    const child = spawn(process.execPath, [host, dir, mark, '3'], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(processesWith(`FIND_ME=${mark}`).length).toBeGreaterThanOrEqual(3)
    child.kill('SIGKILL')
    expect(await gone(`FIND_ME=${mark}`)).toBe(true)
  }
})

test(`${sessions} terminals are opened and ended without a process or descriptor left`, async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const table = createTerminalSessions(runner.terminal)
  const sandbox = {
    ...{ kind: 'workspace' as const, folders: [], protected: [], network: [], write: [], revealed: [] },
    ...{ opened: [], history: false },
  }
  const env = { PATH: String(process.env.PATH), TERM: 'dumb', FIND_ME: dir }
  const descriptors = () => readdirSync('/proc/self/fd').length
  const open = async () => {
    const { id } = await table.start({ shell: 'sh', cwd: dir, env, sandbox, rows: 24, columns: 80 })
    await table.write(id, 'sleep 60 & echo up\n', async () => true)
    await table.kill(id, false)
  }
  await open()
  const before = descriptors()
  for (let i = 0; i < sessions; i += 4) await Promise.all([open(), open(), open(), open()])
  expect(descriptors()).toBeLessThanOrEqual(before)
  expect(processesWith(`FIND_ME=${dir}`)).toEqual([])
  expect(table.list()).toEqual([])
}, 600_000)
