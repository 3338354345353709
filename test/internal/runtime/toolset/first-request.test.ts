// First requests: the request of the native tools is the stored one with any toolsets, and others
// keep their limits.

import { dirname, join, relative } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, onTestFinished, test } from 'vitest'
import { runHeadless } from '../../../../internal/runtime/run/headless-run.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { golden } from '../../../support/golden.ts'
import { serveModel } from '../../../support/model-server.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { read, root } from '../../../support/sources.ts'

async function firstRequest(profile: string, toolset?: string): Promise<string> {
  const server = await serveModel(() => ({ text: 'done' }))
  onTestFinished(() => server.close())
  const config = { providers: { openai: { baseUrl: server.url, apiKey: 'k', apiFormat: 'chat' } } }
  const home = scratchWith({ 'config/anode/config.json': JSON.stringify(config), 'ws/a': '' })
  const cwd = join(home, 'ws')
  await runHeadless({
    ...{ cwd, profile, model: 'openai/any', prompt: 'go', mode: 'ask', addDirs: [], caps: {}, features },
    // no language server is found
    env: {
      ...{ PATH: '', HOME: home, ANODE_DATA_DIR: join(home, 'data') },
      XDG_CONFIG_HOME: join(home, 'config'),
    },
    ...{ signal: new AbortController().signal, terminal: undefined },
    ...(toolset !== undefined && { toolset: { name: toolset } }),
    ask: async () => ({ allow: false, why: 'a test' }),
    ...{ show: () => undefined, inbox: async () => [], note: () => undefined },
  })
  return (server.requests[0]?.raw ?? '')
    .replaceAll(cwd, '<dir>')
    .replace(/sess_\w+/g, '<thread>')
    .replace(/\d{4}-\d\d-\d\d/g, '<day>')
}

test('the request of quick with the native tools is the stored one, also if they are set explicitly', async () => {
  const request = await firstRequest('quick')
  golden('toolset/anode/quick-request.json', `${JSON.stringify(JSON.parse(request), null, 1)}\n`)
  expect(await firstRequest('quick', 'anode')).toBe(request)
})

test.each([
  ['ah', 1200],
  ['hooman', 3800],
])('the request of craft with %s has at most %d tokens', async (toolset, most) => {
  expect(countTokens(await firstRequest('craft', toolset))).toBeLessThanOrEqual(most)
})

/** Matches imports that load a file immediately: neither lazy imports nor imports of types alone. */
const eager = /^(?:import|export) (?!type )[^;]*?from '(\.{1,2}\/[^']+\.ts)'/gms

function loadedWith(files: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const open = [...files]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    for (const [, target = ''] of read(file).matchAll(eager))
      open.push(relative(root, join(root, dirname(file), target)))
  }
  return loaded
}

test('a start with the native tools loads no module of a toolset', () => {
  const starts = ['cmd/anode/main.ts', 'cmd/anode/dispatch.ts', 'cmd/anode/execute/start-run.ts']
  const loaded = loadedWith([
    ...[...starts, 'cmd/anode/session/start-session.ts', 'cmd/anode/tools/use.ts'],
    ...[
      'internal/runtime/runtime.ts',
      'internal/runtime/agent/agent-setup.ts',
      'internal/service/calls/direct-call.ts',
    ],
  ])
  expect(loaded.has('internal/runtime/toolset/requested-toolset.ts')).toBe(true)
  expect(loaded.has('internal/tool/invoke.ts')).toBe(true)
  expect([...loaded].filter((file) => /^internal\/(?:toolset|host\/toolset\/toolset-)/.test(file))).toEqual(
    [],
  )
})
