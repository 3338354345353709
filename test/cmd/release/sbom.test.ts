// The list of all software in the package: what the build contains and what npm installs, and nothing else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/sources.ts'

interface Component {
  group?: string
  name: string
  version: string
  licenses?: unknown[]
  scope?: string
}
const { makeSbom } = await import(join(root, 'cmd', 'release', 'sbom.mjs'))

test('lists bundled and installed packages with their licenses, and no development packages', {
  timeout: 60_000,
}, () => {
  const { components } = makeSbom(root) as { components: Component[] }
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  expect(names).toEqual(
    expect.arrayContaining(['zod', 'yargs', 'chardet', '@vscode/ripgrep', '@photostructure/sqlite']),
  )
  for (const name of ['vitest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(name)
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
  expect(components.filter(({ scope }) => scope !== undefined)).toEqual([])
  const text = readFileSync(join(root, 'dist', 'third-party-licenses.txt'), 'utf8')
  expect(names.filter((name) => text.includes(`${name} `)).length).toBeGreaterThan(50)
})
