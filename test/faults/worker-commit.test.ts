// Workers of a server with other files than the study: they read the commit of the study, and say why they
// cannot. The list of workers shows what each one serves.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WorkerRecord } from '../../internal/study/engine/worker-record.ts'
import {
  corpus,
  type Machine,
  type Machines,
  machines,
  question,
  type Running,
} from '../support/many-machines.ts'
import { withRedis } from '../support/redis.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 240_000 })

let park: Machines
beforeEach(() => {
  park = machines()
})
afterEach(() => park.clear())

/** Commits all files of a machine and returns the id of the commit. */
function commit({ dir }: Machine): string {
  git(dir, 'init', '--quiet', '--initial-branch=main')
  git(dir, 'add', '--all')
  git(dir, 'commit', '--quiet', '--message=x')
  return git(dir, 'rev-parse', 'HEAD').trim()
}

/** Returns a machine whose repository is a clone of that of `lead`, with one more commit. */
function cloneAhead(lead: Machine): Machine {
  const other = park.machine({})
  git(other.dir, 'clone', '--quiet', lead.dir, '.')
  writeFileSync(join(other.dir, 'later.md'), '# Later\n\nThe store no longer locks files.\n')
  commit(other)
  return other
}

const words = (url: string) =>
  ['study', question, '--engine', url, '--local', '0', '--workers', '2', '--json', '--quiet'] as const

const ready = (worker: Running) =>
  worker
    .out()
    .split('\n')
    .filter((line) => line.includes(' serves corpus ')).length

