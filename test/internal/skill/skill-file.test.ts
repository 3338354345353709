// One skill directory: the required contents of SKILL.md, and the files that count as bundled.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseSkill } from '../../../internal/skill/skill-set.ts'

let root: string
let dir: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'anode-skill-'))
  dir = join(root, 'tidy')
  mkdirSync(dir)
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (head: string, body = 'Do $INPUT.') =>
  writeFileSync(join(dir, 'SKILL.md'), `---\n${head}\n---\n${body}\n`)
const least = 'name: tidy\ndescription: Tidies up'

test('reads name, description, body, servers and files', async () => {
  write(
    `${least}\nmcp:\n  notes: {command: notes-server, args: [--stdio]}\n  far: {url: "https://example.org/mcp"}`,
  )
  mkdirSync(join(dir, 'a/b'), { recursive: true })
  mkdirSync(join(dir, 'node_modules'))
  for (const file of ['z.md', 'a/one.sh', 'a/b/two.txt', '.hidden', 'node_modules/x.js'])
    writeFileSync(join(dir, file), '')
  symlinkSync('/etc/passwd', join(dir, 'link'))
  expect(await parseSkill(dir, 'user')).toEqual({
    skill: {
      name: 'tidy',
      description: 'Tidies up',
      mcp: { notes: { command: 'notes-server', args: ['--stdio'] }, far: { url: 'https://example.org/mcp' } },
      body: 'Do $INPUT.',
      files: ['a/b/two.txt', 'a/one.sh', 'z.md'],
      origin: 'user',
      dir,
    },
    warnings: [],
  })
})

test('lists the first hundred files', async () => {
  write(least)
  for (let i = 100; i < 202; i++) writeFileSync(join(dir, `${i}.txt`), '')
  const files = (await parseSkill(dir, 'user'))?.skill.files
  expect(files).toHaveLength(100)
  expect(files?.at(-1)).toBe('199.txt')
})

test('returns no skill without SKILL.md', async () => {
  expect(await parseSkill(dir, 'user')).toBeUndefined()
})

test.each([
  ['description: x', 'name is missing'],
  ['name: other\ndescription: x', 'name is other, but the folder is tidy'],
  ['name: tidy', 'description is missing'],
  ['name: tidy\ndescription: "  "', 'description is missing'],
  [`${least}\nmcp: [a]`, 'mcp must map'],
  [`${least}\nmcp: {a: {args: []}}`, 'mcp must map'],
  ['name: [', 'not valid YAML'],
])('rejects %j', async (head, message) => {
  write(head)
  await expect(parseSkill(dir, 'user')).rejects.toThrow(message)
})

test('rejects an empty body and reports it with the other problems', async () => {
  write('description: x', '')
  await expect(parseSkill(dir, 'user')).rejects.toThrow('name is missing; the text below')
})

test('warns about keys that look mistyped, not about those of other programs', async () => {
  write(`${least}\nlicense: MIT\nallowed-tools: read\nmcps: {}\ndescriptoin: y`)
  const parsed = await parseSkill(dir, 'user')
  expect(parsed?.warnings.map(({ message }) => message)).toEqual([
    'unknown key mcps, did you mean mcp?',
    'unknown key descriptoin, did you mean description?',
  ])
})

test('a description becomes one line and is cut at 1024 characters', async () => {
  write(`name: tidy\ndescription: |\n  two\n  lines\n`)
  expect((await parseSkill(dir, 'user'))?.skill.description).toBe('two lines')
  write(`name: tidy\ndescription: ${'x'.repeat(1025)}`)
  const parsed = await parseSkill(dir, 'user')
  expect(parsed?.skill.description).toHaveLength(1024)
  expect(parsed?.warnings[0]?.message).toContain('was cut')
})
