// Notes about configuration files: `anode doctor` reports them as the configuration, and blames no tool.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../support/anode.ts'

const rows: readonly [name: string, files: Readonly<Record<string, string>>][] = [
  ['a misnamed file of the user', { '../.config/anode/config.jsonc': '{}' }],
  [
    'a misnamed file next to the right one',
    { '../.config/anode/config.json': '{}', '../.config/anode/config.jsonc': '{}' },
  ],
  ['a workspace that is not trusted', { 'anode.json': '{"ui": {"theme": "dark"}}' }],
]

test.each(rows)('%s', async (_, files) => {
  const at = world()
  onTestFinished(() => at.remove())
  for (const [path, text] of Object.entries(files)) {
    const file = join(at.dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { out } = await at.anode(['doctor', '--json'])
  const found = JSON.parse(out) as { what: string; state: string }[]
  expect(found.filter(({ what }) => what === 'tools')).toEqual([])
  const about = found.filter(({ what }) => what === 'configuration' || what === 'workspace')
  expect(about.length).toBeGreaterThan(0)
  expect(about.filter(({ state }) => state === 'broken')).toEqual([])
})
