// Carried paths as copies: a change in one checkout reaches neither the other checkout nor the user's files.
import { readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { carryInto } from '../../../../internal/research/measure/carried-paths.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { lab, noisyMeasure, paired } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'
import { quoteWord } from '../../../support/shell-word.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'src/prog.sh': 'bash deps/work.sh\n',
  '.gitignore': 'deps\n',
  '.auto/measure.sh': noisyMeasure,
}

const settings: SessionSettings = {
  ...paired,
  skipNullTest: true,
  ...(process.env.ANODE_FAULTS === undefined && { looks: [8] }),
  scope: ['src'],
  carry: ['deps'],
  minEffect: 0.05,
}

const tricks: [string, string][] = [
  ['writes into it', 'echo "echo 200" > deps/work.sh; echo 100'],
  ['writes into what it links to', 'echo "echo 200" > "$(readlink -f deps/work.sh)"; echo 100'],
  ['caches in it', 'test -e deps/cache && echo 50 || { touch deps/cache; echo 100; }'],
  ['replaces it', 'rm -rf deps; mkdir deps; echo "echo 1" > deps/work.sh; echo 100'],
]

it.each(
  sampleRows(
    tricks.flatMap(([what, trick]) =>
      (['auto', 'off'] as const).map((isolate) => ({ what, trick, isolate })),
    ),
    3,
  ),
)('gains nothing by a candidate that $what, isolate $isolate', async ({ trick, isolate }) => {
  const at = lab(files)
  at.put('deps/work.sh', 'echo 100\n')
  at.put('deps/deep/more', 'x')
  const before = harvest(join(at.dir, 'deps'))
  const research = await at.open()
  await research.init({ ...settings, isolate })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', `${trick}\n`)
  expect((await research.run()).status).not.toBe('keep')
  expect(harvest(join(at.dir, 'deps'))).toEqual(before)
})

it("detects a process that writes to the user's files", async () => {
  const at = lab(files)
  at.put('deps/work.sh', 'echo 100\n')
  const research = await at.open()
  await research.init({ ...settings, isolate: 'off' })
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', `echo "echo 200" > ${quoteWord(at.dir)}/deps/work.sh; echo 50\n`)
  expect(await research.run()).toMatchObject({
    status: 'crash',
    reason: 'lock_violation',
    detail: 'deps/work.sh',
  })
})

it.each(['auto', 'off'] as const)(
  'never compares two states of carried files, isolate %s',
  async (isolate) => {
    const at = lab(files)
    at.put('deps/work.sh', 'echo 100\n')
    // the user installs something else during the measurement
    const told: string[] = []
    const research = await at.open({
      tell(event) {
        told.push(event.kind)
        if (event.kind === 'sample' && event.phase === 'warm-up' && event.arm === 'cand')
          writeFileSync(join(at.dir, 'deps/work.sh'), 'echo 200\n')
      },
    })
    await research.init({ ...settings, isolate })
    await research.run()
    await research.log({ status: 'baseline' })
    at.put('src/prog.sh', 'bash deps/work.sh # another\n')
    expect(await research.run()).toMatchObject({
      status: 'crash',
      reason: 'lock_violation',
      detail: expect.stringMatching(/deps\/work\.sh$/),
    })
    expect(told).toContain('sample')
  },
)

it('copies links as links and restores lost files', async () => {
  const from = scratchWith({ 'deps/a': 'one', 'deps/b/c': 'two' })
  symlinkSync('a', join(from, 'deps', 'link'))
  const to = scratch()
  const carried = await carryInto(from, to, ['deps', 'none'])
  // a link itself is marked as executable
  expect(harvest(to)).toEqual({ 'deps/a': 'one', 'deps/b/c': 'two', 'deps/link x': 'one' })
  expect(readlinkSync(join(to, 'deps', 'link'))).toBe('a')
  writeFileSync(join(to, 'deps', 'link'), 'three')
  expect(readFileSync(join(from, 'deps', 'a'), 'utf8')).toBe('one')
  await carried.restore(['deps/a'], '')
  expect(readFileSync(join(to, 'deps', 'a'), 'utf8')).toBe('one')
  expect(carried.has('deps/b/c', '')).toBe(true)
  expect(carried.has('depsx', '')).toBe(false)
  expect(carried.changed()).toBe(undefined)
  writeFileSync(join(from, 'deps', 'a'), 'four')
  expect(carried.changed()).toBe('deps/a')
})
