// Which kinds of files a workspace has, and that every server that is found by itself can be installed.
import { expect, it } from 'vitest'
import { knownServers } from '../../../../internal/lsp/config/known-servers.ts'
import { countFileKinds, installCommand } from '../../../../internal/service/doctor/language-need.ts'
import { scratchWith } from '../../../support/scratch.ts'

it('counts extensions and names, without hidden, foreign and generated directories', () => {
  const dir = scratchWith({
    'a.ts': '',
    'src/b.ts': '',
    'src/c.d.ts': '',
    'go.mod': '',
    Makefile: '',
    '.hidden/d.ts': '',
    'node_modules/m/e.ts': '',
    'x/vendor/f.go': '',
    'target/g.rs': '',
  })
  const counts = countFileKinds(dir)
  expect(counts.get('.ts')).toBe(3)
  expect(counts.get('go.mod')).toBe(1)
  expect([counts.get('.go'), counts.get('.rs')]).toEqual([undefined, undefined])
  expect(countFileKinds(`${dir}/gone`)).toEqual(new Map())
})

it('ends in a workspace of more files than it counts', () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`d${i % 7}/f${i}.py`, '']))
  expect(countFileKinds(scratchWith(files)).get('.py')).toBe(300)
})

it.each(knownServers.map(({ name }) => name))('%s has a command that installs it', (name) => {
  expect(installCommand(name)).toMatch(/^\S+ .*\S$/)
})