withRedis('a worker with other files', (redis) => {
  const listOf = async (at: Machine): Promise<WorkerRecord[]> => {
    const listed = await at.run(['worker', 'list', '--engine', redis().url, '--json'])
    expect(listed.code, listed.err).toBe(0)
    return JSON.parse(listed.out)
  }

  test('reads the commit of the study, and its own repository stays as it is', async () => {
    const lead = park.machine(corpus)
    const wanted = commit(lead)
    const other = cloneAhead(lead)
    const before = git(other.dir, 'status', '--porcelain', '--branch')
    const worker = other.start(['worker', '--label', 'ahead', '--engine', redis().url])
    await worker.says('worker ahead serves corpus')
    const done = await lead.run(words(redis().url))
    expect([0, 3], done.err).toContain(done.code)
    const near = await lead.run(['study', question, '--workers', '2', '--json', '--quiet'])
    const claims = (out: string) => JSON.parse(out).claims.map((claim: { text: string }) => claim.text)
    expect(claims(done.out)).toEqual(claims(near.out))
    expect(claims(done.out).length).toBeGreaterThan(0)
    const record = (await listOf(lead)).find(({ label }) => label === 'ahead')
    expect(record).toMatchObject({ label: 'ahead', slots: 1, root: other.dir, refused: [] })
    expect(record?.serves.map((one) => one.commit)).toEqual([
      git(other.dir, 'rev-parse', 'HEAD').trim(),
      wanted,
    ])
    expect(git(other.dir, 'status', '--porcelain', '--branch')).toBe(before)
    expect(readdirSync(join(other.data, 'corpora'))).toEqual([`commit-${wanted}`])
  })

  test('fetches a commit that it lacks from its own remote', async () => {
    const lead = park.machine(corpus)
    commit(lead)
    const other = cloneAhead(lead)
    writeFileSync(join(lead.dir, 'new.md'), '# New\n\nA lock is held for at most 40 seconds after a crash.\n')
    const wanted = commit(lead)
    const worker = other.start(['worker', '--label', 'old', '--engine', redis().url])
    await worker.says('worker old serves corpus')
    const done = await lead.run(words(redis().url))
    expect([0, 3], done.err).toContain(done.code)
    expect(ready(worker)).toBe(2)
    expect(worker.out()).toContain(`commit ${wanted.slice(0, 12)}`)
  })

  test.each([
    ['lacks the commit and a remote', 'has no remote origin'],
    ['has a remote that lacks the commit', 'its remote origin does not send it'],
  ])('%s: the study names the reason and exits with 2', async (kind, why) => {
    const lead = park.machine(corpus)
    commit(lead)
    const other = park.machine({ 'else.md': '# Else\n\nOther files.\n' })
    commit(other)
    if (kind.startsWith('has')) git(other.dir, 'remote', 'add', 'origin', other.dir)
    const worker = other.start(['worker', '--label', 'w', '--engine', redis().url])
    await worker.says('worker w serves corpus')
    const done = await lead.run([...words(redis().url), '--worker-wait', '8s'])
    expect(done.code).toBe(2)
    // workers of the tests before this one may still be in the list
    expect(done.err).toMatch(/workers? serves? other files \(.*w: the repository lacks commit/)
    expect(done.err).toContain(why)
    expect(worker.out()).toContain(why)
  })

  test('files that are not committed are named, and only equal files serve them', async () => {
    const lead = park.machine(corpus)
    const wanted = commit(lead)
    const other = park.machine({})
    git(other.dir, 'clone', '--quiet', lead.dir, '.')
    writeFileSync(join(lead.dir, 'doc/lock.md'), '# Locks\n\nThe store locks files for 31 seconds.\n')
    mkdirSync(join(lead.dir, 'more'))
    writeFileSync(join(lead.dir, 'more/note.md'), '# Note\n\nNot committed.\n')
    const worker = other.start(['worker', '--label', 'clean', '--engine', redis().url])
    await worker.says('worker clean serves corpus')
    const [, ...rest] = words(redis().url)
    const done = await lead.run([
      'study',
      ...rest.filter((word) => word !== '--quiet'),
      '--worker-wait',
      '3s',
    ])
    expect(done.code).toBe(2)
    expect(done.err).toContain(
      `2 files differ from commit ${wanted.slice(0, 12)} (doc/lock.md, more/note.md)`,
    )
    expect(ready(worker)).toBe(1)
    const table = await lead.run(['worker', 'list', '--engine', redis().url])
    expect(table.out).toMatch(/^worker +host +process +slots +version +model +since +serves\n/)
    expect(table.out).toMatch(/^clean .* 0 of 1 .*\(2 files, commit/m)
  })

  test('a refusal and the status name the files that differ, without a repository too', async () => {
    const notes = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`note-${n}.md`, `# Note ${n}\n`]))
    const lead = park.machine({ ...corpus, ...notes })
    const changed = Object.fromEntries(Object.keys(notes).map((name) => [name, '# Another note\n']))
    const other = park.machine({ ...corpus, ...changed })
    const worker = other.start(['worker', '--label', 'far', '--engine', redis().url])
    await worker.says('worker far serves corpus')
    const done = await lead.run([...words(redis().url), '--worker-wait', '12s'])
    expect(done.code).toBe(2)
    const names = '7 files differ: note-1.md, note-2.md, note-3.md, note-4.md, note-5.md, …'
    expect(done.err).toContain(`far: ${names}; `)
    expect((await listOf(lead)).find(({ label }) => label === 'far')?.refused).toMatchObject([{ why: names }])

    const script = join(lead.dir, '..', 'slow.jsonl')
    const slow = { delay_ms: 600_000, text: 'x', claims: [] }
    writeFileSync(script, [1, 2].map((n) => `${JSON.stringify({ task: `t${n}`, ...slow })}\n`).join(''))
    const own = ['--engine', redis().url, '--workers', '2', '--model', `script:${script}`]
    const running = lead.start(['study', question, ...own])
    const status = async () => (await lead.run(['study', 'status', 'last'])).out.replaceAll(/\s+/g, ' ')
    await expect
      .poll(status, { timeout: 120_000, interval: 500 })
      .toContain(`serves other files (far: ${names}; `)
    running.process.kill('SIGINT')
    await running.ended
  })

  test('a worker that was killed leaves the list', async () => {
    const one = park.machine(corpus)
    const worker = one.start(['worker', '--label', 'gone', '--engine', redis().url])
    await worker.says('worker gone serves corpus')
    expect((await listOf(one)).map(({ label }) => label)).toContain('gone')
    worker.process.kill('SIGKILL')
    await expect
      .poll(async () => (await listOf(one)).map(({ label }) => label), { timeout: 120_000 })
      .not.toContain('gone')
  })
})

test('the workers of a study on this machine are listed while it runs', async () => {
  const at = park.machine(corpus)
  const script = join(at.dir, '..', 'script.jsonl')
  const slow = { delay_ms: 20_000, text: 'x', claims: [] }
  writeFileSync(script, `${[1, 2].map((n) => JSON.stringify({ task: `t${n}`, ...slow })).join('\n')}\n`)
  expect((await at.run(['worker', 'list', '--json'])).out.trim()).toBe('[]')
  const study = at.start(['study', question, '--model', `script:${script}`, '--workers', '9', '--json'])
  const list = async () => JSON.parse((await at.run(['worker', 'list', '--json'])).out) as WorkerRecord[]
  await expect.poll(async () => (await list()).map(({ busy }) => busy), { timeout: 120_000 }).toEqual([2])
  const [worker] = await list()
  expect(worker).toMatchObject({ slots: 5, root: at.dir, serves: [{ files: 2 }] })
  study.process.kill('SIGKILL')
  process.kill(worker?.pid ?? 0, 'SIGKILL')
  await expect.poll(list, { timeout: 120_000 }).toEqual([])
})
