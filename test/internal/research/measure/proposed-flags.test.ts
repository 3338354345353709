// Flags that a workspace needs are proposed by its files, and the hint of a failure has them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { proposeFlags } from '../../../../internal/research/measure/proposed-flags.ts'
import { files, lab, paired } from '../../../support/research.ts'
import { scratch } from '../../../support/scratch.ts'

vi.setConfig({ testTimeout: 60_000 })

const rows = [
  ['go.mod', '--env GOMODCACHE', { env: ['GOMODCACHE'] }],
  ['Cargo.toml', '--env CARGO_HOME --env RUSTUP_HOME', { env: ['RUSTUP_HOME', 'CARGO_HOME'] }],
  ['.venv', '--carry .venv', { carry: ['.venv'] }],
  ['venv', '--carry venv', { carry: ['venv'] }],
  ['node_modules', '--carry node_modules', { carry: ['node_modules'] }],
] as const

test.each(rows)('%s proposes %s unless it is given', (name, flags, given) => {
  const dir = scratch()
  const none = { carry: [], env: [] }
  expect(proposeFlags(dir, none)).toEqual([])
  if (name.includes('.') && name !== '.venv') writeFileSync(join(dir, name), '')
  else mkdirSync(join(dir, name))
  expect(proposeFlags(dir, none)).toEqual([expect.stringContaining(`${flags}: `)])
  expect(proposeFlags(dir, { ...none, ...given })).toEqual([])
})

test.each(rows)(
  'init of a workspace with %s succeeds and proposes %s in one line',
  async (name, flags, given) => {
    const at = lab({ ...files, [name.includes('.') && name !== '.venv' ? name : `${name}/x`]: '' })
    const research = await at.open()
    const proposals = async (over: object) => {
      const { notes } = await research.init({ ...paired, skipNullTest: true, reset: true, ...over })
      return notes.filter((note) => note.includes('often need'))
    }
    expect(await proposals({})).toEqual([expect.stringContaining(`${flags}: `)])
    if ('carry' in given) expect(await proposals(given)).toEqual([])
  },
)

test('a failed start, build and check end with what is closed and the flags that open it', async () => {
  const at = lab({ ...files, 'go.mod': 'module example.org/x\n' })
  const research = await at.open()
  const failing = { ...paired, command: 'echo no modules >&2; exit 1' }
  await expect(research.init(failing)).rejects.toMatchObject({
    hint: expect.stringMatching(/^\[sandbox: .*--env GOMODCACHE.*\]$/),
  })
  for (const over of [{ build: 'exit 3' }, { checks: 'exit 3' }]) {
    await research.init({
      ...paired,
      ...over,
      name: `x-${Object.keys(over)[0]}`,
      skipNullTest: true,
      reset: true,
    })
    const { notes } = await research.run()
    expect(notes.join('\n')).toMatch(/\[sandbox: .*--env GOMODCACHE.*\]/)
    await research.log({ status: 'crash' })
  }
})
