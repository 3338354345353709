// The difference between the files of a worker and those of a study: its number, and the first names.
import { expect, test } from 'vitest'
import { describeDifference } from '../../../../internal/service/study/compared-files.ts'
import { choice, rng } from '../../../support/rng.ts'

const seed = Number(process.env['ANODE_SEED'] ?? Date.now() % 1_000_000)
const sha = (n: number) => n.toString(16).padStart(64, '0')

test(`names each file that is missing, new or changed (seed ${seed})`, () => {
  const random = rng(seed)
  for (let round = 0; round < 200; round++) {
    const names = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => `d${i % 3}/a file ${i}.md`)
    const kinds = names.map(() => choice(random, ['equal', 'equal', 'changed', 'missing', 'new'] as const))
    const lines = (without: string, other: number) =>
      names.flatMap((name, i) =>
        kinds[i] === without ? [] : [`${sha(kinds[i] === 'changed' ? other : 1)} ${name}`],
      )
    const differing = names.filter((_, i) => kinds[i] !== 'equal').sort()
    const text = describeDifference(lines('missing', 2), lines('new', 3))
    if (differing.length === 0) expect(text).toBeUndefined()
    else
      expect(text).toBe(
        `${differing.length} ${differing.length === 1 ? 'file differs' : 'files differ'}: ` +
          `${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ', …' : ''}`,
      )
  }
})
