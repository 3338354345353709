// Checks that are commands, and checks that are sentences.
import { describe, expect, it } from 'vitest'
import {
  adviseCommand,
  findScripts,
  isSentence,
  startsProgram,
} from '../../../internal/proof/check-command.ts'
import { scratchWith } from '../../support/scratch.ts'

describe('a goal', () => {
  it.each([
    ['node --test', false],
    ['node', false],
    ['test -e done', false],
    ['./check.sh', false],
    ['CI=1 node run.js', false],
    ['all tests pass', true],
    ['node works', true],
    ['everything is green', true],
    ['the build should succeed', true],
    ['Fix add', true],
  ])('%s is a sentence: %s', (text, sentence) => {
    expect(isSentence(text, scratchWith({}), { PATH: process.env.PATH })).toBe(sentence)
  })
})

it.each([
  ['node --test', true],
  ['node works', true],
  ['tiny-check', true],
  ['test passes', true],
  ['./missing.sh', true],
  ['all tests pass', false],
  [' Fix add', false],
])('%j starts a program: %s', (text, expected) => {
  const dir = scratchWith({ 'node_modules/.bin/tiny-check': '' })
  expect(startsProgram(text, dir, { PATH: process.env.PATH })).toBe(expected)
})

it('advises the scripts of the workspace, or an example', () => {
  expect(adviseCommand(scratchWith({ 'go.mod': 'module a\n' }))).toContain('Found here: go test ./...')
  expect(adviseCommand(scratchWith({}))).toContain('npm test')
})

it('lists scripts of every kind of project, the tests first', () => {
  const dir = scratchWith({
    'package.json': '{"scripts":{"lint":"x","test":"y","start":"z"}}',
    Makefile: 'all: check\ncheck:\n\ttrue\n',
    'pyproject.toml': '[tool.pytest.ini_options]\n',
    'go.mod': 'module a\n',
  })
  expect(findScripts(dir)).toEqual(['npm test', 'npm run lint', 'make check', 'pytest', 'go test ./...'])
  expect(findScripts(scratchWith({ 'package.json': '{' }))).toEqual([])
})
