// Which instruction files count, in which order, and what is refused or cut with a note.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readInstructions } from '../../../internal/agent/instructions.ts'
import { systemPrompt, toolSpecs } from '../../../internal/agent/prompt.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-agents-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

it('reads one file per directory, outermost first', () => {
  put('AGENTS.md', 'root rules')
  put('CLAUDE.md', 'not this')
  put('a/CLAUDE.md', 'inner rules')
  put('a/b/x.txt', '')
  const { text, files } = readInstructions(root, join(root, 'a', 'b'))
  expect(files).toEqual(['AGENTS.md', 'a/CLAUDE.md'])
  expect(text).toBe('# AGENTS.md\n\nroot rules\n\n# a/CLAUDE.md\n\ninner rules')
})

it('includes files inside the workspace and no others', () => {
  put('AGENTS.md', 'see\n@docs/style.md\n@/etc/hostname\n@gone.md')
  put('docs/style.md', 'two spaces')
  const { text, notes } = readInstructions(root, root)
  expect(text).toContain('see\ntwo spaces\n@/etc/hostname')
  expect(notes).toHaveLength(2)
})

it('does not follow links, and leaves generated directories out', () => {
  put('elsewhere.md', 'secret')
  symlinkSync(join(root, 'elsewhere.md'), join(root, 'AGENTS.md'))
  put('node_modules/p/AGENTS.md', 'theirs')
  expect(readInstructions(root, join(root, 'node_modules', 'p')).files).toEqual([])
})

it('cuts what is too long and says so', () => {
  put('AGENTS.md', 'é'.repeat(40_000))
  const { text, notes } = readInstructions(root, root)
  expect(Buffer.byteLength(text)).toBeLessThan(33_000)
  expect(text).not.toContain('\uFFFD')
  expect(notes[0]).toContain('is cut')
})

it('passes over what is no text, with a note', () => {
  writeFileSync(join(root, 'AGENTS.md'), Buffer.from([0x61, 0xff, 0xfe]))
  expect(readInstructions(root, root).notes[0]).toContain('not read')
})

it('puts what changes last, so that the beginning of the prompt stays the same', () => {
  const facts = { workspace: '/w', platform: 'linux', git: true }
  const prompt = (date: string) =>
    systemPrompt({
      profile: 'P',
      instructions: 'I',
      skills: [{ name: 's', description: 'd' }],
      facts: { ...facts, date },
    })
  const [one, two] = [prompt('2026-01-01'), prompt('2026-01-02')]
  let same = 0
  while (one[same] === two[same]) same++
  expect(one.length - same).toBeLessThan(5)
})

it('tells providers nothing of our own keys', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', 'x-cap': 5 } } }
  const [spec] = toolSpecs([
    {
      name: 't',
      about: 'a',
      level: 'auto_read',
      origin: 'native',
      summary: '',
      schema,
      example: {},
      spawns: false,
    },
  ])
  expect(JSON.stringify(spec)).not.toContain('x-cap')
})
