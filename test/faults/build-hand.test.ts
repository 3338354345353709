// What a user or a machine does to a build that runs: each ends with its reason, and resume finishes the build.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { BuildSummary } from '../../internal/build/summary.ts'
import { program, type World } from '../support/anode.ts'
import { buildWorld, planText, readCheckout, readStatus, renameTask } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'

/** A build whose task `a` works until the test lets it end. */
interface Held {
  w: World
  id: string
  child: ChildProcess
  /** Directory of the worktree of task `a`. */
  worktree: string
  /** Lets the command of task `a` end. */
  letGo(): void
  ended: Promise<{ code: number | null; out: string; err: string }>
}

async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds(); await sleep(50))
    if (Date.now() > end) throw new Error(`not within 60 s: ${what}`)
}

const held =
  'touch node_modules.started; until [ -e go ] || [ ! -e codemod.js ]; do sleep 0.05; done; rm -f go node_modules.started'

async function hold(w: World): Promise<Held> {
  const a = renameTask('a', { run: `${held}; node codemod.js src/a` })
  w.put('../plan.json', planText([a, renameTask('b')]))
  const child = spawn(process.execPath, [program, 'build', '--plan', '../plan.json', '--json'], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (part) => (out += part))
  child.stderr.on('data', (part) => (err += part))
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, out, err })),
  )
  const folder = join(w.data, 'builds')
  const names = () => (existsSync(folder) ? readdirSync(folder) : [])
  const own = () => names().find((name) => name.endsWith('.t-a')) ?? ''
  await eventually('task a works', () => existsSync(join(folder, own(), 'node_modules.started')))
  await eventually('task b is merged', () => err.includes('"kind":"merged"'))
  const worktree = join(folder, own())
  const letGo = () => writeFileSync(join(worktree, 'go'), '')
  return { w, id: own().replace('.t-a', ''), child, worktree, letGo, ended }
}

/** Resumes the build, and lets task `a` end if it works again. */
async function resumeToEnd({ w, worktree }: Held): Promise<BuildSummary> {
  let isOver = false
  const resumed = w.anode(['build', 'resume', 'last', '--json']).finally(() => {
    isOver = true
  })
  for (; !isOver; await sleep(50))
    if (existsSync(join(worktree, 'node_modules.started'))) writeFileSync(join(worktree, 'go'), '')
  const { code, out, err } = await resumed
  expect(code, err + out).toBe(0)
  return JSON.parse(out)
}

const faults: [title: string, act: (held: Held) => Promise<void>][] = [
  [
    'the worktree of a task is removed',
    async ({ w, worktree, child, ended }) => {
      rmSync(worktree, { recursive: true, force: true })
      const { code, err } = await ended
      expect(code, err).toBe(3)
      expect((await readStatus(w)).tasks[0]).toMatchObject({ state: 'failed', why: 'worktree' })
      expect(child.exitCode).toBe(3)
    },
  ],
  [
    'the branch is moved',
    async ({ w, id, letGo, ended }) => {
      const ref = `refs/heads/anode/build/${id}`
      const tip = git(w.dir, 'rev-parse', ref).trim()
      git(w.dir, 'update-ref', ref, git(w.dir, 'rev-parse', 'main').trim())
      letGo()
      const { code, out, err } = await ended
      expect(code, err).toBe(3)
      expect(out).toContain('but the build left it at')
      git(w.dir, 'update-ref', ref, tip)
    },
  ],
  [
    'a second process resumes it',
    async ({ w, child, ended, letGo }) => {
      const second = await w.anode(['build', 'resume', 'last'])
      expect([second.code, second.err]).toEqual([1, expect.stringContaining(`busy: pid ${child.pid}`)])
      child.kill('SIGKILL')
      letGo()
      await ended
    },
  ],
  [
    'it is interrupted',
    async ({ child, ended, letGo }) => {
      child.kill('SIGINT')
      letGo()
      expect((await ended).code).toBe(130)
    },
  ],
  [
    'it is interrupted twice while a command works',
    async ({ child, ended }) => {
      await eventually('the build ends', () => !child.kill('SIGINT') || child.exitCode !== null)
      expect((await ended).code).toBe(130)
    },
  ],
]

let survived = 0
const tried = sampleRows(faults, 2)
afterAll(() => console.log(`builds with a fault from outside: ${survived} of ${tried.length} survived`))

test.each(tried)('finishes after a resume if %s', { timeout: 180_000 }, async (_, act) => {
  const w = buildWorld(['a', 'b'])
  try {
    const before = readCheckout(w.dir)
    const held = await hold(w)
    await act(held)
    expect(await resumeToEnd(held)).toMatchObject({ end: 'done', proof: 'proven', repaid_steps: 0 })
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
    expect(git(w.dir, 'worktree', 'list').trimEnd().split('\n')).toHaveLength(1)
    expect(readCheckout(w.dir)).toEqual(before)
    survived++
  } finally {
    w.remove()
  }
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0
if (!canMount) console.log('skipped: builds on a full disk (mounting needs root on Linux)')

test.runIf(canMount)('finishes after a resume if the disk was full', { timeout: 180_000 }, async () => {
  const w = buildWorld(['a', 'b'])
  mkdirSync(w.data, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'none', w.data])
  try {
    const held = await hold(w)
    const large = join(w.data, 'large')
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${large}`, 'bs=64k'], { stdio: 'ignore' })
    } catch {
      // dd fails when the disk is full
    }
    held.letGo()
    const { code, out, err } = await held.ended
    expect(code, out + err).not.toBe(0)
    rmSync(large)
    expect(await resumeToEnd(held)).toMatchObject({ end: 'done', repaid_steps: 0 })
  } finally {
    execFileSync('umount', ['-l', w.data])
    w.remove()
  }
})
