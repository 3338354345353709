// kill -9 at the steps of an experiment session: the user's files stay, the ledger is valid, and the
// next start continues.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openResearch } from '../../internal/research/engine.ts'
import type { ResearchSession } from '../../internal/research/session.ts'
import type { SessionSettings } from '../../internal/research/settings.ts'
import { bundled, node } from '../support/program.ts'
import { git } from '../support/repo.ts'
import { env, paired, plain } from '../support/research.ts'
import { choice, rng } from '../support/rng.ts'
import { run } from '../support/run.ts'
import { harvest, plant, scratch } from '../support/scratch.ts'

const preload = join(import.meta.dirname, 'fixtures', 'kill-store.cjs')
const entry = join(import.meta.dirname, 'fixtures', 'research-job.ts')
const long = Number(process.env.ANODE_FAULTS ?? 0)

const gates: { gate: string; settings: SessionSettings }[] = [
  { gate: 'plain', settings: plain },
  { gate: 'paired', settings: { ...paired, skipNullTest: true, scope: ['speed.txt', 'made', 'gone.txt'] } },
]

type Job = 'init' | 'run' | 'keep' | 'discard'

const source = {
  'speed.txt': '100\n',
  'gone.txt': 'removed by the candidate\n',
  'mine.txt': 'a\n',
  'staged.txt': 'a\n',
  '.auto/measure.sh': 'echo "METRIC ms=$(cat speed.txt)"\n',
}

/** A directory that can be restored to any earlier state under the same paths. */
class World {
  readonly root = scratch()
  readonly dir = join(this.root, 'now', 'work')
  readonly data = join(this.root, 'now', 'data')

  constructor() {
    mkdirSync(this.dir, { recursive: true })
    mkdirSync(this.data)
    git(this.dir, 'init', '-q', '-b', 'main')
    git(this.dir, 'config', 'user.name', 'A')
    git(this.dir, 'config', 'user.email', 'a@example.org')
    plant(this.dir, source)
    git(this.dir, 'add', '-A')
    git(this.dir, 'commit', '-qm', 'first')
    plant(this.dir, { 'mine.txt': 'stashed\n' })
    git(this.dir, 'stash')
    plant(this.dir, { 'mine.txt': 'changed\n', 'staged.txt': 'staged\n', 'untracked.txt': 'untracked\n' })
    git(this.dir, 'add', 'staged.txt')
    plant(this.dir, { 'staged.txt': 'changed again\n' })
  }

  save(name: string): void {
    cpSync(join(this.root, 'now'), join(this.root, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    })
  }

  back(name: string): void {
    rmSync(join(this.root, 'now'), { recursive: true, force: true })
    cpSync(join(this.root, name), join(this.root, 'now'), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    })
  }

  open(): Promise<ResearchSession> {
    const { dir: cwd, data } = this
    return openResearch({ cwd, data, env, run, signal: new AbortController().signal })
  }
}

const candidate = { 'speed.txt': '50\n', 'made/deep/file.txt': 'made\n' }

function change(world: World): void {
  plant(world.dir, candidate)
  rmSync(join(world.dir, 'gone.txt'))
}

/** Returns the state of the user's files, which no experiment may change. */
function belongings({ dir }: World) {
  const quiet = (...args: string[]) => git(dir, '-c', 'core.hooksPath=/dev/null', ...args)
  const own = ['mine.txt', 'staged.txt', 'untracked.txt']
  const files = harvest(dir)
  return {
    files: own.map((name) => files[name]),
    staged: quiet('ls-files', '-s', ...own),
    stash: quiet('stash', 'list'),
    tags: quiet('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags', 'refs/stash'),
    head: readFileSync(join(dir, '.git', 'HEAD'), 'utf8'),
  }
}

/** Creates the initial state of `job`. */
async function prepare(world: World, job: Job, settings: SessionSettings): Promise<void> {
  if (job === 'init') return
  const research = await world.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  change(world)
  if (job !== 'run') await research.run()
}

