// Claims and searches over threads in nine languages: ten questions each over a text of that language.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeClaim } from '../../../../internal/study/verify/claim-state.ts'
import { root } from '../../../support/sources.ts'
import { shelf } from '../../../support/store.ts'
import { says } from '../../store/thread/contract.ts'

const place = shelf()
const folder = join(root, 'test/fixtures/languages')
const questions: Record<string, [question: string, answer: string][]> = JSON.parse(
  readFileSync(join(folder, 'questions.json'), 'utf8'),
)
const languages = Object.entries(questions).map(([language, asked]) => {
  const text = readFileSync(join(folder, `${language}.md`), 'utf8')
  return { language, asked, paragraphs: text.split(/\n\s*\n/).filter((one) => !one.startsWith('#')) }
})

test.each(languages)(
  '$language: a search over threads finds the answer',
  ({ language, asked, paragraphs }) => {
    const { threads } = place.store
    for (const paragraph of paragraphs) {
      const { id } = threads.create({ workspace: `/${language}`, title: 'x', profile: 'p' })
      threads.append(id, 'r', [says(paragraph)])
    }
    const missed = asked.filter(([question, answer]) => {
      const hits = threads.search(question, { limit: 3, workspace: `/${language}` })
      return !hits.some(({ thread }) => JSON.stringify(threads.events(thread.id, 0, 10)).includes(answer))
    })
    expect(missed).toEqual([])
  },
)

test.each(languages)(
  '$language: a claim is carried by its paragraph and by no other',
  ({ language, asked, paragraphs }) => {
    const excerpt = paragraphs.join('\n\n')
    const wrong = asked.flatMap(([question, answer]) => {
      const claim = `${question.replace(/[?？؟]$/u, '')} ${answer}`
      return paragraphs
        .filter(
          (quote) => (judgeClaim(claim, [{ quote, excerpt }]) === 'verified') !== quote.includes(answer),
        )
        .map((quote) => [question, answer, quote])
    })
    // one Arabic answer is a word of two paragraphs; one Thai paragraph shares the port and the ship
    expect(wrong.length).toBeLessThanOrEqual(['ar', 'th'].includes(language) ? 1 : 0)
  },
)
