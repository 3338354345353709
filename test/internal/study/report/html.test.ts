import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { renderHtml } from '../../../../internal/study/report/html.ts'
import { golden } from '../../../support/golden.ts'
import { hostile, reported } from '../../../support/study.ts'

it('matches the stored page', () => {
  golden('study/report.html', renderHtml(documentOf(reported())))
})

it('needs no external files', () => {
  for (const state of [reported(), hostile()]) {
    const { document } = parseHTML(renderHtml(documentOf(state)))
    expect([...document.querySelectorAll('script, img, link, iframe, object, form, [src], [style]')]).toEqual(
      [],
    )
    const targets = [...document.querySelectorAll('[href]')].map((a) => a.getAttribute('href') ?? '')
    expect(targets.filter((target) => !/^#source-\d+$/.test(target))).toEqual([])
    for (const target of targets) expect(document.querySelector(target)).not.toBeNull()
    const names = [...document.querySelectorAll('*')].flatMap((element) =>
      [...element.attributes].map(({ name }) => name),
    )
    expect(names.filter((name) => name.startsWith('on'))).toEqual([])
  }
})

it('shows foreign text unchanged, except for invisible characters', () => {
  const { document } = parseHTML(renderHtml(documentOf(hostile())))
  expect(document.querySelector('h1')?.textContent).toContain('<script>alert(1)</script>')
  expect(renderHtml(documentOf(hostile()))).not.toMatch(/[\x1b\x07\u202e]/)
})
