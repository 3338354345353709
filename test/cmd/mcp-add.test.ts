// `anode mcp add` and `remove`: the written entries, and rejected changes that leave the files unchanged.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { grantTrust } from '../../internal/trust/trust.ts'
import { type World, world } from '../support/anode.ts'
import { fake } from '../support/mcp.ts'
import { sampleRows } from '../support/sample.ts'

let at: World
let own: string
beforeEach(() => {
  at = world()
  own = join(at.dir, '..', '.config', 'anode', 'mcp.json')
})
afterEach(() => at.remove())

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: object }
const start = fake('none')
const command = [start.command ?? '', ...(start.args ?? [])]

test('a program: written for this user alone, listed, started only when it is asked', async () => {
  const done = await at.anode(['mcp', 'add', 'mem', '--env', 'LEVEL=a=b', '--', ...command, '--flag', '-x'])
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^mem is added to .*mcp\.json\nNext: anode mcp tools mem starts it/)
  expect(read(own).mcpServers).toEqual({
    mem: { command: start.command, args: [...(start.args ?? []), '--flag', '-x'], env: { LEVEL: 'a=b' } },
  })
  expect(statSync(own).mode & 0o777).toBe(0o600)
  const listed = JSON.parse((await at.anode(['mcp', 'list', '--json'])).out)
  expect(listed).toMatchObject([{ name: 'mem', origin: 'user', state: 'unknown' }])
  expect((await at.anode(['mcp', 'tools', 'mem'])).out).toContain('mcp__mem__echo')
})

test('a server over HTTP, with headers in both spellings', async () => {
  const words = ['--url', 'https://t.example/mcp', '--header', 'X-Team=core', '--header', 'X-Name: a b=c']
  expect((await at.anode(['mcp', 'add', 'tracker', ...words])).code).toBe(0)
  expect(read(own).mcpServers).toEqual({
    tracker: { url: 'https://t.example/mcp', headers: { 'X-Team': 'core', 'X-Name': 'a b=c' } },
  })
})

