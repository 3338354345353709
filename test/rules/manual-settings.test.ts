// JSON in the manual: the program accepts every configuration, hook, server, spec and suite.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseJsonc } from '../../internal/base/text/jsonc.ts'
import { checkConfig } from '../../internal/config/check-config.ts'
import { buildConfigFields } from '../../internal/config/schema.ts'
import { parseHooks } from '../../internal/hook/hooks-file.ts'
import { loadServers } from '../../internal/lsp/config/lsp-config.ts'
import { checkRules } from '../../internal/policy/rules/rule-check.ts'
import { render } from '../../internal/render/render.ts'
import { readKnobFile } from '../../internal/research/proposers/knobs.ts'
import { readSuite } from '../../internal/study-eval/suite.ts'
import { nativeTools } from '../../internal/tools/index.ts'
import { options } from '../internal/render/draw.ts'
import { scratchWith } from '../support/scratch.ts'
import { filesBelow, read } from '../support/sources.ts'

/** Returns the errors of a text; empty for a valid text. */
type Check = (text: string) => Promise<readonly string[]> | readonly string[]

const env = { EXAMPLE_KEY: 'k', RELAY_SECRET: 's'.repeat(32), TEAM: 't' }

const config: Check = async (text) => {
  const checked = checkConfig(text, env)
  if ('problems' in checked) return checked.problems
  await checkRules((checked.config.permissions ?? []) as Parameters<typeof checkRules>[0])
  return []
}

const hooks: Check = async (text) =>
  parseHooks(await parseJsonc(text), 'hooks.json', Object.keys(nativeTools)).diagnostics.map(String)

const inFile = (name: string, text: string) => join(scratchWith({ [name]: text }), name)

const checks: Readonly<Record<string, Check>> = {
  'approvals.md': async (text) => (await Promise.all(text.trim().split('\n').map(config))).flat(),
  'build.md': config,
  'hooks.md': hooks,
  'proof.md': hooks,
  'lsp.md': async (text) =>
    (await loadServers([inFile('lsp.json', text)])).diagnostics.map(({ message }) => message),
  'mcp.md': config,
  'models.md': config,
  'ci.md': config,
  'permissions.md': config,
  'plugins.md': config,
  'render.md': (text) => {
    const { errors, warnings } = render(JSON.parse(text), { ...options, width: 80 })
    return [...errors, ...warnings].map(({ message }) => message)
  },
  'reviewer.md': config,
  'research.md': (text) => (readKnobFile(inFile('policy.json', text), 'policy.json') ? [] : ['no settings']),
  'study-eval.md': (text) => {
    // the page wraps one line of the file
    const suite = scratchWith({
      'suite.jsonl': text.replace(/\n +/g, ' '),
      'corpora.json': '{"pottery":{"root":"pottery"}}',
      'pottery/kiln.md': 'fired at 900 degrees\n',
    })
    return readSuite(join(suite, 'suite.jsonl')).length === 2 ? [] : ['not two questions']
  },
  'sandbox.md': (text) => config(`{"mcpServers":{"tickets":${text}}}`),
  // settings for an editor
  'editors.md': () => [],
}

const blocks = filesBelow('manual', '.md')
  .filter((file) => !/^manual\/.*\//.test(file))
  .flatMap((file) =>
    [...read(file).matchAll(/^```jsonc?\n([\s\S]*?)^```$/gm)].map(
      ([, text = ''], i) => [file.replace('manual/', ''), i, text] as const,
    ),
  )

test('every page with JSON has its check', () => {
  expect(Object.keys(checks).sort()).toEqual([...new Set(blocks.map(([page]) => page))].sort())
})

test.each(blocks)('%s, block %i', async (page, _, text) => {
  expect(await checks[page]?.(text)).toEqual([])
})

/** Keys in prose, such as `web.scholar` or `web.enabled: false`. Names of files and events are excluded. */
const keys = filesBelow('manual', '.md').flatMap((file) =>
  [...read(file).matchAll(/`([a-zA-Z]+(?:\.[A-Za-z]+)+)(?:: [^`]*)?`/g)].map(([, key = '']) => ({
    file,
    key,
  })),
)

const unknownKey = (key: string) => {
  const value = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), null)
  const checked = checkConfig(JSON.stringify(value), env)
  return 'problems' in checked && checked.problems.some((problem) => problem.includes('unknown key'))
}

test('keys in the manual are keys of the configuration', () => {
  const sections = Object.keys(buildConfigFields().shape).filter((name) => unknownKey(`${name}.zzz`))
  const named = keys.filter(({ key }) => sections.includes(key.split('.')[0] ?? '') && !/\.json$/.test(key))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ key }) => unknownKey(key))).toEqual([])
})

test('detects a key that nothing reads', async () => {
  expect(await checks['models.md']?.('{"providers":{"a":{"baseURL":"http://h"}}}')).not.toEqual([])
})
