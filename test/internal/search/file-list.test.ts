// The first names of a long list, and the order of names.
import { expect, test } from 'vitest'
import { collectSmallest, compareBytes, listFiles } from '../../../internal/search/file-list.ts'
import { means, plant, random } from '../../support/search.ts'

test('returns the smallest names of any input order', () => {
  const next = random(5)
  for (const limit of [1, 7, 5_000]) {
    const names = Array.from({ length: 3_000 }, () => String(Math.floor(next() * 1e6)))
    const first = collectSmallest(limit)
    for (let at = 0; at < names.length; at += 100) first.add(names.slice(at, at + 100))
    expect(first.names()).toEqual([...names].sort(compareBytes).slice(0, limit))
  }
})

test('counts secrets that the glob matches', async () => {
  const dir = plant({ 'a.ts': '', '.env': '', 'b.pem': '', 'sub/id_rsa': '' })
  const tree = { dir, top: dir, hidden: false, guarded: true }
  for (const programs of [means().programs, []]) {
    const names: string[] = []
    const found = await listFiles(tree, means({ programs }), (some) => names.push(...some))
    expect(names).toEqual(['a.ts'])
    expect(found).toMatchObject({ total: 1, skipped: 3, unreadable: 0, ended: undefined })
  }
})
