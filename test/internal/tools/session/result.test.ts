// result: pages, filters and long lines of an output that was kept whole.
import { expect, test } from 'vitest'
import { result } from '../../../../internal/tools/session/result.ts'
import { call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

/** Records a call whose text was cut and whose whole is kept. */
function keep(id: string, whole: string) {
  const thread = place.store.threads.create({ workspace: '/w', title: 't', profile: 'p' }).id
  place.store.threads.append(thread, 'r', [
    { type: 'tool.call', payload: { call: id, tool: 'bash', args: {} } },
    {
      type: 'tool.result',
      payload: {
        call: id,
        tool: 'bash',
        ok: true,
        text: 'cut',
        whole: place.store.blobs.put(Buffer.from(whole)),
      },
    },
  ])
  return thread
}
const page = (args: Record<string, unknown>, over = {}) =>
  call(result, { call_id: 'c', ...args }, place.ctx(over))
const lines = (n: number) => `${Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n')}\n`

test('the first page shows how to continue, and the last page reports the end', async () => {
  keep('c', lines(450))
  const first = await page({})
  expect(first.data).toEqual({ call_id: 'c', total: 450, offset: 0, lines: 200, next: 200, next_line: 201 })
  expect(first.text.split('\n').slice(0, 2)).toEqual(['1\tline 1', '2\tline 2'])
  expect(first.text).toMatch(/\(200 of 450 lines; continue with offset 200\)$/)
  const last = await page({ offset: 400 })
  expect(last.data).toEqual({ call_id: 'c', total: 450, offset: 400, lines: 50, next: null, next_line: null })
  expect(last.text).toMatch(/^401\tline 401\n[\s\S]*450\tline 450\n\(end; 450 lines\)$/)
  expect((await page({ offset: 450 })).text).toBe('(offset 450 is past the end; there are 450 lines)')
})

test('a pattern is literal, and line numbers stay the same', async () => {
  keep('c', 'a.b\naxb\r\nA.B\nlast a.b')
  expect((await page({ pattern: 'a.b' })).text).toBe('1\ta.b\n4\tlast a.b\n(end; 2 lines with "a.b")')
  expect((await page({ pattern: 'a.b', offset: 1 })).text).toContain('4\tlast a.b')
  expect((await page({ pattern: '(' })).text).toBe('(no lines with "(")')
})

test('long lines continue in the next row, and every character can be read', async () => {
  const whole = `short\n${'0123456789'.repeat(10_000)}\nend`
  keep('c', whole)
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const got = await page({ offset })
    expect(got.text.length).toBeLessThan(result.clip?.chars as number)
    text += got.text
      .split('\n')
      .slice(0, -1)
      .map((row) => (/^\d+\+\t/.test(row) ? '' : '\n') + row.replace(/^\d+\+?\t/, ''))
      .join('')
    offset = got.data?.next ?? null
  }
  expect(text.slice(1)).toBe(whole)
})

test('shows pages of an output that was not cut', async () => {
  const thread = place.store.threads.create({ workspace: '/w', title: 't', profile: 'p' }).id
  place.store.threads.append(thread, 'r', [
    { type: 'tool.result', payload: { call: 'c', tool: 'bash', ok: true, text: 'all of it' } },
  ])
  expect((await page({})).text).toBe('1\tall of it\n(end; 1 lines)')
})

test('prefers the result of the calling thread', async () => {
  const own = keep('c', 'own')
  keep('c', 'other')
  expect((await page({}, { thread: own })).text).toContain('own')
  expect((await page({})).text).toContain('other')
})

test('explains why a result cannot be shown', async () => {
  expect((await page({ call_id: 'nope' })).failed).toMatchObject({ code: 'not_found' })
  const thread = place.store.threads.create({ workspace: '/w', title: 't', profile: 'p' }).id
  place.store.threads.append(thread, 'r', [
    { type: 'tool.call', payload: { call: 'o', tool: 'bash', args: {} } },
  ])
  expect((await page({ call_id: 'o' })).failed?.message).toContain('interrupted')
  place.store.threads.append(thread, 'r', [
    { type: 'tool.result', payload: { call: 'g', tool: 'x', ok: true, text: '', whole: '0'.repeat(64) } },
  ])
  expect((await page({ call_id: 'g' })).failed?.message).toContain('no longer kept')
})
