// Instruction files: their selection, their order, and notes about rejected and truncated files.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InstructionSource } from '../../../internal/agent/instruction-includes.ts'
import { createNestedInstructions, readInstructions } from '../../../internal/agent/instructions.ts'
import { buildSystemPrompt } from '../../../internal/agent/system-prompt.ts'
import { ctxWith } from '../../support/ctx.ts'
import { git } from '../../support/repo.ts'
import { runnerIn } from '../process/scratch.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-agents-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const instructionsAt = (cwd: string, more: Partial<InstructionSource> = {}, workspace = root) => {
  const { policy } = ctxWith({}, { cwd: workspace })
  return readInstructions({ cwd, policy: { ...policy, roots: { ...policy.roots, workspace } }, ...more })
}

it('reads one file per directory, outermost first', async () => {
  put('AGENTS.md', 'root rules')
  put('CLAUDE.md', 'not this')
  put('a/CLAUDE.md', 'inner rules')
  put('a/b/x.txt', '')
  const { text, files } = await instructionsAt(join(root, 'a', 'b'))
  expect(files).toEqual(['AGENTS.md', 'a/CLAUDE.md'])
  expect(text).toBe('# AGENTS.md\n\nroot rules\n\n# a/CLAUDE.md\n\ninner rules')
})

it('includes files inside the workspace and no others', async () => {
  put('AGENTS.md', 'see\n@docs/style.md\n@/etc/hostname\n@gone.md')
  put('docs/style.md', 'two spaces')
  const { text, notes } = await instructionsAt(root)
  expect(text).toContain('see\ntwo spaces\n@/etc/hostname')
  expect(notes).toHaveLength(2)
})

it('skips generated directories', async () => {
  put('node_modules/p/AGENTS.md', 'theirs')
  expect((await instructionsAt(join(root, 'node_modules', 'p'))).files).toEqual([])
})

