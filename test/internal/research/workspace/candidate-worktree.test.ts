// Candidates in separate worktrees, without effect on the user's checkout and branch.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { files, lab, paired, refusal } from '../../../support/research.ts'
import { harvest, scratch } from '../../../support/scratch.ts'

// every case starts dozens of git processes, and other tests may be at work
vi.setConfig({ testTimeout: 120_000 })

const settings: SessionSettings = { ...paired, skipNullTest: true, scope: ['speed.txt', 'size.txt'] }
const two = {
  ...files,
  'size.txt': '10\n',
  '.auto/measure.sh': 'echo "METRIC ms=$(($(head -1 speed.txt) + $(cat size.txt)))"\n',
}

async function begun(at = lab(two)) {
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  return { at, research }
}

it('keeps on the branch of the session', { timeout: 60_000 }, async () => {
  const { at, research } = await begun()
  const before = [harvest(at.dir)['speed.txt'], at.git('rev-parse', 'main'), at.git('status', '--porcelain')]
  const made = await research.candidate('first try')
  expect(made.label).toBe('first-try')
  expect(harvest(made.path)['.auto/measure.sh']).toBe(two['.auto/measure.sh'])
  writeFileSync(join(made.path, 'speed.txt'), '50\n')
  const ran = await research.run({ candidate: made.path, description: 'half' })
  expect(ran).toMatchObject({
    status: 'keep',
    reason: 'deterministic',
    changed: ['speed.txt'],
    candidate: made.path,
  })
  const { commit, line } = await research.log({ status: 'keep' })
  expect(line).toMatchObject({ where: 'worktree', description: 'half' })
  expect(at.git('rev-parse', 'anode/try').trim()).toBe(commit)
  expect(at.git('log', '-1', '--format=%s', 'anode/try').trim()).toBe('half')
  expect([
    harvest(at.dir)['speed.txt'],
    at.git('rev-parse', 'main'),
    at.git('status', '--porcelain'),
  ]).toEqual(before)

  writeFileSync(join(made.path, 'speed.txt'), '60\n')
  expect(await research.run({ candidate: made.path })).toMatchObject({ status: 'discard', reason: 'worse' })
  expect(await refusal(research.drop(made.path))).toBe('run_pending')
  expect((await research.log({ status: 'discard' })).restored).toEqual(['speed.txt'])
  expect(harvest(made.path)['speed.txt']).toBe('50\n')
  await research.drop(made.path)
  expect(existsSync(made.path)).toBe(false)
  expect(at.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(at.git('for-each-ref', '--format=%(refname)', 'refs/anode').trim().split('\n')).toEqual([
    'refs/anode/try/2',
    'refs/anode/try/3',
    'refs/anode/try/baseline-0',
  ])
  expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
})

it('applies a later winner to the current best', { timeout: 60_000 }, async () => {
  const { at, research } = await begun()
  const [a, b, c] = [
    await research.candidate('a'),
    await research.candidate('b'),
    await research.candidate('c'),
  ]
  writeFileSync(join(a.path, 'speed.txt'), '50\n')
  writeFileSync(join(b.path, 'size.txt'), '1\n')
  writeFileSync(join(c.path, 'speed.txt'), '70\n')
  const [first, second] = await Promise.all([
    research.run({ candidate: a.path, parallel: true }),
    research.run({ candidate: b.path, parallel: true }),
  ])
  expect([first.metric, second.metric]).toEqual([60, 101])
  expect(await refusal(research.run({ candidate: c.path }))).toBe('run_pending')
  expect(await refusal(research.log({ status: 'discard' }))).toBe('bad_args')
  await research.log({ status: 'keep', run: first.run })
  // measured against a best that has been replaced since
  expect(await refusal(research.log({ status: 'keep', run: second.run }))).toBe('stale')
  expect(await research.rebase(b.path)).toBe('rebased')
  expect(harvest(b.path)).toMatchObject({ 'speed.txt': '50\n', 'size.txt': '1\n' })
  const again = await research.run({ candidate: b.path, parallel: true })
  expect(again).toMatchObject({ run: second.run, metric: 51, status: 'keep', changed: ['size.txt'] })
  await research.log({ status: 'keep', run: again.run })
  expect(await research.rebase(b.path)).toBe('current')
  expect(await research.rebase(c.path)).toBe('conflict')
  expect(harvest(c.path)['speed.txt']).toBe('70\n')
  expect(at.git('log', '--format=%s', 'main..anode/try').trim().split('\n')).toHaveLength(2)
  expect(at.git('show', 'anode/try:size.txt')).toBe('1\n')
  expect((await research.state()).active?.best?.value).toBe(51)
  expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
})

it('merges different lines of one file', { timeout: 60_000 }, async () => {
  const text = Array.from({ length: 20 }, (_, i) => `${i === 0 ? 100 : i}`).join('\n')
  const { research } = await begun(lab({ ...two, 'speed.txt': `${text}\n` }))
  const [a, b] = [await research.candidate('a'), await research.candidate('b')]
  writeFileSync(join(a.path, 'speed.txt'), `${text.replace('100', '50')}\n`)
  writeFileSync(join(b.path, 'speed.txt'), `${text}\nlast\n`)
  const { run } = await research.run({ candidate: a.path })
  await research.log({ status: 'keep', run })
  expect(await research.rebase(b.path)).toBe('rebased')
  expect(harvest(b.path)['speed.txt']).toBe(`${text.replace('100', '50')}\nlast\n`)
})

it('keeps a baseline of uncommitted work separate from its commits', { timeout: 60_000 }, async () => {
  const at = lab(two)
  at.put('mine.txt', 'not committed\n')
  at.put('README.md', 'changed\n')
  const { research } = await begun(at)
  const made = await research.candidate()
  expect(harvest(made.path)).toMatchObject({ 'mine.txt': 'not committed\n', 'README.md': 'changed\n' })
  writeFileSync(join(made.path, 'speed.txt'), '50\n')
  expect(await research.run({ candidate: made.path })).toMatchObject({
    status: 'keep',
    changed: ['speed.txt'],
  })
  await research.log({ status: 'keep' })
  expect(at.git('diff', '--name-only', 'main', 'anode/try').trim()).toBe('speed.txt')
})

it('empties a worktree and uses it again', { timeout: 60_000 }, async () => {
  const { at, research } = await begun()
  const first = await research.candidate('a')
  writeFileSync(join(first.path, 'speed.txt'), '50\n')
  expect((await research.run({ candidate: first.path })).status).toBe('keep')
  expect(await refusal(research.candidate('b', first.path))).toBe('run_pending')
  await research.log({ status: 'keep' })
  writeFileSync(join(first.path, 'left.txt'), 'over\n')
  const second = await research.candidate('b', first.path)
  expect(second.path).toBe(first.path)
  expect(second.tree).not.toBe(first.tree)
  expect(harvest(second.path)).toMatchObject({ 'speed.txt': '50\n' })
  expect(harvest(second.path)).not.toHaveProperty('left.txt')
  writeFileSync(join(second.path, 'speed.txt'), '40\n')
  expect(await research.run({ candidate: second.path })).toMatchObject({
    status: 'keep',
    changed: ['speed.txt'],
  })
  // the same number of bytes, right after they were read
  writeFileSync(join(second.path, 'speed.txt'), '30\n')
  expect(await refusal(research.log({ status: 'keep' }))).toBe('stale')
  await research.run({ candidate: second.path })
  await research.log({ status: 'keep' })
  expect(at.git('log', '--format=%s', 'main..anode/try').trim().split('\n')).toHaveLength(2)
  expect(at.git('show', 'anode/try:speed.txt')).toBe('30\n')
  expect(await research.verify()).toMatchObject({ ok: true, problems: [] })
})

it('measures only a whole worktree of this repository', { timeout: 60_000 }, async () => {
  const { at, research } = await begun(lab({ ...two, 'sub/deep/note.txt': 'a\n' }))
  const { path } = await research.candidate()
  writeFileSync(join(path, 'speed.txt'), '50\n')
  const bare = scratch()
  const top = `Name the whole worktree: ${path}`
  const other = 'not another worktree of this repository'
  for (const [candidate, words] of [
    [join(path, 'sub'), { hint: top }],
    [join(path, 'sub/deep'), { hint: top }],
    [at.dir, { message: `${other}: ${at.dir}` }],
    [join(at.dir, 'sub'), { message: `${other}: ${join(at.dir, 'sub')}` }],
    [join(path, 'none'), { message: `${other}: ${join(path, 'none')}` }],
    [bare, { message: `${other}: ${bare}` }],
  ] as const) {
    const rejection = { failure: { code: 'not_found', ...words } }
    await expect(research.run({ candidate })).rejects.toMatchObject(rejection)
    await expect(research.rebase(candidate)).rejects.toMatchObject(rejection)
  }
  expect(await research.run({ candidate: `${path}/sub/..` })).toMatchObject({ changed: ['speed.txt'] })
})

it('continues after a worktree has been removed by hand', { timeout: 60_000 }, async () => {
  const { research } = await begun()
  const made = await research.candidate()
  writeFileSync(join(made.path, 'speed.txt'), '200\n')
  await research.run({ candidate: made.path })
  rmSync(made.path, { recursive: true })
  await research.log({ status: 'discard' })
  expect((await research.candidate()).path).toBe(made.path)
})

it('removes leftovers of a dead process on resume, and keeps its work', { timeout: 60_000 }, async () => {
  const { at, research } = await begun()
  const [lost, open, own] = [
    await research.candidate('lost'),
    await research.candidate('open'),
    await research.candidate(),
  ]
  for (const { path } of [lost, open]) {
    writeFileSync(join(path, 'speed.txt'), '42\n')
    const note = join(at.git('-C', path, 'rev-parse', '--absolute-git-dir').trim(), 'anode-base')
    const [tree, mark = ''] = readFileSync(note, 'utf8').split('\n')
    writeFileSync(note, `${tree}\n${mark.replace(/^\d+/, '4194305')}\n`)
  }
  await research.run({ candidate: open.path })
  const { recovered, notes } = await research.resume()
  expect(recovered).toBe('nothing')
  expect([lost, open, own].map(({ path }) => existsSync(path))).toEqual([false, true, true])
  expect(notes).toHaveLength(1)
  const file = /kept in (.*)$/.exec(notes[0] ?? '')?.[1] ?? ''
  expect(readFileSync(file, 'utf8')).toContain('+42')
  await research.log({ status: 'discard' })
})
