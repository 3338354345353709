// The items of a report that are drawn as quotes.
import { expect, test } from 'vitest'
import { documentOf } from '../../../../../internal/study/report/document.ts'
import {
  cutRepeated,
  drawQuotations,
  listDrawn,
  shortQuote,
} from '../../../../../internal/study/report/quotation/quotation-pieces.ts'
import { quotedClaim } from '../../../../../internal/text-analysis/synthesis.ts'
import { reported } from '../../../../support/study.ts'

test('draws an item with only a quote as its position and a block, and all others as items', () => {
  const it = documentOf(reported())
  const [claim] = it.claims
  if (!claim) throw new Error('no claim')
  const own = { ...claim, quote: 'A line\nand one more.', text: 'A line\nand one more.', heading: 'Locks' }
  const items = ['before [C9.9]', quotedClaim(own), `It says so: ${quotedClaim(own)}`]
  expect(drawQuotations([{ kind: 'list', ordered: false, items }], { claims: [own] })).toEqual([
    { kind: 'list', ordered: false, items: [items[0]] },
    { kind: 'text', text: `**Locks** · \`${own.place}\` [${own.id}]` },
    { kind: 'quote', text: 'A line and one more.', markup: 'markdown', keys: [] },
    { kind: 'list', ordered: false, items: [items[2]] },
  ])
})

test('shortens a quote in the list of sources to its key words if it is drawn above', () => {
  const it = documentOf(reported())
  const [claim] = it.claims
  if (!claim) throw new Error('no claim')
  const own = { ...claim, quote: 'One.\nTwo.', text: 'One.\nTwo.', key: 'Two.' }
  const sections = { ...it.sections, answer: `- ${quotedClaim(own)}`, findings: '' }
  expect([...listDrawn({ ...it, sections, claims: [own], asks: [] })]).toEqual([own.id])
  expect([...listDrawn({ ...it, sections: { ...sections, answer: 'x' }, claims: [own], asks: [] })]).toEqual(
    [],
  )
  expect(shortQuote(own)).toBe('… Two. …')
  expect(shortQuote({ quote: 'One.', key: 'One.' })).toBe('One.')
  expect(shortQuote({ quote: 'One.' })).toBe('One.')
  expect(cutRepeated('a word '.repeat(40))).toMatch(/^(?:a word ){20,22}a(?: word)? …$/)
  expect(cutRepeated('x'.repeat(400))).toBe(`${'x'.repeat(160)} …`)
})