describe('an instruction file that is a link', () => {
  const outside = () => `${root}-outside.md`
  afterEach(() => rmSync(outside(), { force: true }))

  it.each([
    ['a file beside it', 'elsewhere.md', 'RULES'],
    ['a file below', 'docs/agents.md', 'RULES'],
    ['a chain of links', 'second.md', 'RULES'],
    ['another instruction file', 'CLAUDE.md', 'RULES'],
    ['a file outside of the repository', 'OUTSIDE', /leads out of the repository/],
    ['a secret', '.env', /needs approval/],
    ['a file that git ignores', 'ignored.md', /git ignores it/],
    ['nothing', 'gone.md', /leads nowhere/],
    ['itself', 'AGENTS.md', /leads nowhere/],
    ['a device', '/dev/zero', /leads out of the repository/],
    ['a pipe', 'pipe', /not a regular file/],
  ])('to %s', async (_, target, expected) => {
    git(root, 'init', '-q')
    for (const path of ['elsewhere.md', 'docs/agents.md', 'CLAUDE.md', 'ignored.md', '.env'])
      put(path, 'RULES')
    writeFileSync(outside(), 'RULES')
    put('.gitignore', 'ignored.md\n')
    symlinkSync('docs/agents.md', join(root, 'second.md'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    symlinkSync(target === 'OUTSIDE' ? outside() : target, join(root, 'AGENTS.md'))
    const { run } = runnerIn(join(root, 'data'))
    const { text, notes } = await instructionsAt(root, { run })
    if (typeof expected === 'string') {
      expect(text).toBe('# AGENTS.md\n\nRULES')
      expect(notes).toEqual([])
    } else {
      expect(text).toBe('')
      expect(notes).toEqual([expect.stringMatching(expected)])
      expect(notes[0]).toContain('AGENTS.md is skipped')
    }
  })
})

it('keeps the nearest of more than 8 files and names the ones that it skips', async () => {
  const dirs = Array.from({ length: 11 }, (_, i) => Array.from({ length: i }, (_, j) => `d${j}`).join('/'))
  for (const [i, dir] of dirs.entries()) put(join(dir, 'AGENTS.md'), `level ${i}`)
  const { files, text, notes } = await instructionsAt(join(root, dirs.at(-1) as string))
  expect(files).toHaveLength(8)
  expect(text).toMatch(/^# d0\/d1\/d2\/AGENTS\.md\n\nlevel 3\n/)
  expect(text).toContain('level 10')
  expect(notes.map((note) => note.split(' ')[0])).toEqual(['d0/d1/AGENTS.md', 'd0/AGENTS.md', 'AGENTS.md'])
})

describe('a path in a sentence', () => {
  it.each([
    ['See @docs/x.md for more.', true],
    ['- @docs/x.md', true],
    ['Read (@docs/x.md), then work.', true],
    ['**@docs/x.md**', true],
    ['Rules: @docs/x.md.', true],
    ['  @docs/x.md', true],
    ['`@docs/x.md`', false],
    ['``a ` @docs/x.md``', false],
    ['mail a@docs/x.md', false],
    ['see @docs/none.md', false],
    ['npm i @types/node', false],
    ['ask @docs', false],
  ])('%j', async (line, isIncluded) => {
    put('docs/x.md', 'INCLUDED')
    put('AGENTS.md', `${line}\nafter`)
    const { text, notes } = await instructionsAt(root)
    expect(text).toContain(line.trim())
    expect(text.includes('INCLUDED')).toBe(isIncluded)
    expect(notes).toEqual([])
  })

  it('includes a file that is mentioned twice once, and rejects a secret with a note', async () => {
    put('docs/x.md', 'INCLUDED')
    put('.env', 'SECRET')
    put('AGENTS.md', 'See @docs/x.md.\nAgain @docs/x.md, and @.env too.')
    const { text, notes } = await instructionsAt(root)
    expect(text.split('INCLUDED')).toHaveLength(2)
    expect(text).not.toContain('SECRET')
    expect(notes).toEqual([expect.stringMatching(/^@\.env is not included/)])
  })
})

describe('instructions of subdirectories', () => {
  it('are read once, when work reaches a file below them', async () => {
    git(root, 'init', '-q')
    put('AGENTS.md', 'top')
    put('pkg/AGENTS.md', 'pkg @note.md')
    put('pkg/note.md', 'NOTE')
    put('pkg/deep/er/AGENTS.md', 'deeper')
    put('other/AGENTS.md', 'other')
    put('node_modules/m/AGENTS.md', 'theirs')
    const { policy } = ctxWith({}, { cwd: root })
    const nested = createNestedInstructions({ cwd: root, policy })
    const reach = async (...files: string[]) =>
      await nested.read(new Set(files.map((file) => join(root, file))))
    expect((await reach('README.md')).files).toEqual([])
    const first = await reach('README.md', 'pkg/deep/er/x.ts')
    expect(first.files).toEqual(['pkg/AGENTS.md', 'pkg/deep/er/AGENTS.md'])
    expect(first.text).toContain('NOTE')
    expect((await reach('pkg/deep/er/y.ts', 'pkg/z.ts', 'node_modules/m/i.js')).files).toEqual([])
    expect((await reach('other/a/b.ts')).files).toEqual(['other/AGENTS.md'])
    expect((await nested.read(['/etc/hostname'])).files).toEqual([])
  })
})

it('truncates a long file and reports it', async () => {
  put('AGENTS.md', 'é'.repeat(40_000))
  const { text, notes } = await instructionsAt(root)
  expect(Buffer.byteLength(text)).toBeLessThan(33_000)
  expect(text).not.toContain('\uFFFD')
  expect(notes[0]).toContain('is cut')
})

it('skips files that are not text, with a note', async () => {
  writeFileSync(join(root, 'AGENTS.md'), Buffer.from([0x61, 0xff, 0xfe]))
  expect((await instructionsAt(root)).notes[0]).toContain('not read')
})

describe('an include', () => {
  it.each([
    '.env',
    'sub/.env.local',
    'id_rsa',
    '.npmrc',
    '.aws/credentials',
    '../NAME-private/notes.md',
    '../NAMEx.md',
    'link.md',
    'folder/notes.md',
    'pipe',
    'device',
    'sub',
    '~/.netrc',
    'ignored.md',
  ])('of %s takes nothing into the prompt', async (given) => {
    const name = basename(root)
    const beside = [`${root}-private`, `${root}x.md`]
    try {
      mkdirSync(`${root}-private`)
      writeFileSync(`${root}-private/notes.md`, 'SECRET')
      writeFileSync(`${root}x.md`, 'SECRET')
      for (const path of ['.env', 'sub/.env.local', 'id_rsa', '.npmrc', '.aws/credentials', 'ignored.md'])
        put(path, 'SECRET')
      put('.gitignore', 'ignored.md\n')
      symlinkSync(`${root}-private/notes.md`, join(root, 'link.md'))
      symlinkSync(`${root}-private`, join(root, 'folder'))
      symlinkSync('/dev/zero', join(root, 'device'))
      execFileSync('mkfifo', [join(root, 'pipe')])
      git(root, 'init', '-q')
      put('AGENTS.md', `before\n@${given.replace('NAME', name)}\nafter`)
      const { run } = runnerIn(join(root, 'data'))
      const { text, notes } = await instructionsAt(root, { run })
      expect(text).toMatch(/before\n@.*\nafter/)
      expect(text).not.toContain('SECRET')
      expect(notes).toEqual([expect.stringMatching(/^@.* is not included: /)])
    } finally {
      for (const path of beside) rmSync(path, { recursive: true, force: true })
    }
  })

  it.each([
    ['```\n@in.md\n```\n@in.md', '```\n@in.md\n```\nIN'],
    ['~~~~ sh\n@in.md\n~~~\n```\n@in.md\n~~~~\n@in.md', '~~~~ sh\n@in.md\n~~~\n```\n@in.md\n~~~~\nIN'],
    ['```a`b\n@in.md', '```a`b\nIN'],
    ['  ```\n@in.md', '  ```\n@in.md'],
    ['    ```\n@in.md', '    ```\nIN'],
  ])('inside of a code fence is an example: %j', async (said, shown) => {
    put('in.md', 'IN')
    put('AGENTS.md', said)
    expect((await instructionsAt(root)).text).toBe(`# AGENTS.md\n\n${shown.trim()}`)
  })
})

it('reads from the top of the repository when it is started below, and nothing beyond', async () => {
  put('AGENTS.md', 'beyond')
  put('repo/AGENTS.md', 'top\n@docs/a.md\n@.env\n@../AGENTS.md')
  put('repo/docs/a.md', 'A')
  put('repo/.env', 'SECRET')
  put('repo/sub/AGENTS.md', 'sub\n@../docs/a.md')
  put('repo/sub/deep/x.txt', '')
  git(join(root, 'repo'), 'init', '-q')
  const sub = join(root, 'repo', 'sub')
  const { files, text, notes } = await instructionsAt(join(sub, 'deep'), {}, sub)
  expect(files).toEqual(['../AGENTS.md', 'AGENTS.md'])
  expect(text).toBe('# ../AGENTS.md\n\ntop\nA\n@.env\n@../AGENTS.md\n\n# AGENTS.md\n\nsub\n@../docs/a.md')
  expect(notes).toHaveLength(3)
})

it('puts what changes last, so that the beginning of the prompt stays the same', async () => {
  const facts = { workspace: '/w', platform: 'linux', git: true }
  const prompt = (date: string) =>
    buildSystemPrompt({
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

it('writes out what a user cannot see, in the file itself and in files that it includes', async () => {
  put('AGENTS.md', 'Be kind.\u{e0072}\u{e006d} \u202eabc\n@more.md\n')
  put('more.md', 'Test\u200b first. \u{1f468}\u200d\u{1f469}\n')
  const { text, notes } = await instructionsAt(root)
  expect(text).toContain('Be kind.\\u{e0072}\\u{e006d} \\u{202e}abc')
  expect(text).toContain('Test\\u{200b} first. \u{1f468}\u200d\u{1f469}')
  expect(notes.map((note) => note.split(' (')[0])).toEqual([
    'hidden characters in AGENTS.md',
    'hidden characters in more.md',
  ])
})
