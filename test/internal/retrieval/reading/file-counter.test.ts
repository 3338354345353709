// The counts of one file: of all its passages, while only the stronger ones of a large file are kept.
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { createFileCounter, maxFilePassages } from '../../../../internal/retrieval/reading/file-counter.ts'
import type { CountedPassage } from '../../../../internal/retrieval/weigh.ts'
import { parseQuestion } from '../../../../internal/retrieval/words.ts'
import { choice, rng } from '../../../support/rng.ts'

const question = 'How long does the ferry pause in winter?'

/** Returns a text of `count` sections that name the ferry, of which one, at `at`, answers the question. */
function textOf(count: number, at: number): string {
  const random = rng(count)
  const words = 'quay deck rope crew bell light water ticket'.split(' ')
  const noise = () => Array.from({ length: 30 }, () => choice(random, words)).join(' ')
  return Array.from({ length: count }, (_, i) => {
    const said =
      i === at ? 'In winter the ferry makes a pause of 417 minutes.' : `The ferry has a ${noise()}.`
    return `## Section ${i}\n\n${said}\n`
  }).join('\n')
}

async function count(text: string) {
  const counted = await createFileCounter(await parseQuestion(question))(
    { path: 'a.md', real: '/nowhere/a.md', text },
    0,
  )
  if ('skipped' in counted) throw new Error(counted.skipped)
  return counted
}

const firstLine = ({ from }: CountedPassage) => from

test.each([10, maxFilePassages, 900])(
  'counts all of %i passages, and keeps at most a fixed number',
  async (all) => {
    const { matching, frequency, passages } = await count(textOf(all, all - 3))
    expect(matching.passages).toBe(all)
    expect(Math.max(...frequency)).toBe(all)
    expect(passages).toHaveLength(Math.min(all, maxFilePassages))
    expect(passages.map(firstLine)).toEqual(passages.map(firstLine).sort((a, b) => a - b))
    // the answer is among the kept ones, although all passages name the ferry
    expect(passages.map(firstLine)).toContain((all - 3) * 4 + 1)
  },
)

test.each([0, 450, 899])('finds the answer in section %i of a file with 900 sections', async (at) => {
  const files = [{ path: 'a.md', real: '/nowhere/a.md', text: textOf(900, at) }]
  const { signal } = new AbortController()
  const { hits } = await findPassages({ files, question, limit: 3, signal })
  expect(hits[0]?.text).toContain('417 minutes')
})
