// The built-in skills: complete, and everything they name is there: tools, arguments, files, programs.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadBuiltinSkills } from '../../../internal/skill/skill-set.ts'
import { parseArguments } from '../../../internal/tool/parse.ts'
import { nativeTools } from '../../../internal/tools/index.ts'
import { contract } from '../../support/contract.ts'

const skills = await loadBuiltinSkills()
const names = skills.map(({ name }) => name)
const tools = new Set(contract.map(({ name }) => name))

/**
 * snake_case words in backticks that are neither tools nor skills: parameters, and names of other programs.
 */
const others = new Set('start_line timeout_ms word_match pull_request_target workflow_run'.split(' '))

test('the built-in skills are exactly those listed', () => {
  expect(names).toEqual(
    'browse_wiki bug_hunt code_review commit_message docs_writer full_output_enforcement incident repo_summary security_review simplify test_failure_analysis ui_consistency_review'.split(
      ' ',
    ),
  )
})

/** Calls written as `tool {"arg": …}` in a text. */
function callsIn(text: string): { tool: string; args: string }[] {
  return [...text.matchAll(/`([a-z_]+) (\{.*?\})`/g)].map(([, tool = '', args = '']) => ({ tool, args }))
}

describe.each(skills)('$name', ({ dir, description, body, files }) => {
  const texts = files
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(join(dir, file), 'utf8'))
  const all = [body, ...texts].join('\n')

  test('has 60 to 200 lines, uses its input, and says when to use it', () => {
    const lines = readFileSync(join(dir, 'SKILL.md'), 'utf8').split('\n').length
    expect(lines).toBeGreaterThanOrEqual(60)
    expect(lines).toBeLessThanOrEqual(200)
    expect(body).toContain('$INPUT')
    expect(description).toMatch(/Use |use /)
    expect(description.length).toBeLessThanOrEqual(300)
  })

  test('names only tools that exist', () => {
    const words = [...all.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, word = '']) => word)
    expect(words.filter((word) => !tools.has(word) && !names.includes(word) && !others.has(word))).toEqual([])
    expect(callsIn(all).filter(({ tool }) => !tools.has(tool))).toEqual([])
  })

  test('shows calls that these tools accept', async () => {
    for (const { tool, args } of callsIn(all)) {
      const value: unknown = JSON.parse(args)
      const native = await nativeTools[tool]?.()
      if (native)
        expect(parseArguments(native.input, value), `${tool} ${args}`).toMatchObject({ ok: true, notes: [] })
    }
  })

  test('names its files, and the files it names exist', () => {
    const own = [...all.matchAll(/`(?:bash |node )?((?:scripts\/)?[a-z0-9-]+\.(?:md|sh|mjs))(?: [^`]*)?`/g)]
    const named = new Set(own.map(([, file = '']) => file))
    named.delete('index.md')
    expect([...named].filter((file) => !files.includes(file))).toEqual([])
    expect(files.filter((file) => !named.has(file))).toEqual([])
  })

  test('has scripts that parse and may be run', () => {
    for (const file of files.filter((file) => file.startsWith('scripts/'))) {
      const path = join(dir, file)
      if (file.endsWith('.sh')) {
        execFileSync('bash', ['-n', path])
        accessSync(path, constants.X_OK)
      } else execFileSync(process.execPath, ['--check', path])
      expect(readFileSync(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env (bash|node)\n/)
    }
  })
})