/** Expects that the next start settles open work, and that the loop then continues normally. */
async function goOn(world: World, job: Job, settings: SessionSettings, where: string): Promise<void> {
  const research = await world.open()
  if ((await research.state()).session === undefined) await research.init(settings)
  const resumed = await research.resume()
  expect((await research.verify()).problems, where).toEqual([])
  expect(existsSync(join(world.dir, '.git', 'index.lock')), where).toBe(false)
  let { active, pending } = await research.state()
  if (job === 'init') {
    expect(active?.counts.total, where).toBe(0)
    await research.run()
    await research.log({ status: 'baseline' })
    return
  }
  const rejected = active?.runs.find(({ status }) => status === 'crash' || status === 'discard')
  if (rejected) {
    expect(readFileSync(join(world.dir, 'speed.txt'), 'utf8'), where).toBe('100\n')
    expect(existsSync(join(world.dir, 'gone.txt')), where).toBe(true)
    expect(existsSync(join(world.dir, 'made')), where).toBe(false)
    expect(resumed.worktree_clean, where).toBe(true)
  } else
    for (const [name, text] of Object.entries(candidate)) expect(harvest(world.dir)[name], where).toBe(text)
  if (!active?.runs.some(({ run: number }) => number === 2) || rejected) {
    if (rejected) change(world)
    if (pending.length === 0) await research.run()
    await research.log({ status: 'keep', description: 'kept' })
  }
  ;({ active, pending } = await research.state())
  expect(pending, where).toEqual([])
  expect(active?.best?.value, where).toBe(50)
  const subjects = git(world.dir, 'log', '--format=%s').trim().split('\n')
  expect(subjects, where).toEqual(['kept', 'first'])
  expect(git(world.dir, 'show', '--name-only', '--format=').trim().split('\n').sort(), where).toEqual([
    'gone.txt',
    'made/deep/file.txt',
    'speed.txt',
  ])
  expect(git(world.dir, 'status', '--porcelain', 'speed.txt', 'made', 'gone.txt'), where).toBe('')
  expect(
    readdirSync(join(world.dir, '.git')).filter((name) => /lock|tmp/.test(name)),
    where,
  ).toEqual([])
  expect((await research.verify()).problems, where).toEqual([])
}

const jobs: Job[] = ['init', 'run', 'keep', 'discard']
const seed = Number(process.env.ANODE_SEED ?? Date.now() % 1_000_000)
// The short form runs each job under one of the gates, and the next seed runs the other.
const table = gates
  .flatMap(({ gate, settings }, i) => jobs.map((job, j) => ({ gate, settings, job, turn: i + j + seed })))
  .filter(({ turn }) => long > 0 || turn % 2 === 0)
let row = 0

it.each(table)(
  '$job under the $gate gate survives kill -9',
  { timeout: 3_600_000 },
  async ({ gate, settings, job }) => {
    const random = rng(seed)
    const world = new World()
    const program = await bundled(entry)
    await prepare(world, job, settings)
    const before = belongings(world)
    world.save('start')
    const words = [program, job, world.dir, world.data, JSON.stringify(settings)]
    const counted = join(world.root, 'count')
    const whole = await node(['--require', preload, ...words], { env: { KILL_AT: '0', COUNT_TO: counted } })
    expect(whole, whole.stderr).toMatchObject({ code: 0, signal: null })
    expect(belongings(world)).toEqual(before)
    const { count, writes } = JSON.parse(readFileSync(counted, 'utf8')) as { count: number; writes: number[] }
    expect(count).toBeGreaterThan(20)
    const all = [...Array.from({ length: count }, (_, i) => `${i + 1}`), ...writes.map((n) => `${n}torn`)]
    // The long form tries every step. The short form alternates between a random step and a late one.
    const late = (row++ + (seed >> 1)) % 2 === 1
    const points = long > 0 ? all : [choice(random, late ? all.slice(-30) : all)]
    let survived = 0
    for (const point of points) {
      const where = `seed ${seed}: ${gate} ${job} killed at ${point} of ${count}`
      world.back('start')
      const killed = await node(['--require', preload, ...words], { env: { KILL_AT: point } })
      expect(killed.signal ?? killed.code, `${where}: ${killed.stderr}`).toBe('SIGKILL')
      expect(belongings(world), where).toEqual(before)
      // once more in the middle of settling
      if (survived % 2 === 1 || (long === 0 && late)) {
        const at = String(1 + Math.floor(random() * 60))
        await node(['--require', preload, program, 'resume', world.dir, world.data], { env: { KILL_AT: at } })
        expect(belongings(world), `${where}, then resuming at ${at}`).toEqual(before)
      }
      await goOn(world, job, settings, where)
      expect(belongings(world), where).toEqual(before)
      survived++
    }
    console.log(
      `faults: ${gate} ${job} killed at its steps (seed ${seed}): ${survived}/${points.length} survived`,
    )
  },
)
