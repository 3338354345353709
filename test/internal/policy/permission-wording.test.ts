// Sentences about permissions for users who have not read the manual.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide } from '../../../internal/policy/decide.ts'
import { type Level, levels, type Mode, modes } from '../../../internal/policy/level.ts'
import {
  causes,
  describeAction,
  describeDecision,
  describeFolder,
  describeLevel,
  explainCall,
} from '../../../internal/policy/permission-wording.ts'
import type { DecisionCause, Policy, PolicyCall } from '../../../internal/policy/policy.ts'
import { git } from '../../support/repo.ts'
import { ask, bash, deny, file, folder, policyOf, remove } from './policies.ts'

test('describes every level in every mode without names from the code', () => {
  for (const level of levels) {
    for (const mode of modes) {
      const text = describeLevel(level, policyOf('/ws', { mode }))
      expect(text).not.toMatch(/level|_/)
      expect(text).toContain(`mode ${mode}`)
      expect(text.startsWith(describeAction(level))).toBe(true)
    }
  }
})

test.each([
  ['confirm_write', 'ask', 'writes a file; mode ask asks for every write'],
  [
    'confirm_write',
    'auto',
    'writes a file; mode auto asks for writes other than edits of ordinary files in the workspace',
  ],
  ['confirm_execute', 'ask', 'runs a command; mode ask asks for every command'],
  ['confirm_execute', 'edits', 'runs a command; mode edits asks for every command'],
  [
    'confirm_execute',
    'auto',
    'runs a command; mode auto asks for commands not known to only read, test or build',
  ],
  ['confirm_execute', 'unrestricted', 'runs a command; mode unrestricted allows that'],
] as const)('%s in mode %s', (level, mode, text) => {
  expect(describeLevel(level, policyOf('/ws', { mode }))).toBe(text)
})

test('describes presets, calls and directories', () => {
  const strict = policyOf('/ws', { preset: 'strict' })
  expect(describeLevel('delegated', strict)).toMatch(/; preset strict denies that unless a rule allows it$/)
  const call = { tool: 'edit_file', level: 'confirm_write', args: {}, scope: [] } as const
  expect(explainCall(call, policyOf('/ws'))).toBe('edit_file writes a file; mode ask asks for every write')
  expect([describeFolder('.'), describeFolder('a/b')]).toEqual(['the workspace folder', 'the folder a/b'])
})

let ws = ''
beforeAll(() => {
  ws = folder('src', 'vendor')
  for (const name of ['a.txt', '.env', 'package.json']) writeFileSync(join(ws, name), '{}\n')
  git(ws, 'init', '-q')
})
afterAll(() => remove(ws))

interface Facts {
  sandboxed?: boolean
  unconfined?: boolean
  unsearched?: boolean
}

async function header(call: PolicyCall, more: Partial<Policy>, facts: Facts = {}): Promise<string> {
  const policy = policyOf(ws, more)
  const resolved = await resolveFacts(call, policy, ws)
  const decision = decide({ ...resolved, ...facts }, policy)
  return `${decision.action}: ${decision.reasons[0]?.text}`
}

/** Lines by what they do: the cause in a sandbox, where mode auto lets the sandbox answer for the rest. */
const lines: Readonly<Partial<Record<DecisionCause, readonly string[]>>> = {
  network: [
    'git push',
    'git fetch origin',
    'git pull',
    'git clone u',
    'git ls-remote',
    'git submodule update',
  ],
  history: ['git commit -m x', 'git stash', 'git checkout -b x', 'git reset --hard', 'hg commit', 'jj new'],
  publishing: ['npm publish', 'cargo publish', 'twine upload dist/x', 'docker push x', 'gem push x'],
  deletion: ['rm -rf src', 'find . -name x -delete', 'shred a.txt', 'rsync --delete src/ vendor/'],
}
const connecting = [
  'curl http://x.example',
  'wget http://x.example',
  'ssh host',
  'npm install x',
  'pip install x',
]
const contained = [...connecting, 'unknown-program x', 'make', 'node x.js', 'rm a.txt', 'eval "$x"']

describe.each(Object.entries(lines))('%s', (cause, some) => {
  test.each(some)('the first line names this cause in each mode: %s', async (line) => {
    const phrase = causes[cause as DecisionCause]
    expect(await header(bash(line), { mode: 'auto' }, { sandboxed: true })).toBe(
      `ask: runs a command; mode auto asks for ${phrase}`,
    )
    for (const mode of ['ask', 'edits'] as const)
      for (const sandboxed of [true, false])
        expect(await header(bash(line), { mode }, { sandboxed })).toBe(
          `ask: runs a command; mode ${mode} asks for every command`,
        )
    expect(await header(bash(line), { mode: 'unrestricted' })).toBe(
      'allow: runs a command; mode unrestricted allows that',
    )
  })
})

test.each(contained)('the sandbox contains %s', async (line) => {
  expect(await header(bash(line), { mode: 'auto' }, { sandboxed: true })).toBe(
    'allow: runs a command; mode auto allows commands that the sandbox contains',
  )
  expect(await header(bash(line), { mode: 'auto' }, { sandboxed: true, unsearched: true })).toBe(
    `ask: runs a command; mode auto asks for ${causes.unsearched}`,
  )
})

test.each([...connecting, ...(lines.network ?? [])])(
  'without a sandbox, %s needs approval because of the network',
  async (line) => {
    expect(await header(bash(line), { mode: 'auto', trusted: true })).toBe(
      `ask: runs a command; mode auto asks for ${causes.network}`,
    )
  },
)

