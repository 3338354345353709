// Which files answer best.
import { expect, test } from 'vitest'
import { rankText } from '../../../internal/search/relevance.ts'
import { means, plant } from '../../support/search.ts'

const dir = plant({
  'src/token.ts': 'export function refreshToken() {\n  return fetch(token)\n}\n',
  'src/other.ts': `${'// filler\n'.repeat(400)}refreshToken()\n`,
  'test/token.test.ts': 'refreshToken()\nrefreshToken()\n',
  'package-lock.json': 'refreshToken '.repeat(50),
  'docs/a.md': 'token\ntoken\ntoken\ntoken\n',
  'docs/b.md': 'token and refresh and session\n',
  id_rsa: 'refreshToken\n',
})
const tree = { dir, top: dir, hidden: false, guarded: true }
const rank = (terms: string[], limit = 50, programs = means().programs) =>
  rankText(tree, { terms, caseSensitive: false, limit }, means({ programs }))
const names = async (...args: Parameters<typeof rank>) => (await rank(...args)).files.map((hits) => hits.name)

test('ranks the definition first and lock files last, and never lists secrets', async () => {
  const order = await names(['refreshToken'])
  expect(order[0]).toBe('src/token.ts')
  expect(order.at(-1)).toBe('package-lock.json')
  expect(order).not.toContain('id_rsa')
})

test('ranks files that contain more of the words first', async () => {
  expect((await names(['token', 'session']))[0]).toBe('docs/b.md')
})

test('divides the limit of lines among several files, and counts all matching files', async () => {
  const { files, total } = await rank(['token'], 4)
  expect(files.reduce((sum, hits) => sum + hits.lines.length, 0)).toBe(4)
  expect(files.length).toBeGreaterThan(1)
  expect(total.files).toBe(6)
})

test('grep and ripgrep give the same ranking', async () => {
  expect(await names(['refreshToken'], 50, [])).toEqual(await names(['refreshToken']))
  expect((await names(['token', 'session'], 50, []))[0]).toBe('docs/b.md')
})
