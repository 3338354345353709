// The manual's tool and command pages equal what the registry and the command table generate.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verbs } from '../../cmd/anode/verbs.ts'
import { commandPages, toolIndex, toolPage, toolsetIndex, toolsetPage } from '../../cmd/build/manual.ts'
import { type ModelProvider, providers } from '../../internal/model/providers.ts'
import { describeNatives } from '../../internal/runtime/tools/tool-registry.ts'
import { describeToolsets } from '../../internal/service/calls/toolset-list.ts'
import { filesBelow, read, root } from '../support/sources.ts'

function compare(dir: string, pages: ReadonlyMap<string, string>) {
  const folder = join(root, 'manual', dir)
  mkdirSync(folder, { recursive: true })
  if (process.env.UPDATE) {
    for (const file of readdirSync(folder)) rmSync(join(folder, file))
    for (const [name, text] of pages) writeFileSync(join(folder, `${name}.md`), text)
  }
  const there = readdirSync(folder).map((file) => basename(file, '.md'))
  expect(there.sort()).toEqual([...pages.keys()].sort())
  for (const [name, text] of pages) expect(readFileSync(join(folder, `${name}.md`), 'utf8')).toBe(text)
}

describe('manual', () => {
  it('has a page for every tool', async () => {
    const tools = await describeNatives()
    compare(
      'tools',
      new Map([['index', toolIndex(tools)], ...tools.map((tool) => [tool.name, toolPage(tool)] as const)]),
    )
  })

  it('has a page for every toolset', async () => {
    const sets = await describeToolsets()
    const pages = sets.map((set) => [set.name, toolsetPage(set)] as const)
    compare('toolsets', new Map([['index', toolsetIndex(sets)], ...pages]))
  })

  it('has a page for every command', async () => {
    compare('commands', await commandPages())
  })

  it('has every provider with its keys and default model', () => {
    const page = read('manual/models.md')
    const row = ({ id, keys, model }: ModelProvider) =>
      `| ${id} | ${keys.join(', ') || 'none'} | ${model ? `\`${model}\`` : 'to be named'} |`
    expect(providers.map(row).filter((text) => !page.includes(text))).toEqual([])
  })

  it('lists every command on the page of commands', () => {
    const named = [...read('manual/commands.md').matchAll(/^\| \[anode ([a-z]+)\]\(commands\/\1\.md\)/gm)]
    expect(named.map(([, name]) => name).sort()).toEqual(Object.keys(verbs).sort())
  })

  it('has a line for every dependency', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
    const page = read('manual/dependencies.md')
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(names.filter((name) => !page.includes(`| ${name} |`))).toEqual([])
  })

  it('links only to files that exist', () => {
    // the corpus of the study example has dead links on purpose
    const pages = filesBelow('manual', '.md').filter((file) => !file.includes('/study/corpus/'))
    const broken = ['README.md', ...pages].flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map((match) => join(file, '..', match[1] as string))
        .filter((target) => {
          try {
            readdirSync(join(root, target))
            return false
          } catch (error) {
            return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
          }
        })
        .map((target) => `${file} -> ${target}`),
    )
    expect(broken).toEqual([])
  })
})