test('names every other cause without a sandbox', async () => {
  const auto = (line: string, more: Partial<Policy> = {}, facts: Facts = {}) =>
    header(bash(line), { mode: 'auto', trusted: true, ...more }, facts)
  const asksFor = (what: string) => `ask: runs a command; mode auto asks for ${what}`
  expect(await auto('unknown-program x')).toBe(asksFor('commands not known to only read, test or build'))
  expect(await auto('npm test', { trusted: false })).toBe(asksFor(causes.untrusted))
  expect(await auto('npm test', {}, { unconfined: true })).toBe(asksFor(causes.unconfined))
  expect(await auto('cat .env')).toBe(asksFor(causes.secret))
  expect(await auto('eval "$x"')).toBe(asksFor(causes.unread))
  const both = await auto('git push; unknown-program x', {}, { sandboxed: true })
  expect(both).toBe(asksFor(causes.network))
  const three = 'git push; git commit -m x; npm publish'
  expect(await auto(three, {}, { sandboxed: true })).toBe(
    asksFor(`${causes.network}, ${causes.history} and ${causes.publishing}`),
  )
})

const commandModes = modes.filter((mode) => mode !== 'unrestricted')

test.each(commandModes)('names granted directories and hosts, rules and files in mode %s', async (mode) => {
  const rules = [{ tool: 'bash', action: 'allow', command: 'make' } as const]
  const host: PolicyCall = {
    ...bash('make'),
    scope: [...bash('make').scope, { kind: 'host', host: 'x.example' }],
  }
  expect(await header(host, { mode, rules }, { sandboxed: true })).toBe(
    `ask: runs a command; mode ${mode} asks for ${causes.network}`,
  )
  const rule = await header(bash('ls'), { mode, rules: [deny('ls')] })
  expect(rule).toBe('deny: runs a command; a rule denies this call')
  const one = [{ tool: 'read', path: 'a.txt', action: 'ask' } as const]
  expect(await header(file('read', 'auto_read', 'a.txt'), { mode, rules: one })).toMatch(
    /^ask: .*; a rule asks for approval$/,
  )
  expect(await header(bash('make'), { mode, rules })).toMatch(/^allow: .*; a rule allows this call$/)
  expect(await header(file('read', 'auto_read', '.env'), { mode })).toMatch(
    new RegExp(`^ask: .*; mode ${mode} asks for ${causes.secret}$`),
  )
  expect(await header(file('read', 'auto_read', '/etc/passwd'), { mode })).toMatch(
    new RegExp(`^deny: .*; ${causes.outside} are denied$`),
  )
})

test('names a rule that asks, unless the mode asks for every command', async () => {
  const rules = [ask('ls')]
  expect(await header(bash('ls'), { mode: 'ask', rules })).toContain('mode ask asks for every command')
  expect(await header(bash('ls'), { mode: 'unrestricted', rules })).toContain('a rule asks for approval')
})

test.each(modes)('names a read-only profile and an unfinished plan in mode %s', async (mode) => {
  const readOnly = { mode, readOnly: true, profile: 'review' }
  expect(await header(bash('make'), readOnly)).toBe('deny: runs a command; the profile review only reads')
  const write = file('create_file', 'confirm_write', 'a.txt')
  expect(await header(write, readOnly)).toBe('deny: writes a file; the profile review only reads')
  const planning = '/elsewhere/plan.md'
  expect(await header(write, { mode, planning })).toBe(
    'deny: writes a file; only reading is allowed while a plan is made',
  )
  expect(await header(bash('make'), { mode, planning })).toBe(
    'deny: runs a command; only reading is allowed while a plan is made',
  )
})

const everyCause = Object.keys(causes) as DecisionCause[]
const table = levels.flatMap((level) =>
  modes.flatMap((mode) => everyCause.map((cause): [Level, Mode, DecisionCause] => [level, mode, cause])),
)
test(`every level, mode and cause: ${table.length} first lines name the cause`, () => {
  for (const [level, mode, cause] of table) {
    const by = cause === 'rule' ? 'rule' : 'path'
    const reason = { action: 'ask', by, text: '', cause } as const
    const text = describeDecision({ level }, policyOf('/ws', { mode }), 'ask', [reason])
    if (cause === 'rule') expect(text).toContain('a rule asks for approval')
    else expect(text).toContain(`mode ${mode} asks for ${causes[cause]}`)
    expect(text).not.toContain('not known to only read')
  }
})

const deeds = [
  'uses a tool of the MCP server s',
  'uses a tool of the plugin p',
  'runs a program of a toolbox',
]
const foreign = levels.flatMap((level) =>
  modes.flatMap((mode) =>
    deeds.flatMap((does) =>
      [true, false].flatMap((readOnly) =>
        (['none', 'ask', 'deny', 'allow'] as const).map((rule) => ({ level, mode, does, readOnly, rule })),
      ),
    ),
  ),
)
test(`a tool with a description of its effect: ${foreign.length} decisions show the description, not the level`, async () => {
  for (const { level, mode, does, readOnly, rule } of foreign) {
    const call: PolicyCall = { tool: 'x__t', level, args: {}, scope: [], does }
    const rules = rule === 'none' ? [] : [{ tool: 'x__t', action: rule }]
    const policy = policyOf(ws, { mode, readOnly, rules })
    const { reasons } = decide(await resolveFacts(call, policy, ws), policy)
    const texts = reasons.map(({ text }) => text).join('\n')
    expect(reasons[0]?.text.startsWith(`${does}; `), texts).toBe(true)
    expect(texts).not.toMatch(/runs a command|writes a file|not known to only read|every command/)
  }
})