test('comments, order and other servers stay; removing puts the file back to the letter', async () => {
  mkdirSync(join(own, '..'), { recursive: true })
  const text =
    '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "a" } // first\n  },\n  "other": 1\n}\n'
  writeFileSync(own, text)
  expect((await at.anode(['mcp', 'add', 'b', '--', 'sh', '-c', 'x'])).code).toBe(0)
  const after = readFileSync(own, 'utf8')
  for (const part of ['// mine', '// first', '"other": 1', '"b"']) expect(after).toContain(part)
  const gone = await at.anode(['mcp', 'remove', 'b', '--yes'])
  expect(gone.out).toMatch(/^b is removed from /)
  expect(readFileSync(own, 'utf8').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
})

describe('rejects the change, and leaves the file unchanged', () => {
  const text = '{ "mcpServers": { "git hub": { "command": "a" } } }\n'
  test.each(
    sampleRows(
      [
        [['x'], /is missing/],
        [['x', '--url', 'https://a.example', '--', 'sh'], /not both/],
        [['x', '--url', 'gopher://a.example'], /not an http or https address/],
        [['x', '--url', 'nonsense'], /not an http or https address/],
        [['x', '--header', 'A=b', '--', 'sh'], /--header is for a server with --url/],
        [['x', '--url', 'https://a.example', '--env', 'A=b'], /--env is for a program/],
        [['x', '--env', 'novalue', '--', 'sh'], /--env must be K=V, got novalue/],
        [['x', '--env', '1A=b', '--', 'sh'], /must be K=V/],
        [['x', '--url', 'https://a.example', '--header', 'A b'], /must be K=V/],
        [['git hub', '--', 'sh'], /git hub already, in .*mcp\.json/],
        [['git_hub', '--', 'sh'], /git hub already/],
        [['___', '--', 'sh'], /invalid server name/],
        [['a/b', '--', 'sh'], /invalid server name/],
        [['x\u001b[2J', '--', 'sh'], /invalid server name/],
        [['x', '--scope', 'global', '--', 'sh'], /--scope must be one of user, workspace/],
        [['x', 'npx', '-y', 'p'], /unknown flag/],
      ],
      3,
    ),
  )('%j', async (words, why) => {
    mkdirSync(join(own, '..'), { recursive: true })
    writeFileSync(own, text)
    const done = await at.anode(['mcp', 'add', ...words])
    expect(done.code).toBe(2)
    expect(done.err).toMatch(why)
    expect(readFileSync(own, 'utf8')).toBe(text)
  })

  test.each(sampleRows(['{ "mcpServers": ', '{ "mcpServers": [] }', '[1]', '3', 'null', ''], 3))(
    'broken before: %j',
    async (broken) => {
      mkdirSync(join(own, '..'), { recursive: true })
      writeFileSync(own, broken)
      const done = await at.anode(['mcp', 'add', 'x', '--', 'sh'])
      expect(done.code).toBe(2)
      expect(done.err).toMatch(/has errors already/)
      expect(readFileSync(own, 'utf8')).toBe(broken)
    },
  )

  test('by a command of an agent', async () => {
    const done = await at.anode(['mcp', 'add', 'x', '--', 'sh'], { env: { ANODE_RUN: 'x' } })
    expect(done.code).toBe(4)
    expect(done.err).toContain('only a user may decide this')
    expect(existsSync(own)).toBe(false)
  })
})

describe('notes', () => {
  test('what is not there at this moment is said and does not hinder', async () => {
    const lost = await at.anode(['mcp', 'add', 'a', '--', 'nonesuch-program'])
    expect(lost).toMatchObject({ code: 0, err: 'note: no program nonesuch-program is to be found yet\n' })
    const unset = await at.anode([
      'mcp',
      'add',
      'b',
      '--url',
      'https://a.example',
      '--header',
      `A=\${NOT_SET}`,
    ])
    expect(unset.code).toBe(0)
    expect(unset.err).toMatch(/NOT_SET is not set/)
  })

  test.each([
    ['Authorization=Bearer abc', true],
    ['X-Api-Key=abc', true],
    [`X-Api-Key=\${HOME}`, false],
    ['X-Team=core', false],
  ])('a secret as it is: %s', async (header, warns) => {
    const done = await at.anode(['mcp', 'add', 'a', '--url', 'https://a.example', '--header', header])
    expect(done.err.includes('is stored as plain text')).toBe(warns)
  })
})

describe('of a workspace', () => {
  const shared = () => join(at.dir, '.mcp.json')

  test('a server counts after trust, and a change takes trust back', async () => {
    const done = await at.anode(['mcp', 'add', 'its', '--scope', 'workspace', '--', ...command])
    expect(done.out).toMatch(/Next: anode trust, then anode mcp tools its/)
    expect(read(shared()).mcpServers).toHaveProperty('its')
    expect((await at.anode(['mcp', 'list', '--json'])).out).toBe('[]\n')
    await grantTrust(at.dir, at.data)
    expect((await at.anode(['mcp', 'list'])).out).toMatch(/its +workspace/)
    expect((await at.anode(['mcp', 'add', 'more', '--scope', 'workspace', '--', ...command])).code).toBe(0)
    expect((await at.anode(['mcp', 'list', '--json'])).out).toBe('[]\n')
    // also one that does not count can be taken out
    expect((await at.anode(['mcp', 'remove', 'its', '--yes'])).code).toBe(0)
    expect(Object.keys(read(shared()).mcpServers)).toEqual(['more'])
  })

  test('a name of the user cannot be used twice', async () => {
    await at.anode(['mcp', 'add', 'one', '--', ...command])
    const done = await at.anode(['mcp', 'add', 'one', '--scope', 'workspace', '--', ...command])
    expect(done.err).toMatch(/one already/)
    expect(existsSync(shared())).toBe(false)
  })

  test('a link is not written through', async () => {
    at.put('../outside.json', '{}\n')
    symlinkSync(join(at.dir, '..', 'outside.json'), shared())
    const done = await at.anode(['mcp', 'add', 'x', '--scope', 'workspace', '--', 'sh'])
    expect(done).toMatchObject({ code: 2 })
    expect(readFileSync(join(at.dir, '..', 'outside.json'), 'utf8')).toBe('{}\n')
  })
})

test('remove finds the server in config.json too, names the nearest, and forgets what was kept', async () => {
  at.put('../.config/anode/config.json', '{\n  // keep\n  "mcpServers": { "conf": { "command": "sh" } }\n}\n')
  const near = await at.anode(['mcp', 'remove', 'cnf', '--yes'])
  expect(near).toMatchObject({ code: 2 })
  expect(near.err).toMatch(/unknown MCP server "cnf"\ndid you mean conf\?/)
  expect((await at.anode(['mcp', 'remove', 'conf', '--yes'])).out).toMatch(/config\.json/)
  const config = readFileSync(join(own, '..', 'config.json'), 'utf8')
  expect(config).toContain('// keep')
  expect(config).not.toContain('conf"')

  await at.anode(['mcp', 'add', 'mem', '--', ...command])
  expect((await at.anode(['mcp', 'tools', 'mem'])).code).toBe(0)
  await at.anode(['mcp', 'remove', 'mem', '--yes'])
  // another one of that name is met for the first time, not a changed one
  await at.anode(['mcp', 'add', 'mem', '--', ...command, 'other'])
  expect(JSON.parse((await at.anode(['mcp', 'list', '--json'])).out)).toMatchObject([{ state: 'unknown' }])
})

test('a broken server is named where it matters, and by no command that does not need it', async () => {
  await at.anode(['mcp', 'add', 'bad', '--', 'nonesuch-program'])
  at.put('a.txt', 'a\n')
  expect((await at.anode(['tools', 'list'])).err).toContain('MCP server bad')
  const unrelated = [
    ['tools', 'use', 'read', '--arg', 'path=a.txt'],
    ['tools', 'show', 'read'],
    ['profiles', 'list'],
    ['skills', 'list'],
    ['config', 'list'],
    ['threads', 'list'],
    ['permissions', 'list'],
    ['trust', '--status'],
  ]
  for (const words of unrelated) expect((await at.anode(words)).err, words.join(' ')).not.toContain('bad')
})
