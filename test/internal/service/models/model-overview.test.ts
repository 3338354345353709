// Which provider would be used, and why, for environments and configurations.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnodeConfig } from '../../../../internal/config/schema.ts'
import { readModelOverview } from '../../../../internal/service/models/model-overview.ts'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'anode-overview-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const overview = (env: Record<string, string>, config: AnodeConfig = {}) =>
  readModelOverview({
    env: { XDG_CONFIG_HOME: home, ...env },
    loaded: { config, origins: new Map([['model', 'config.json']]), notes: [] },
  })

test('nothing is chosen where nothing is set up', () => {
  expect(overview({})).toMatchObject({ chosen: undefined, problem: undefined })
})

test.each([
  [{ OPENAI_API_KEY: 'k' }, {}, 'openai/', 'OPENAI_API_KEY'],
  [{ GROQ_API_KEY: 'k' }, { model: 'groq/x' }, 'groq/x', 'model in config.json'],
  [{}, { model: 'builtin/extract' }, 'builtin/extract', 'model in config.json'],
  [{}, { model: 'ollama/qwen3' }, 'ollama/qwen3', 'model in config.json'],
] as const)('%j with %j asks %s, because of %s', (env, config, model, because) => {
  const { chosen, problem } = overview(env, config)
  expect(problem).toBeUndefined()
  expect(chosen?.model.startsWith(model)).toBe(true)
  expect(chosen?.because).toBe(because)
})

test('a configured model without a key is a problem that names the variable', () => {
  expect(overview({}, { model: 'openai/gpt-5.4' }).problem).toContain('OPENAI_API_KEY')
})
