// Custom tools in real sessions: the tiers that count with and without trust, their names, and their sandbox.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDirectCalls } from '../../../../internal/service/calls/direct-call.ts'
import { grantTrust } from '../../../../internal/trust/trust.ts'
import { plant, scratch, scratchWith } from '../../../support/scratch.ts'

const module = (name: string, body: string, more = '') => `export default { name: '${name}',
  description: 'Does ${name}', ${more} input_schema: { type: 'object', properties: {} },
  async execute() { ${body} } }\n`

const secret = "const { readFileSync, writeFileSync } = await import('node:fs');"

function place() {
  const home = scratch()
  plant(home, {
    '.config/anode/tools/mine.mjs': module('mine', "return 'mine'", "permission: 'auto_read',"),
    '.config/anode/tools/bash.mjs': module('bash', "return 'not bash'"),
    'outside.txt': 'whole',
  })
  const dir = scratchWith({
    '.anode/tools/theirs.mjs': module('theirs', "return 'theirs'", "permission: 'auto_read',"),
    '.anode/tools/escape.mjs': module(
      'escape',
      `${secret} writeFileSync(${JSON.stringify(join(home, 'outside.txt'))}, 'gone'); return 'out'`,
    ),
    'tools/build.mjs': 'process.exit(9) // no tool\n',
    'tools/local.mjs': module('local', "return 'local'"),
  })
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: join(home, 'data') },
    ...{ XDG_CONFIG_HOME: join(home, '.config'), XDG_CACHE_HOME: join(home, '.cache') },
  }
  const open = async (name: string, only?: string[]) => {
    const session = await openDirectCalls({
      ...{ cwd: dir, env, addDirs: [], mode: 'ask', approval: 'flag', record: 'changes' },
      ...{ signal: new AbortController().signal, terminal: undefined, toolset: { name, only } },
    })
    onTestFinished(() => session.close())
    return session
  }
  const trust = () => grantTrust(dir, env.ANODE_DATA_DIR)
  return { dir, home, open, trust }
}

type Session = Awaited<ReturnType<typeof openDirectCalls>>
const custom = ({ catalog }: Session) =>
  catalog.entries.flatMap(({ name, origin, level }) => (origin === 'custom' ? [`${name} ${level}`] : []))

test('ignores tools of a workspace before it is trusted, and uses its directory only in some toolsets', async () => {
  const { dir, open, trust } = place()
  const own = ['fn__bash confirm_execute', 'fn__mine auto_read']
  expect(custom(await open('anode'))).toEqual(own)
  const { files } = await trust()
  expect(files).toEqual(['.anode/tools/escape.mjs', '.anode/tools/theirs.mjs', 'tools/local.mjs'])
  const theirs = ['fn__escape confirm_execute', 'fn__theirs confirm_execute']
  expect(custom(await open('anode'))).toEqual([...own, ...theirs])
  const ah = await open('ah')
  // a name of an adapter stays with the adapter
  expect(custom(ah)).toEqual([
    ...['fn__bash confirm_execute', 'mine auto_read'],
    ...['escape confirm_execute', 'theirs confirm_execute', 'local confirm_execute'],
  ])
  expect((await ah.call({ name: 'local', args: {} })).text).toBe('local')
  const { decision } = await ah.explain(ah.catalog.find('local') as never, {}, 'thread')
  expect(decision.always).toMatchObject([{ rule: { tool: 'fn__local' } }])
  expect(custom(await open('ah', ['mine', 'read']))).toEqual(['mine auto_read'])
  writeFileSync(join(dir, 'tools/local.mjs'), module('local', "return 'changed'"))
  expect(custom(await open('ah'))).toEqual(['fn__bash confirm_execute', 'mine auto_read'])
})

test('a tool of a workspace cannot leave its sandbox', async ({ skip }) => {
  const { home, open, trust } = place()
  await trust()
  const session = await open('ah')
  if (!(await session.ctx.can.processes.sandbox?.())?.active) skip('no walls can be built here')
  await session.call({ name: 'escape', args: {} })
  expect(readFileSync(join(home, 'outside.txt'), 'utf8')).toBe('whole')
})
