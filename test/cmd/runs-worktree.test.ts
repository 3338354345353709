// `anode runs start --worktree` and what follows it, on real repositories: diff, merge, conflicts, drop, kills, hostile settings.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { processesWith } from '../internal/process/scratch.ts'
import { program, type World, world } from '../support/anode.ts'
import { canaryIn, plantPrograms } from '../support/hostile-git.ts'
import { git as gitOutput } from '../support/repo.ts'
import { rounds } from '../support/sample.ts'

const git = (dir: string, ...words: string[]) => gitOutput(dir, ...words).trimEnd()

let w: World
beforeEach(() => {
  w = world()
  w.put('a.txt', 'one\ntwo\nthree\n')
  git(w.dir, 'init', '-q', '-b', 'main')
  git(w.dir, 'add', '-A')
  git(w.dir, 'commit', '-qm', 'first')
})
afterEach(() => w.remove())

function script(...replies: object[]): string[] {
  const file = join(w.data, '..', 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  return ['--model', `script:${file}`, '--approval', 'edits']
}

const write = (path: string, content: string) => ({
  calls: [{ name: 'create_file', args: { path, content, overwrite: true } }],
})

interface ListedRun {
  thread: string
  state: string
  worktree: { branch: string; origin: string; merged: boolean; conflict: { files: string[] } | null } | null
}
const list = async (): Promise<ListedRun[]> => JSON.parse((await w.anode(['runs', 'list', '--json'])).out)

/** Begins a run and waits for the end of its process. */
async function startRun(
  words: string[],
): Promise<{ thread: string; branch: string; path: string; err: string }> {
  const begun = await w.anode(['runs', 'start', '--worktree', '--json', 'Change the file', ...words])
  expect(begun.code, begun.err).toBe(0)
  await untilEnded()
  return { ...JSON.parse(begun.out), err: begun.err }
}

const untilEnded = () =>
  expect.poll(async () => (await list())[0]?.state, { timeout: 30_000, interval: 200 }).toBe('ended')

it('works apart from the checkout, shows what has changed, merges it and is dropped', async () => {
  w.put('mine.txt', 'not committed\n')
  const run = await startRun(
    script(write('a.txt', 'one\n2\nthree\n'), write('b.txt', 'new\n'), { text: 'Done.' }),
  )
  expect(run.err).toContain('changes in 1 file that are not committed stay here')
  expect(readFileSync(join(w.dir, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  expect(await list()).toMatchObject([
    { thread: run.thread, worktree: { branch: run.branch, origin: w.dir, merged: false } },
  ])
  expect(run.branch).toBe(`anode/${run.thread.slice(5)}`)
  const { out } = await w.anode(['runs', 'diff', 'last', '--stat'])
  expect(out).toBe('a.txt  +1 -1\nb.txt  +1 -0\n')
  const { patch } = JSON.parse((await w.anode(['runs', 'diff', 'last', '--json'])).out)
  expect(patch).toContain('-two\n+2\n')
  const early = await w.anode(['runs', 'drop', 'last', '--yes'])
  expect(early).toMatchObject({
    code: 1,
    err: expect.stringContaining('2 changed files of this run are not merged'),
  })
  const failed = await w.anode(['runs', 'merge', 'last', '--checks', 'grep -q nothing b.txt'])
  expect(failed).toMatchObject({ code: 1, out: 'not merged: the checks ended with 1\n' })
  expect(git(w.dir, 'log', '--format=%s')).toBe('first')
  const merged = await w.anode(['runs', 'merge', 'last', '--checks', 'grep new b.txt'])
  expect(merged).toMatchObject({ code: 0, out: expect.stringContaining('merged 1 commit'), err: 'new\n' })
  expect(git(w.dir, 'log', '--format=%s')).toBe('Change the file\nfirst')
  expect(readFileSync(join(w.dir, 'b.txt'), 'utf8')).toBe('new\n')
  expect(git(w.dir, 'status', '--porcelain')).toBe('?? mine.txt')
  expect((await w.anode(['runs', 'list'])).out).toContain('done, merged')
  expect((await w.anode(['runs', 'merge', 'last'])).out).toBe('nothing to merge\n')
  expect(await w.anode(['runs', 'drop', 'last', '--yes'])).toMatchObject({ code: 0, err: '' })
  expect(existsSync(run.path)).toBe(false)
  expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  expect(await w.anode(['runs', 'diff', 'last'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no run of this workspace has a worktree'),
  })
}, 60_000)

it('opens the run anew where its work is in conflict, and merges what was resolved', async () => {
  const run = await startRun(script(write('a.txt', 'one\nTWO\nthree\n'), { text: 'Done.' }))
  w.put('a.txt', 'one\nzwei\nthree\n')
  git(w.dir, 'commit', '-qam', 'second')
  // what the run says when it is opened anew
  script(write('a.txt', 'one\nTWO, zwei\nthree\n'), { text: 'Resolved.' })
  const stopped = await w.anode(['runs', 'merge', 'last'])
  expect(stopped).toMatchObject({ code: 1, out: expect.stringContaining('  a.txt\n') })
  expect((await list())[0]?.worktree?.conflict).toMatchObject({ files: ['a.txt'] })
  await untilEnded()
  expect((await w.anode(['runs', 'list'])).out).toContain('conflict resolved, not merged')
  const shown = await w.anode(['threads', 'show', run.thread])
  expect(shown.out).toContain('Git stopped at conflicts in')
  const done = await w.anode(['runs', 'merge', 'last', '--json'])
  expect(JSON.parse(done.out)).toMatchObject({ kind: 'merged', commits: 1 })
  expect(readFileSync(join(w.dir, 'a.txt'), 'utf8')).toBe('one\nTWO, zwei\nthree\n')
  expect(git(w.dir, 'log', '--format=%s')).toBe('Change the file\nsecond\nfirst')
  expect(await list()).toMatchObject([{ worktree: { merged: true, conflict: null } }])
}, 60_000)

it('lists a run as in conflict until its work is merged, also if the run has resolved nothing', async () => {
  await startRun(script(write('a.txt', 'one\nTWO\nthree\n'), { text: 'Done.' }))
  w.put('a.txt', 'one\nzwei\nthree\n')
  git(w.dir, 'commit', '-qam', 'second')
  script({ text: 'I do not know what to do.' })
  expect((await w.anode(['runs', 'merge', 'last'])).code).toBe(1)
  await untilEnded()
  expect((await w.anode(['runs', 'list'])).out).toMatch(/ conflict: a\.txt /)
  expect((await w.anode(['runs', 'merge', 'last'])).code).toBe(1)
  await untilEnded()
  expect((await w.anode(['runs', 'list'])).out).toMatch(/ conflict: a\.txt /)
  expect((await w.anode(['runs', 'drop', 'last', '--force', '--yes'])).code).toBe(0)
  expect((await w.anode(['runs', 'list'])).out).not.toContain('conflict')
}, 60_000)

it('moves no branch that its checkout would lose changes for', async () => {
  const run = await startRun(script(write('a.txt', 'run\n'), { text: 'Done.' }))
  w.put('a.txt', 'mine, not committed\n')
  const refused = await w.anode(['runs', 'merge', 'last'])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('main could not be moved') })
  expect(readFileSync(join(w.dir, 'a.txt'), 'utf8')).toBe('mine, not committed\n')
  expect(git(w.dir, 'log', '--format=%s')).toBe('first')
  const dropped = await w.anode(['runs', 'drop', 'last', '--force', '--yes'])
  const [, commit = ''] = /git show (\w+)/.exec(dropped.err) ?? []
  expect(git(w.dir, 'show', `${commit}:a.txt`)).toBe('run')
  expect(existsSync(run.path)).toBe(false)
}, 60_000)

it('starts nothing that the repository names, from the first commit to the last', async () => {
  const canary = canaryIn(join(w.data, '..', 'canary'))
  plantPrograms(w.dir, canary)
  const forget = () => writeFileSync(join(w.data, '..', 'canary', 'fired'), '')
  // what the git of the test has started
  forget()
  const run = await startRun(script(write('a.txt', 'run\n'), { text: 'Done.' }))
  expect(canary.fired()).toBe('')
  const tree = git(
    w.dir,
    '-c',
    'core.hooksPath=/dev/null',
    'commit-tree',
    'HEAD^{tree}',
    '-p',
    'HEAD',
    '-m',
    'second',
  )
  writeFileSync(join(w.dir, '.git/refs/heads/main'), `${tree}\n`)
  forget()
  expect((await w.anode(['runs', 'diff', 'last'])).out).toContain('+run\n')
  expect(await w.anode(['runs', 'merge', 'last'])).toMatchObject({ code: 0, err: '' })
  expect(await w.anode(['runs', 'drop', run.thread, '--yes'])).toMatchObject({ code: 0 })
  expect(canary.fired()).toBe('')
}, 60_000)

it('says what is missing, and leaves nothing of a run that did not begin', async () => {
  const words = ['runs', 'start', '--worktree', 'x']
  const bad = await w.anode([...words, '--profile', 'nobody'])
  expect(bad).toMatchObject({ code: 2, out: '', err: expect.stringContaining('nobody') })
  expect(git(w.dir, 'worktree', 'list').split('\n')).toHaveLength(1)
  expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  const other = world()
  try {
    expect(await other.anode(words)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no git repository'),
    })
  } finally {
    other.remove()
  }
})

it('keeps the list true when it is killed, and clears away what was left', async () => {
  const words = script(write('b.txt', 'new\n'), { text: 'Done.' })
  for (const ms of [120, 400, 650, 900, 250, 520, 780, 330, 1_000, 590].slice(0, rounds(2, 10))) {
    const child = spawn(process.execPath, [program, 'runs', 'start', '--worktree', 'Killed', ...words], {
      cwd: w.dir,
      env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await sleep(ms)
    child.kill('SIGKILL')
    await ended
    await expect
      .poll(async () => (await list()).every(({ state }) => state === 'ended' || state === 'broken'), {
        timeout: 30_000,
      })
      .toBe(true)
  }
  const run = await startRun(words)
  const runs = await list()
  const places = git(w.dir, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
  // the checkout, and one for each run that the list has
  expect(places).toHaveLength(1 + runs.length)
  expect(runs[0]).toMatchObject({ thread: run.thread, state: 'ended' })
  const merge = spawn(process.execPath, [program, 'runs', 'merge', run.thread, '--checks', 'sleep 60.417'], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => merge.once('close', resolve))
  await expect.poll(() => processesWith('60.417').length, { timeout: 60_000 }).toBeGreaterThan(1)
  merge.kill('SIGKILL')
  await ended
  expect(git(w.dir, 'log', '--format=%s')).toBe('first')
  expect(await w.anode(['runs', 'merge', run.thread])).toMatchObject({ code: 0 })
  expect(existsSync(join(w.dir, 'b.txt'))).toBe(true)
}, 120_000)
