// The search engine that the settings choose is the one that is asked.
import { expect, test } from 'vitest'
import { chooseEngineName, exaKeyOf } from '../../../../internal/web/search/engine-name.ts'
import { chooseEngine } from '../../../../internal/web/search/search-engine.ts'

const providers = [undefined, 'exa', 'serper', 'searxng', 'duckduckgo', 'other']
const urls = [undefined, '', 'http://127.0.0.1:1']
const keys = [undefined, '', 'k']

const cases = providers.flatMap((provider) =>
  urls.flatMap((searxngUrl) =>
    keys.flatMap((exaKey) =>
      keys.flatMap((key) =>
        keys.map(
          (serper) =>
            [
              { provider, searxngUrl, exaKey },
              { EXA_API_KEY: key, SERPER_KEY: serper },
            ] as const,
        ),
      ),
    ),
  ),
)

test.each(cases)('%j with %j chooses one engine', (web, env) => {
  const name = chooseEngineName(web, env)
  expect(chooseEngine(web, env).name).toBe(name)
  const free = env.SERPER_KEY ? 'serper' : 'duckduckgo'
  const usual = exaKeyOf(web, env) !== '' ? 'exa' : web.searxngUrl ? 'searxng' : free
  const forced = ['exa', 'serper', 'searxng', 'duckduckgo'].find((one) => one === web.provider)
  expect(name).toBe(forced ?? usual)
  const preferred = chooseEngineName(web, env, 'serper')
  expect(preferred).toBe(forced ?? (env.SERPER_KEY ? 'serper' : usual))
})
