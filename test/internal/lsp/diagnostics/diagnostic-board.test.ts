// The document version of a list of diagnostics: by its number, by a response, or by a quiet period.
import { describe, expect, it } from 'vitest'
import {
  compareDiagnostics,
  openBoard,
  readDiagnostics,
  type ServerDiagnostic,
} from '../../../../internal/lsp/diagnostics/diagnostic-board.ts'

const raw = (...messages: string[]) =>
  messages.map((message, line) => ({ range: { start: { line, character: 0 } }, message }))
const serverDiagnostic = (...messages: string[]): ServerDiagnostic[] =>
  messages.map((message, line) => ({ line, character: 0, severity: 'error', message }))

/** Returns a board with a clock that changes only when the test sets it. */
function board(pulled = false) {
  let time = 0
  const made = openBoard(
    () => pulled,
    () => time,
  )
  const at = (ms: number) => {
    time = ms
    return made
  }
  const stand = (version: number) => {
    const { standing, settled } = made.standing('/a', version)
    return [standing, ...(settled?.list ?? []).map((one) => one.message)]
  }
  return { made, at, stand }
}

describe('with a version', () => {
  it('a list applies only to its version', () => {
    const { made, stand } = board()
    made.begin('/a', 1)
    made.push('/a', 1, raw('one'))
    expect(stand(1)).toEqual(['fresh', 'one'])
    made.begin('/a', 2)
    made.push('/a', 1, raw('late'))
    expect(stand(2)).toEqual(['pending'])
    made.push('/a', 2, [])
    expect(stand(2)).toEqual(['fresh'])
    expect(made.standing('/a', 2).settled?.before).toEqual(serverDiagnostic('one'))
  })
})

describe('without a version', () => {
  it('a list without a version waits for the acknowledgment and then for a quiet period', () => {
    const { made, at, stand } = board()
    made.begin('/a', 1)
    made.push('/a', undefined, raw('early'))
    expect(stand(1)).toEqual(['pending'])
    at(100).acknowledge('/a', 1)
    expect(made.standing('/a', 1)).toMatchObject({ standing: 'pending', retryMs: 1000 })
    at(500).push('/a', undefined, raw('late'))
    expect(made.standing('/a', 1)).toMatchObject({ standing: 'pending', retryMs: 200 })
    at(700)
    expect(stand(1)).toEqual(['fresh', 'late'])
  })

  it('treats a first empty list as provisional', () => {
    const { made, at, stand } = board()
    made.begin('/a', 1)
    at(1).acknowledge('/a', 1)
    made.push('/a', undefined, [])
    at(5000)
    expect(stand(1)).toEqual(['provisional'])
    made.push('/a', undefined, [])
    at(9000)
    expect(stand(1)).toEqual(['fresh'])
  })

  it('drops the list at the next change', () => {
    const { made, at, stand } = board()
    made.begin('/a', 1)
    at(1).acknowledge('/a', 1)
    made.push('/a', undefined, raw('one'))
    made.begin('/a', 2)
    at(5000).acknowledge('/a', 1)
    expect(stand(2)).toEqual(['pending'])
  })
})

describe('on request', () => {
  it('accepts the response, adds lists that were pushed for the same version, and drops withdrawn lists', () => {
    const { made, stand } = board(true)
    made.begin('/a', 1)
    made.push('/a', undefined, raw('mixed'))
    expect(stand(1)).toEqual(['pending'])
    made.settle('/a', 1, serverDiagnostic('one'))
    expect(stand(1)).toEqual(['fresh', 'one'])
    made.push('/a', 1, raw('one', 'checked'))
    expect(stand(1)).toEqual(['fresh', 'one', 'checked'])
    made.takeBack()
    expect(stand(1)).toEqual(['pending'])
    made.settle('/a', 1, serverDiagnostic('two'))
    made.settle('/a', 7, serverDiagnostic('other'))
    expect(stand(1)).toContain('two')
  })
})

it('keeps requested lists when a server reports on thousands of files', async () => {
  const { made, stand } = board()
  for (let i = 0; i < 5000; i++) made.push(`/x${i}`, undefined, raw('noise'))
  made.begin('/a', 1)
  made.push('/a', 1, raw('one'))
  for (let i = 0; i < 5000; i++) made.push(`/y${i}`, undefined, raw('noise'))
  expect(stand(1)).toEqual(['fresh', 'one'])
  expect(made.paths().length).toBeLessThanOrEqual(2001)
})

it('wakes all callers that wait', async () => {
  const { made } = board()
  const over = new AbortController()
  const news = made.news(over.signal)
  made.push('/a', 1, [])
  await news
  const more = made.news(over.signal)
  over.abort()
  await more
  await made.news(over.signal)
})

it('reads diagnostics, a thousand at most', () => {
  const one = { range: { start: { line: 1, character: 2 } }, message: 'm', severity: 2, code: 7, source: 's' }
  expect(readDiagnostics([one, { message: 'no place' }, 7, { ...one, severity: 9, code: {} }])).toEqual([
    { line: 1, character: 2, severity: 'warning', message: 'm', code: '7', source: 's' },
    { line: 1, character: 2, severity: 'error', message: 'm', source: 's' },
  ])
  expect(readDiagnostics(Array.from({ length: 3000 }, () => one)).length).toBe(1000)
})

it('compares diagnostics without positions, and counts equal diagnostics', () => {
  expect(compareDiagnostics(serverDiagnostic('a', 'b', 'a'), serverDiagnostic('x', 'a'))).toEqual({
    isNew: [false, true, true],
    fixed: 1,
  })
  expect(compareDiagnostics([], serverDiagnostic('a', 'a'))).toEqual({ isNew: [], fixed: 2 })
})
