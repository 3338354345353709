// kill -9 of a run with eight subagents, each with a command and a process that left its session: no
// process is left.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { live } from '../support/live.ts'

const rounds = process.env.ANODE_FAULTS ? 10 : 1
vi.setConfig({ testTimeout: rounds * 60_000 })
const lines: string[] = []
afterAll(() => {
  for (const line of lines) console.log(line)
})

/** Returns the processes whose arguments contain the mark. */
function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandOf(pid).includes(mark))
    .map(Number)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // it ended while we looked
    return ''
  }
}

async function until(check: () => boolean, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(100)) if (check()) return true
  return check()
}

async function kill(at: World, mark: string): Promise<'at once' | 'at the next start' | 'never'> {
  const titles = Array.from({ length: 8 }, (_, i) => `child ${i}`)
  const command = `setsid sleep ${mark} & sleep ${mark}`
  const replies = [
    { calls: titles.map((title) => ({ name: 'task', args: { title, goal: 'wait' } })) },
    ...titles.map((task) => ({ task, calls: [{ name: 'bash', args: { command } }] })),
  ]
  at.put('replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const run = live(at, ['execute', 'go', '--model', 'script:replies.jsonl', '--approval', 'unrestricted'])
  run.end()
  // a shell and two sleeps for each subagent; the shell may have become the second sleep
  const started = await until(() => marked(mark).length >= 16, 30_000)
  run.child.kill('SIGKILL')
  const { err } = await run.done
  if (!started) throw new Error(`only ${marked(mark).length} processes were seen: ${err}`)
  if (await until(() => marked(mark).length === 0, 10_000)) return 'at once'
  await at.anode(['execute', 'hello'])
  return (await until(() => marked(mark).length === 0, 2000)) ? 'at the next start' : 'never'
}

test.runIf(process.platform === 'linux')('kill -9 of a run ends its eight busy subagents', async () => {
  const ends: string[] = []
  for (let round = 0; round < rounds; round++) {
    const at = world()
    const mark = `31${process.pid}.${round}`
    try {
      ends.push(await kill(at, mark))
    } finally {
      for (const pid of marked(mark)) process.kill(pid, 'SIGKILL')
      at.remove()
    }
  }
  const survived = ends.filter((end) => end !== 'never').length
  const atOnce = ends.filter((end) => end === 'at once').length
  lines.push(`agent tree killed: ${survived}/${rounds}, without a next start ${atOnce}/${rounds}`)
  expect(survived).toBe(rounds)
})
