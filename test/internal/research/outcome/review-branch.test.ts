import { expect, it } from 'vitest'
import { type Lab, lab, paired, refusal } from '../../../support/research.ts'

async function kept(at: Lab, ...speeds: number[]) {
  const research = await at.open()
  await research.init({ ...paired, scope: ['speed.txt'], skipNullTest: true })
  await research.run()
  await research.log({ status: 'baseline' })
  for (const speed of speeds) {
    at.put('speed.txt', `${speed}\n`)
    const { status } = await research.run()
    await research.log({ status, description: `speed ${speed}` })
  }
  return research
}

const timeout = 60_000

it('puts the kept commits on a branch without touching anything else', { timeout }, async () => {
  const at = lab()
  const head = at.git('rev-parse', 'HEAD').trim()
  const research = await kept(at, 90, 95, 80)
  const before = [
    at.git('rev-parse', 'HEAD'),
    at.git('status', '--porcelain'),
    at.git('branch', '--show-current'),
  ]
  expect(at.git('for-each-ref', 'refs/anode')).not.toBe('')
  const made = await research.finalize({ branch: 'faster' })
  expect(made).toMatchObject({ branch: 'faster', base: head, released: 1 })
  expect(made.commits.map(({ run, subject }) => [run, subject])).toEqual([
    [2, 'speed 90'],
    [4, 'speed 80'],
  ])
  expect(at.git('log', '--format=%s', `${head}..faster`).trim().split('\n')).toEqual(['speed 80', 'speed 90'])
  expect(at.git('log', '-1', '--format=%B', 'faster')).toMatch(/^Result: \{/m)
  expect(at.git('show', 'faster:speed.txt')).toBe('80\n')
  expect(at.git('diff', '--name-only', head, 'faster').trim()).toBe('speed.txt')
  expect(at.git('for-each-ref', '--format=%(refname)', 'refs/anode')).not.toMatch(/\/3$/m)
  expect([
    at.git('rev-parse', 'HEAD'),
    at.git('status', '--porcelain'),
    at.git('branch', '--show-current'),
  ]).toEqual(before)
  expect((await research.verify()).problems).toEqual([])
})

it('skips commits that a user made in between', { timeout }, async () => {
  const at = lab()
  const research = await kept(at, 90)
  at.put('README.md', 'read me again\n')
  at.git('commit', '-qam', 'mine')
  at.put('speed.txt', '80\n')
  await research.run()
  await research.log({ status: 'keep', description: 'speed 80' })
  const { branch, commits } = await research.finalize()
  expect(branch).toBe('anode/try-review')
  expect(commits).toHaveLength(2)
  expect(at.git('show', 'anode/try-review:README.md')).toBe('read me\n')
})

it('writes nothing on failure', { timeout }, async () => {
  const at = lab()
  const research = await kept(at)
  const refs = at.git('for-each-ref')
  expect(await refusal(research.finalize())).toBe('exit 1')
  expect(await refusal(research.finalize({ branch: 'main' }))).toBe('exit 1')
  expect(await refusal(research.finalize({ branch: 'a..b' }))).toBe('exit 2')
  expect(at.git('for-each-ref')).toBe(refs)
})

it('refuses names that git cannot use for a branch, and names that conflict', { timeout }, async () => {
  const at = lab()
  const research = await kept(at, 90)
  at.git('branch', 'anode')
  at.git('branch', 'deep/er')
  const refs = at.git('for-each-ref')
  for (const branch of ['-x', '--all', 'HEAD', '@{-1}', 'a..b', 'a b', '/a', 'a/', ''])
    expect(await refusal(research.finalize({ branch })), branch).toBe('exit 2')
  for (const branch of [undefined, 'anode/x', 'deep', 'deep/er', 'deep/er/still', 'main']) {
    const error = await research.finalize({ branch }).catch((thrown: unknown) => thrown)
    expect(error, branch).toMatchObject({ exit: 1, hint: 'Give another with --branch.' })
  }
  expect(at.git('for-each-ref')).toBe(refs)
  expect(await research.finalize({ branch: 'faster' })).toMatchObject({ branch: 'faster' })
})

it('merges a kept change over lines that are not committed', { timeout }, async () => {
  const at = lab()
  at.put('speed.txt', '99\n')
  const research = await kept(at, 90)
  expect(await refusal(research.finalize({ branch: 'faster' }))).toBe('nothing')
  expect(at.git('show', 'faster:speed.txt')).toBe('90\n')
})
