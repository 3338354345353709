// Settings with unknown names: disabled tools, profiles without a required part, an unknown default.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadNativeEntries } from '../../../../internal/runtime/tools/tool-registry.ts'
import { diagnoseSettings } from '../../../../internal/service/doctor/config-doctor.ts'
import { scratch } from '../../../support/scratch.ts'

async function found(config: object, names?: readonly string[]) {
  const home = scratch()
  const dir = join(home, '.config', 'anode')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'config.json'), JSON.stringify(config))
  const where = {
    cwd: scratch(),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), ANODE_DATA_DIR: join(home, 'data') },
  }
  const findings = await diagnoseSettings(where, names)
  for (const { path } of findings) expect(path).toBe(join(dir, 'config.json'))
  return findings.map(({ severity, text }) => `${severity} ${text}`)
}

test.each([
  [{ tools: { disabled: ['web_serch'] } }, [/^warning tools\.disabled lists web_serch, .*web_search/]],
  [{ tools: { disabled: ['Read', 'web_*'] } }, [/^warning .*Read, .*read/]],
  [{ tools: { disabled: ['zzzzqqqq', 'fnider*'] } }, [/zzzzqqqq, which is not a tool$/, /fnider\*.*finder/]],
  [
    { profiles: { mine: { tools: ['read'] } } },
    [/^error profiles\.mine: about is missing; prompt is missing$/],
  ],
  [{ profiles: { mine: { about: 'x', prompt: 'y', tools: ['read'] } } }, []],
  [{ profiles: { craft: { maxTurns: 5 } } }, []],
  [{ profile: 'crfat' }, [/^error profile: unknown profile "crfat"; did you mean craft/]],
  [{ profile: 'craft' }, []],
  [{ profile: 'smart' }, []],
  [{ ui: { keys: { sned: 'f2' } } }, [/^error ui\.keys: unknown action "sned"/]],
  [{ ui: { keys: { send: 'f2' } } }, []],
  [{ model: 'x/y', tools: { disabled: [] } }, []],
  [
    { mcpServers: { both: { command: 'x', url: 'http://h' } } },
    [/^error MCP server both: .*command and url/],
  ],
  [{ mcpServers: { none: { args: ['x'] } } }, [/^error MCP server none: .*neither command nor url/]],
  [{ mcpServers: { off: { disabled: true }, fine: { command: 'x' } } }, []],
] as const)('%j', async (config, expected) => {
  const lines = await found(config)
  expect(lines).toHaveLength(expected.length)
  for (const [i, pattern] of expected.entries()) expect(lines[i]).toMatch(pattern)
})

test('accepts every native tool as disabled, and suggests its name if a letter is missing', async () => {
  const names = (await loadNativeEntries()).map(({ name }) => name)
  expect(await found({ tools: { disabled: names } })).toEqual([])
  for (const name of names.filter((one) => one.length > 4)) {
    const [line] = await found({ tools: { disabled: [name.slice(0, -1)] } })
    expect(line, name).toContain(name)
  }
})

test('accepts a tool of an unknown server, and reports an unknown tool of a known server', async () => {
  const names = ['read', 'mcp__gh__issue', 'tb__deploy']
  const config = (name: string) => ({ tools: { disabled: [name] } })
  expect(await found(config('mcp__other__x'), names)).toEqual([])
  expect(await found(config('mcp__other__*'), names)).toEqual([])
  expect(await found(config('mcp__gh__*'), names)).toEqual([])
  expect(await found(config('mcp__gh__isue'), names)).toMatchObject([
    expect.stringContaining('mcp__gh__issue'),
  ])
  expect(await found(config('tb__deplo'), names)).toMatchObject([expect.stringContaining('tb__deploy')])
})

test('reports a broken file alone', async () => {
  expect(await found({ modle: 'x', tools: { disabled: ['nope'] } })).toHaveLength(1)
})
