// Trust in a workspace: granted for the shown contents, stored, revoked, or pinned by the user.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspaceTrust } from '../../../../internal/runtime/workspace/workspace-trust.ts'
import { plant, scratch, scratchWith } from '../../../support/scratch.ts'

test('applies to the real directory, and only to the shown contents', async () => {
  const root = scratchWith({ 'anode.json': '{}' })
  const home = scratch()
  symlinkSync(root, join(home, 'link'))
  const env = { ANODE_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') }
  const trust = openWorkspaceTrust(join(home, 'link'), env)
  expect(trust.root).toBe(root)
  const { state, digest } = trust.read()
  expect(state).toBe('untrusted')
  writeFileSync(join(root, 'anode.json'), '{ "model": "builtin/extract" }')
  await expect(trust.grant(digest)).rejects.toThrow('changed while you looked')
  await trust.grant(trust.read().digest)
  expect(openWorkspaceTrust(root, env).read().state).toBe('trusted')
  trust.revoke()
  expect(trust.read().state).toBe('untrusted')
})

test('a digest in the pin file counts as trust', () => {
  const root = scratchWith({ 'anode.json': '{}' })
  const env = { ANODE_DATA_DIR: scratch(), XDG_CONFIG_HOME: scratch() }
  const trust = openWorkspaceTrust(root, env)
  plant('/', { [trust.pinFile]: JSON.stringify({ [root]: [trust.read().digest] }) })
  expect(trust.read().state).toBe('trusted')
})
