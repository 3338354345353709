// A full or read-only data directory, and kill -9 during a benchmark: nothing is lost and
// no process survives.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mountDisk } from '../support/disk.ts'
import { bundle } from '../support/program.ts'
import { files, lab, paired, plain, refusal } from '../support/research.ts'
import { harvest, scratch } from '../support/scratch.ts'

const entry = join(import.meta.dirname, 'fixtures', 'research-job.ts')
const long = Number(process.env.ANODE_FAULTS ?? 0)

function fill(dir: string, pages: number): void {
  rmSync(join(dir, 'ballast'), { force: true })
  const { bavail, bsize } = statfsSync(dir)
  writeFileSync(join(dir, 'ballast'), Buffer.alloc(Math.max(0, (bavail - pages) * Number(bsize))))
}

it('loses nothing on a full disk, and continues when there is space', { timeout: 600_000 }, async (test) => {
  const data = mountDisk(test, '0700')
  if (!data) return
  const sizes = long > 0 ? Array.from({ length: 24 }, (_, i) => i) : [0, 2, 5, 9]
  let survived = 0
  for (const pages of sizes) {
    rmSync(join(data, 'research'), { recursive: true, force: true })
    rmSync(join(data, 'ballast'), { force: true })
    const at = lab()
    const research = await at.open({ data })
    await research.init(plain)
    await research.run()
    await research.log({ status: 'baseline' })
    at.put('speed.txt', '120\n')
    at.put('new.txt', 'a candidate\n'.repeat(500))
    await research.run()
    const where = `${pages} pages left`
    fill(data, pages)
    const said = await refusal(research.log({ status: 'discard' }))
    expect(['nothing', 'io', 'exit 1', 'command_failed'], where).toContain(said)
    const logged = (await research.state()).active?.counts.total === 2
    // a change that is not in the ledger has not been reverted
    if (!logged) expect(at.read('speed.txt'), where).toBe('120\n')
    rmSync(join(data, 'ballast'), { force: true })
    await research.resume()
    expect((await research.verify()).problems, where).toEqual([])
    if (!logged) await research.log({ status: 'discard' })
    expect(at.read('speed.txt'), where).toBe('100\n')
    expect(at.git('status', '--porcelain'), where).toBe('')
    expect((await research.state()).pending, where).toEqual([])
    survived++
  }
  console.log(`faults: experiments on a full disk: ${survived}/${sizes.length} survived`)
})

it('reports a read-only disk and changes nothing', { timeout: 60_000 }, async (test) => {
  const data = mountDisk(test, '0700')
  if (!data) return
  const at = lab()
  const research = await at.open({ data })
  await research.init(plain)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('speed.txt', '120\n')
  await research.run()
  execFileSync('mount', ['-o', 'remount,ro', data])
  expect(await refusal(research.log({ status: 'discard' }))).toBe('io')
  await expect(research.log({ status: 'discard' })).rejects.toThrow(data)
  expect(at.read('speed.txt')).toBe('120\n')
  execFileSync('mount', ['-o', 'remount,rw', data])
  await research.log({ status: 'discard' })
  expect(at.read('speed.txt')).toBe('100\n')
})

/** Returns the processes with this number among their arguments. */
function alive(number: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(join('/proc', pid, 'cmdline'), 'latin1')
          .split('\0')
          .includes(number)
      )
    } catch {
      return false
    }
  })
}

const slow = {
  ...files,
  '.auto/measure.sh':
    'test -e slow && { sleep 31337 & setsid sleep 31337; }; echo "METRIC ms=$(cat speed.txt)"\n',
}

it('ends the benchmark of a killed run and reverts its candidate', { timeout: 3_600_000 }, async () => {
  const root = scratch()
  const program = await bundle(entry, root)
  const settings = { ...paired, skipNullTest: true, scope: ['speed.txt', 'slow'] }
  const gates = [plain, settings]
  const tries = Math.max(gates.length, long)
  let survived = 0
  for (let i = 0; i < tries; i++) {
    const at = lab(slow)
    mkdirSync(join(at.dir, 'empty'))
    const research = await at.open()
    await research.init(gates[i % gates.length] ?? plain)
    await research.run()
    await research.log({ status: 'baseline' })
    at.put('untracked.txt', 'mine\n')
    if (i % gates.length === 1) rmSync(join(at.dir, 'untracked.txt'))
    at.put('speed.txt', '90\n')
    at.put('slow', '')
    const before = Object.keys(harvest(at.dir)).filter((name) => !name.startsWith('.git/'))
    const child = spawn(process.execPath, [program, 'run', at.dir, at.data], { stdio: 'ignore' })
    const gone = new Promise((resolve) => child.once('close', resolve))
    while (alive('31337').length < 2) await sleep(20)
    child.kill('SIGKILL')
    await gone
    expect((await research.state()).pending).toMatchObject([{ run: 2, state: 'running', alive: false }])
    expect(Object.keys(harvest(at.dir)).filter((name) => !name.startsWith('.git/'))).toEqual(before)
    expect(await research.resume()).toMatchObject({ recovered: 'interrupted', run: 2, worktree_clean: true })
    for (let wait = 0; wait < 500 && alive('31337').length > 0; wait++) await sleep(20)
    expect(alive('31337')).toEqual([])
    expect(at.read('speed.txt')).toBe('100\n')
    expect((await research.state()).active?.runs.at(-1)).toMatchObject({
      status: 'crash',
      reason: 'interrupted',
    })
    expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
    survived++
  }
  console.log(`faults: killed while a benchmark runs: ${survived}/${tries} survived`)
})
