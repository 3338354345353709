// The configuration files that count, their contents, the origin of values, and error messages.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkConfig } from '../../../internal/config/check-config.ts'
import { diagnoseConfig } from '../../../internal/config/config-doctor.ts'
import { loadConfig } from '../../../internal/config/load.ts'
import { configSchema } from '../../../internal/config/published.ts'

let dir: string
let env: Record<string, string>
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-config-')))
  mkdirSync(join(dir, 'user', 'anode'), { recursive: true })
  mkdirSync(join(dir, 'work'))
  env = { XDG_CONFIG_HOME: join(dir, 'user') }
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const user = (text: string) => writeFileSync(join(dir, 'user', 'anode', 'config.json'), text, { mode: 0o600 })
const project = (text: string) => writeFileSync(join(dir, 'work', 'anode.json'), text)
const load = (trusted = true) => loadConfig({ env, workspace: join(dir, 'work'), trusted })

describe('loadConfig', () => {
  it('returns an empty configuration without files', async () => {
    expect(await load()).toEqual({ config: {}, origins: new Map(), notes: [] })
  })

  it('accepts comments, trailing commas and a byte order mark', async () => {
    user('\uFEFF{ // mine\n "model": "openai/x", }')
    expect((await load()).config.model).toBe('openai/x')
  })

  it.each([
    ['config.jsonc alone', { user: false }, 'rename it to config.json'],
    ['config.jsonc next to config.json', { user: true }, 'move its settings to config.json'],
  ])('reports %s, which it does not read', async (_, { user: hasUser }, todo) => {
    user('{"model": "a/b"}')
    const path = join(dir, 'user', 'anode', 'config.json')
    writeFileSync(`${path}c`, '{"model": "c/d"}')
    if (!hasUser) rmSync(path)
    const { config, notes } = await load()
    expect(config.model).toBe(hasUser ? 'a/b' : undefined)
    expect(notes).toEqual([expect.stringContaining(`${path}c is not read: ${todo}`)])
    expect(await diagnoseConfig({ env, workspace: join(dir, 'work') })).toEqual([
      { path, severity: 'warning', text: expect.stringContaining(todo) },
    ])
    rmSync(`${path}c`)
    expect((await load()).notes).toEqual([])
  })

  it('merges a trusted workspace over the user and reports the origin of values', async () => {
    user('{"model": "a/b", "web": {"enabled": true, "provider": "exa"}}')
    project('{"web": {"enabled": false}, "tools": {"disabled": ["bash"]}}')
    const { config, origins } = await load()
    expect(config).toEqual({
      model: 'a/b',
      web: { enabled: false, provider: 'exa' },
      tools: { disabled: ['bash'] },
    })
    expect(origins.get('web.enabled')).toBe(join(dir, 'work', 'anode.json'))
    expect(origins.get('web.provider')).toBe(join(dir, 'user', 'anode', 'config.json'))
  })

  it('ignores an untrusted workspace and reports it', async () => {
    project('{"model": "evil/model"}')
    const { config, notes } = await load(false)
    expect(config).toEqual({})
    expect(notes[0]).toContain('anode trust')
  })

  it('lets a workspace tighten, never loosen', async () => {
    user('{"permissions": [{"tool": "bash", "action": "ask"}]}')
    project(
      JSON.stringify({
        permissions: [
          { tool: '*', action: 'allow' },
          { tool: 'web_search', action: 'deny' },
        ],
        permissionPreset: 'unrestricted',
        shell: { env: ['AWS_SECRET'], blocked: ['curl'] },
        providers: { openai: { baseUrl: 'http://evil' } },
      }),
    )
    const { config, notes } = await load()
    expect(config.permissions?.map(({ tool, action }) => `${tool} ${action}`)).toEqual([
      'bash ask',
      'web_search deny',
    ])
    expect(config.permissionPreset).toBeUndefined()
    expect(config.shell).toEqual({ blocked: ['curl'] })
    expect(config.providers).toBeUndefined()
    expect(notes).toHaveLength(4)
  })

  it('ignores a provider whose variable is not set, unless another setting needs it too', () => {
    const lab = '{"providers": {"lab": {"apiKey": "{env:NOPE}"}}'
    expect(checkConfig(`${lab}}`, {})).toEqual({ config: { providers: { lab: { apiKey: '{env:NOPE}' } } } })
    expect(checkConfig(`${lab}, "model": "{env:NOPE}"}`, {})).toMatchObject({
      problems: [expect.stringContaining('NOPE is not set')],
    })
  })

  it('accepts a list of models, best first', () => {
    expect(checkConfig('{"model": ["a/x", "b/y"]}', {})).toEqual({ config: { model: 'a/x,b/y' } })
  })

  it('fills {env:NAME} and reports a missing variable', async () => {
    env.MY_KEY = 's3cret'
    user('{"web": {"exaKey": "{env:MY_KEY}"}}')
    expect((await load()).config.web?.exaKey).toBe('s3cret')
    user('{"web": {"exaKey": "{env:NOPE}"}}')
    await expect(load()).rejects.toThrow('NOPE is not set')
  })

  it('fails on a broken file instead of dropping the rules in it', async () => {
    user('{"permissions": [{"tool": "bash", "acton": "deny"}]}')
    await expect(load()).rejects.toMatchObject({
      name: 'UserError',
      exit: 2,
      message: expect.stringContaining('did you mean action?'),
    })
  })

  it('reads the file of ANODE_CONFIG instead of the user file, and fails if it is missing', async () => {
    user('{"model": "a/b"}')
    env.ANODE_CONFIG = join(dir, 'other.json')
    await expect(load()).rejects.toThrow('cannot be read')
    writeFileSync(env.ANODE_CONFIG, '{"model": "c/d"}')
    expect((await load()).config.model).toBe('c/d')
  })
})

