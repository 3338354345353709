// Quotes of code are whole units: from the comment or signature of a definition to its end.
import { expect, test } from 'vitest'
import { chooseClaims } from '../../../../internal/model/extract/claims.ts'
import { readFiledPassages } from '../../../../internal/model/extract/found-passages.ts'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { describePassages } from '../../../../internal/retrieval/workspace-passages.ts'
import { containsQuote } from '../../../../internal/study/verify/quotation.ts'
import { finder } from '../../../../internal/tools/search/finder.ts'
import { dialects, type KnownUnit, type WrittenProgram, writeProgram } from '../../../support/programs.ts'
import { rng } from '../../../support/rng.ts'

const longest = 1_500

/** Returns the quotes of a question about one program, with the passages from which they are taken. */
async function quotesOf({ path, text }: Pick<WrittenProgram, 'path' | 'text'>, question: string) {
  const files = [{ path, real: '', text }]
  const found = await findPassages({ files, question, limit: 8, signal: new AbortController().signal })
  const described = describePassages(found, 'model')
  const claims = chooseClaims(readFiledPassages(described).hits, question)
  const evidence = (await finder.evidence?.({ mode: 'passage', ...described }, '')) ?? []
  const excerpts = evidence.map(({ excerpt }) => excerpt)
  return claims.map((claim) => ({
    ...claim,
    isInEvidence: excerpts.some((one) => containsQuote(one, claim.quote)),
  }))
}

/** Returns what is wrong with a quote, or an empty text. */
function judge(quote: { from: number; to: number; quote: string }, { units, text }: WrittenProgram): string {
  const lines = text.split('\n')
  const first = units.find(({ from }) => from === quote.from)
  const last = units.find(({ to }) => to === quote.to)
  const at = `lines ${quote.from}-${quote.to}`
  const isCut = /\n…(?:\n|$)/.test(quote.quote)
  if (!isCut) {
    const own = lines
      .slice(quote.from - 1, quote.to)
      .join('\n')
      .trim()
    if (own !== quote.quote) return `${at} are not the quoted text`
    if (quote.quote.length > longest) return `${at} are too long`
    // A license is a unit too.
    const isLicense = units.every(({ from }) => quote.to < from) && lines[quote.to] === ''
    return isLicense || (first && last) ? '' : `${at} are no whole units`
  }
  const whole = units.filter(({ from }) => from === quote.from).sort((a, b) => b.to - a.to)[0]
  if (!whole) return `${at} begin inside of a unit`
  if (whole.chars <= longest) return `${at} leave out lines of a unit that is short enough`
  const signature =
    lines.slice(whole.from - 1).find((line) => line.includes(whole.name) && /[(:{]/.test(line)) ?? ''
  if (!quote.quote.includes(signature.trim())) return `${at} have no signature`
  // The last line of a class of Python belongs to a method.
  const isEnd = whole.to === quote.to || (whole.name.startsWith('G') && quote.quote.endsWith('…'))
  return isEnd ? '' : `${at} end before the unit does`
}

const describeUnit = ({ word, name }: KnownUnit) => `${name}, which contains ${word}`

for (const [language, dialect] of Object.entries(dialects)) {
  test(`quotes whole units of ${language}`, { timeout: 120_000 }, async () => {
    const random = rng(11)
    const wrong: string[] = []
    let judged = 0
    for (let round = 0; round < 6; round++) {
      const program = writeProgram(dialect, random)
      for (const unit of program.units) {
        const [best, ...more] = await quotesOf(
          program,
          `What does ${unit.word} have to do with ${unit.name}?`,
        )
        expect(best, describeUnit(unit)).toBeDefined()
        for (const quote of best ? [best, ...more] : []) {
          judged++
          const why = judge(quote, program) || (quote.isInEvidence ? '' : 'the evidence lacks the quote')
          if (why !== '') wrong.push(`round ${round}, ${describeUnit(unit)}: ${why}`)
        }
        if (best && !best.quote.includes(unit.word) && unit.word !== unit.name)
          wrong.push(`round ${round}: the first quote lacks ${describeUnit(unit)}`)
      }
    }
    expect(judged).toBeGreaterThan(40)
    expect(wrong).toEqual([])
  })
}
