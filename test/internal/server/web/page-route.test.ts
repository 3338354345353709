// Addresses of the page.
import { expect, it } from 'vitest'
import { parseRoute } from '../../../../internal/server/web/page-route.ts'

it('knows what an address shows', () => {
  expect(parseRoute('/')).toEqual({ kind: 'runs' })
  expect(parseRoute('/runs/sess_1')).toEqual({ kind: 'run', thread: 'sess_1' })
  for (const path of ['/runs', '/runs/', '/runs/a/b', '/x', '/runs/%'])
    expect(parseRoute(path).kind).toBe('none')
})
