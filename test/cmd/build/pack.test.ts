// Packs of the built program. The loader reads them as Latin-1, so a letter outside of ASCII must be an escape.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import * as esbuild from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../../support/anode.ts'
import { root } from '../../support/sources.ts'

const { joinChunks } = (await import('../../../cmd/build/pack.mjs' as string)) as {
  joinChunks(of: typeof esbuild, chunks: ReadonlyMap<string, string>, paths: string[]): Promise<string>
}

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

/** Returns the exports of a chunk from a pack that was read as the loader reads it. */
async function loadPacked(code: string): Promise<Record<string, unknown>> {
  const pack = await joinChunks(esbuild, new Map([['chunk/a.js', code]]), ['chunk/a.js'])
  const module = { exports: {} as Record<string, () => Record<string, unknown>> }
  const run = new vm.Script(Buffer.from(pack).toString('latin1')).runInThisContext()
  run(module.exports, () => undefined, module, '', '')
  return module.exports['chunk/a.cjs']?.() ?? {}
}

test.each([
  ['/^…$/', '…'],
  ['/^\\…$/', '…'],
  ['/^\\\\…$/', '\\…'],
  ['/^[“”‘’]$/', '’'],
  ['/^[ぁ-ん]+$/', 'きく'],
  ['/^(?:وال|ال)/u', 'وال'],
  ['/^[😀😁]$/u', '😁'],
  ['new RegExp(String.raw`^[-•]é$`)', '•é'],
  ["new RegExp('^…$')", '…'],
])('a pack keeps the letters of %s', async (expression, text) => {
  const { isMatch } = await loadPacked(`export const isMatch = (text) => (${expression}).test(text)`)
  const matches = isMatch as (text: string) => boolean
  expect(matches(text)).toBe(true)
  // The bytes of the letters in UTF-8, which the loader would show the expression without the escapes.
  expect(matches(Buffer.from(text).toString('latin1'))).toBe(false)
})

test('the packs of the built program contain only ASCII', () => {
  const dist = join(root, 'dist')
  const packs = readdirSync(dist).filter((name) => /^pack-\d+\.js$/.test(name))
  expect(packs.length).toBeGreaterThan(1)
  const isAscii = (name: string) => readFileSync(join(dist, name)).every((byte) => byte < 0x80)
  expect(packs.filter((name) => !isAscii(name))).toEqual([])
})

test('a study finds its own quote of a long function, from which lines are left out', async () => {
  const steps = Array.from({ length: 60 }, (_, i) => `  steps.push(prepare('part ${i}', kettle))`)
  const limit = '  const boilLimit = 97 // degrees at which the kettle stops'
  const code = ['export function brewTea(kettle, steps) {', ...steps, limit, ...steps, '}', '']
  w.put('src/tea.js', code.join('\n'))
  const words = ['At how many degrees does the kettle stop?', '--model', 'builtin/extract', '--json']
  const { code: exit, out } = await w.anode(['study', ...words])
  const { claims, citation_accuracy } = JSON.parse(out) as {
    claims: { quote: string; state: string }[]
    citation_accuracy: number
  }
  expect(claims[0]?.quote).toContain('\n…\n')
  expect(claims.map(({ state }) => state)).not.toContain('not_found')
  expect({ exit, citation_accuracy }).toEqual({ exit: 0, citation_accuracy: 1 })
})
