// Which engine is asked, and which one after it: every mix of what is set up.
import { expect, test } from 'vitest'
import type { WebSettings } from '../../../../internal/web/search/engine-name.ts'
import { chooseEngine } from '../../../../internal/web/search/search-engine.ts'

const own = { searxngUrl: 'http://search.test' }
const key = { exaKey: 'k' }

test.each<[WebSettings, string, string | undefined]>([
  [{}, 'duckduckgo', undefined],
  [own, 'searxng', undefined],
  [key, 'exa', 'duckduckgo'],
  [{ ...key, ...own }, 'exa', 'searxng'],
  [{ ...key, searxngUrl: 'nonsense' }, 'exa', undefined],
  [{ ...key, provider: 'exa' }, 'exa', undefined],
  [{ ...key, ...own, provider: 'searxng' }, 'searxng', undefined],
  [{ ...key, ...own, provider: 'duckduckgo' }, 'duckduckgo', undefined],
])('with the settings %j: %s, then %s', (web, first, next) => {
  const engine = chooseEngine(web, {})
  expect([engine.name, engine.next?.name]).toEqual([first, next])
})

test('uses the API key of the environment', () => {
  expect(chooseEngine({}, { EXA_API_KEY: 'k' }).name).toBe('exa')
  expect(chooseEngine({ provider: 'exa' }, {}).missing).toMatch(/EXA_API_KEY/)
})