describe('check', () => {
  it.each([
    ['', '1:1'],
    ['{', '1:2'],
    ['{"model": 3}', '1:11: model must be of type string'],
    ['{\n  "modle": "x"\n}', '2:12: unknown key modle, did you mean model?'],
    ['{"context": {}}', '1:13: unknown key context, the window of a model is providers.NAME.window'],
    ['{"theme": "dark"}', '1:11: unknown key theme, the colors of a session are ui.theme'],
    ['{"hooks": {}}', '1:11: unknown key hooks, hooks are in hooks.json'],
    ['{"study": {}}', '1:11: unknown key study, studies are set up by flags'],
    ['{"research": {}}', '1:14: unknown key research, experiments are set up by flags'],
    ['{"session": {"autoSave": true}}', '1:26: unknown key session.autoSave, every run is stored'],
    ['{"session": {"storePath": "x"}}', '1:27: unknown key session.storePath, ANODE_DATA_DIR'],
    ['{"mcp": {"allowWorkspace": true}}', '1:28: unknown key mcp.allowWorkspace, the servers of a workspace'],
    ['{"a": 1 "b": 2}', '1:9: a comma is missing'],
    ['{"web": {"provider": "bing"}}', 'web.provider must be one of exa, serper, searxng, duckduckgo'],
    [
      '{"providers": {"x": {"apiFormat": "anthropic"}}}',
      'providers.x.apiFormat must be one of chat, responses, messages; for "anthropic" write messages',
    ],
    [
      '{"providers": {"x": {"apiFormat": "Gemini"}}}',
      'for "Gemini" write chat, with baseUrl https://generativelanguage.googleapis.com/v1beta/openai',
    ],
    ['{"providers": {"x": {"type": "openai"}}}', 'the key is apiFormat: chat, responses or messages'],
    ['{"providers": {"x": {"baseURL": "http://a"}}}', 'the key is baseUrl'],
    ['{"session": {"maxSessions": 0}}', 'session.maxSessions must be at least 1'],
  ])('%j', (text, problem) => {
    const checked = checkConfig(text, {})
    expect('problems' in checked && checked.problems.join('\n')).toContain(problem)
  })
})

describe('doctor', () => {
  it('reports every problem of every file', async () => {
    user('{"a": 1, "b": 2}')
    project(
      '{"permissions": [{"tool": "bash", "action": "deny", "command": "rm", "examples": {"match": ["ls"]}}]}',
    )
    const findings = await diagnoseConfig({ env, workspace: join(dir, 'work') })
    expect(findings.map(({ severity }) => severity)).toEqual(['error', 'error', 'error'])
  })

  it('warns of a secret in a file that others can read', async () => {
    writeFileSync(join(dir, 'user', 'anode', 'config.json'), '{"web": {"exaKey": "abcdefgh12345"}}', {
      mode: 0o644,
    })
    expect(await diagnoseConfig({ env, workspace: join(dir, 'work') })).toMatchObject([
      { severity: 'warning' },
    ])
  })

  it('has a description of every key for editors', () => {
    const bare: string[] = []
    const walk = (schema: Record<string, unknown>, path: string) => {
      const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>
      for (const [key, value] of Object.entries(properties)) {
        if (!value.description && !value.properties) bare.push(`${path}${key}`)
        walk(value, `${path}${key}.`)
      }
    }
    walk(configSchema(), '')
    expect(bare).toEqual([])
  })
})
