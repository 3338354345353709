// Notices to the user about workspace instructions that an agent does not get.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

it('lists skipped and truncated includes once each on standard error', async () => {
  writeFileSync(join(at.dir, '.env'), 'X=secret\n')
  writeFileSync(join(at.dir, 'long.md'), 'word '.repeat(4_000))
  writeFileSync(join(at.dir, 'AGENTS.md'), 'Be brief.\n@.env\n@../elsewhere.md\n@long.md\n')
  writeFileSync(join(at.dir, 'script.jsonl'), '{"text":"done"}\n')
  const { code, out, err } = await at.anode(['execute', 'go', '--model', 'script:script.jsonl'])
  expect(code).toBe(0)
  expect(out).toContain('done')
  for (const note of [
    '@.env is not included',
    '@../elsewhere.md is not included',
    '@long.md is cut to 8 KiB',
  ])
    expect(err.split(note), note).toHaveLength(2)
  expect(err + out).not.toContain('secret')
})
