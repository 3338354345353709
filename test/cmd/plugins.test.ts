// Plugins of a workspace: inactive before trust, only below trusted directories, next to the user's plugins.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { grantTrust } from '../../internal/trust/trust.ts'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

function plant(path: string): string {
  const full = join(at.dir, path)
  mkdirSync(dirname(full), { recursive: true })
  copyFileSync(join(root, 'test', 'support', 'plugins', 'fake.mjs'), full)
  chmodSync(full, 0o755)
  return full
}

const listed = async () => {
  const { out, err } = await at.anode(['tools', 'list'])
  return { tools: [...out.matchAll(/plugin__\w+/g)].map(([name]) => name), err }
}

test('starts nothing of a workspace before trust, and asks again for a changed plugin', async () => {
  const its = plant('.anode/plugins/mild')
  const elsewhere = plant('tools/other')
  const mine = plant('../mine/good')
  // only the user's own configuration opens the sandbox
  const sandbox = { write: ['.anode/plugins', dirname(mine)] }
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths: [mine], sandbox } }))
  at.put('anode.json', JSON.stringify({ plugins: { paths: ['.anode/plugins/mild', 'tools/other'] } }))
  expect((await listed()).tools).toEqual(['plugin__good__echo'])
  await grantTrust(at.dir, at.data)
  const trusted = await listed()
  expect(trusted.tools).toEqual(['plugin__good__echo', 'plugin__mild__echo'])
  expect(trusted.err).toMatch(/tools\/other: of a workspace only plugins below \.anode or \.agents are used/)
  expect(existsSync(`${elsewhere}.log`)).toBe(false)
  expect(readFileSync(`${its}.log`, 'utf8')).toContain('initialize')
})

test('a workspace cannot remove a plugin of the user', async () => {
  const mine = plant('../mine/veto')
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths: [mine] } }))
  at.put('anode.json', JSON.stringify({ plugins: { paths: [] } }))
  at.put('a.txt', 'hello\n')
  await grantTrust(at.dir, at.data)
  const bash = await at.anode(['tools', 'use', 'bash', '--arg', 'command=true', '--allow-non-read'])
  expect(bash).toMatchObject({ code: 4, err: expect.stringContaining('not today') })
  expect((await at.anode(['tools', 'use', 'read', '--arg', 'path=a.txt'])).out).toBe('1\thello\n')
})

test('plugins list shows the active plugins, and the reason why others are inactive', async () => {
  const mine = plant('../mine/veto')
  plant('.anode/plugins/mild')
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths: [mine] } }))
  at.put('anode.json', JSON.stringify({ plugins: { paths: ['.anode/plugins/mild'] } }))
  const before = await at.anode(['plugins', 'list', '--json'])
  const { plugins } = JSON.parse(before.out)
  expect(plugins).toEqual([expect.objectContaining({ name: 'veto', path: mine, vetoes: expect.any(Array) })])
  await grantTrust(at.dir, at.data)
  at.put('../.config/anode/config.json', JSON.stringify({ plugins: { paths: [mine, '../gone'] } }))
  const after = await at.anode(['plugins', 'list'])
  expect([after.code, after.err]).toEqual([2, expect.stringMatching(/gone/)])
})
