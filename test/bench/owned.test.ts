// A benchmark ends all that it has started, whichever way it ends itself.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const here = import.meta.dirname

/** A benchmark with a directory and a process that starts another one. It prints them, then does `last`. */
const bench = (last: string) => `
  import { createOwnedDirectory, spawnOwned } from ${JSON.stringify(pathToFileURL(join(here, 'owned.mjs')).href)}
  const dir = createOwnedDirectory('anode-owned-')
  const child = spawnOwned('sh', ['-c', 'sleep 600 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.once('data', (text) => {
    console.log(JSON.stringify({ dir, pids: [child.pid, Number(text)] }))
    ${last}
  })
`

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.each([
  ['SIGINT', '', 130],
  ['SIGTERM', '', 143],
  ['SIGHUP', '', 129],
  [undefined, 'throw new Error("broken")', 1],
  [undefined, 'void Promise.reject(new Error("broken"))', 1],
  [undefined, 'process.exit(0)', 0],
] as const)('signal %s, last statement "%s"', async (signal, last, code) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', bench(last)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const line = await new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once('line', resolve),
  )
  const { dir, pids } = JSON.parse(line) as { dir: string; pids: number[] }
  if (signal) child.kill(signal)
  expect(await ended).toBe(code)
  await expect.poll(() => pids.filter(isAlive), { interval: 5, timeout: 10_000 }).toEqual([])
  expect(existsSync(dir)).toBe(false)
})

test('only owned.mjs starts processes that run while a benchmark runs', () => {
  const others = readdirSync(here).filter((name) => name.endsWith('.mjs') && name !== 'owned.mjs')
  const starting = others.filter((name) =>
    /import \{[^}]*\b(?:spawn|exec|execFile)\b[^}]*\} from 'node:child_process'/.test(
      readFileSync(join(here, name), 'utf8'),
    ),
  )
  expect(others.length).toBeGreaterThan(10)
  expect(starting).toEqual([])
})
