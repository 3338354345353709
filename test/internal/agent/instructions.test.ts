// Which instruction files count, in which order, and what is refused or cut with a note.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
      skills: [{ name: 's' }],
      facts: { ...facts, date },
    })
  const [one, two] = [prompt('2026-01-01'), prompt('2026-01-02')]
  let same = 0
  while (one[same] === two[same]) same++
  expect(one.length - same).toBeLessThan(5)
})

describe('toolSpecs', () => {
  const long = 'Says more. '.repeat(60)
  const properties = {
    n: { type: 'integer', 'x-cap': 5, minimum: 1, default: 3, description: 'how many' },
    // a parameter may bear the name of a keyword
    pattern: { type: 'string', description: 'what to find' },
    list: { type: 'object', properties: { default: { type: 'string' } } },
    seldom: { type: 'string', 'x-rare': true },
  }
  const schema = { type: 'object', properties, required: ['pattern'], additionalProperties: false }
  const tool = { name: 't', summary: '', level: 'auto_read', example: {}, spawns: false } as const
  const specOf = (origin: string, about: string, its: object = schema) =>
    toolSpecs([{ ...tool, origin, about, schema: its as Record<string, unknown> }])[0]

  it('tells the shape of our own tools, and prose only as far as there is room', () => {
    expect(specOf('native', `Does it.\n\n${long}`)).toEqual({
      name: 't',
      description: 'Does it. Says more.',
      schema: {
        type: 'object',
        properties: {
          n: { type: 'integer' },
          pattern: { type: 'string' },
          list: { type: 'object', properties: { default: { type: 'string' } } },
        },
        required: ['pattern'],
      },
    })
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { type: 'string' }]))
    expect(specOf('native', `Does it.\n\n${long}`, { type: 'object', properties: wide })?.description).toBe(
      'Does it.',
    )
  })

  it('tells tools of others whole, without our own keys', () => {
    const spec = specOf('toolbox', `Does it.\n\n${long}`)
    expect(spec?.description).toBe(`Does it.\n\n${long}`)
    expect(JSON.stringify(spec)).not.toContain('x-cap')
    expect(JSON.stringify(spec)).toContain('"minimum":1,"default":3,"description":"how many"')
  })
})
