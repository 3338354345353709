// Checks how paths are added to base URLs, and what of a URL is shown.
import { expect, test } from 'vitest'
import {
  changePath,
  describeUrl,
  endpointUrl,
  secretsInUrl,
} from '../../../../internal/model/endpoint/endpoint-url.ts'

const queries = ['', '?api-version=preview', '?a=1&b=x%20y', '?key=AIzaSecret1', '?u=https://h/p']
const roots = [
  'https://h/v1',
  'http://127.0.0.1:8080',
  'https://h/openai/deployments/d',
  'http://[::1]:1/a%2Fb',
]
const slashes = ['', '/', '//']
const paths = ['/chat/completions', '/responses', '/messages', '/models']

test.each(roots.flatMap((root) => queries.map((query) => [root, query] as const)))(
  'a path below %s with the query "%s"',
  (root, query) => {
    for (const slash of slashes)
      for (const path of paths) {
        expect(endpointUrl(`${root}${slash}${query}`, path)).toBe(`${root}${path}${query}`)
        expect(endpointUrl(`${root}${path}${slash}${query}`, path)).toBe(`${root}${path}${query}`)
      }
    expect(changePath(`${root}/${query}`, (path) => path)).toBe(root + query)
    expect(describeUrl(`${root}${query}`)).toBe(root)
  },
)

test.each([
  ['https://u:hunter22@h/v1?key=AIzaSecret1&api-version=2024', ['AIzaSecret1', 'hunter22']],
  ['https://u:p%40ss@h/v1', ['p%40ss', 'p@ss']],
  ['https://t0ken@h/v1?pwd=hunter22', ['hunter22', 't0ken']],
  ['https://user:50%off@host/v1', ['50%off']],
])('the secrets in %s, so that messages can omit them', (url, secrets) => {
  expect(secretsInUrl(url)).toEqual(secrets)
})

test('shows a URL without its secrets', () => {
  expect(describeUrl('https://u:hunter22@h/v1?key=AIzaSecret1#x')).toBe('https://h/v1')
})
