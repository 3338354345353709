// No code names a profile: which ones exist is decided by files alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadBuiltinProfiles } from '../../internal/profile/profile-set.ts'

/** Names that are also words of the program: commands, tools, mailboxes. In the folder of profiles even these may not stand. */
const ordinary = new Set(['study', 'review', 'oracle', 'find', 'search', 'aggman', 'deep'])

const sources = (dir: string) =>
  !existsSync(dir)
    ? []
    : readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|mjs)$/.test(file))
        .map((file) => join(dir, file))

test('no source file holds the name of a profile as a string', async () => {
  const names = (await loadBuiltinProfiles()).flatMap(({ name, aliases }) => [name, ...aliases])
  expect(names).toHaveLength(11)
  const hits = [...sources('internal'), ...sources('cmd')].flatMap((file) => {
    const forbidden = names.filter((name) => file.startsWith('internal/profile/') || !ordinary.has(name))
    const pattern = new RegExp(`(['"\`])(?:${forbidden.join('|')})\\1`)
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : []))
  })
  expect(hits).toEqual([])
})
