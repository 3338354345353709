// Addresses of the page.
import { expect, it } from 'vitest'
import { parseRoute } from '../../../internal/page/page-route.ts'

it('knows what an address shows', () => {
  expect(parseRoute('/')).toEqual({ kind: 'runs' })
  expect(parseRoute('/runs/sess_1')).toEqual({ kind: 'run', thread: 'sess_1' })
  expect(['/usage', '/permissions'].map((path) => parseRoute(path).kind)).toEqual(['usage', 'permissions'])
  expect(parseRoute('/studies/01A')).toEqual({ kind: 'study', id: '01A' })
  expect(parseRoute('/research/shop-1.try')).toEqual({ kind: 'research', id: 'shop-1.try' })
  for (const path of ['/runs', '/runs/', '/runs/a/b', '/x', '/runs/%'])
    expect(parseRoute(path).kind).toBe('none')
})
