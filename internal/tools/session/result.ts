// The tool result: pages through the output of an earlier call.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { Store } from '../../store/store.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import about from './result.md'

/**
 * Limits of a page: `width` is the number of characters after which a line continues in the next row, and
 * `page` is the largest number of characters of all rows together.
 */
const width = 2_000
const page = 30_000

export const result = defineTool({
  name: 'result',
  about,
  input: z.object({
    call_id: field(z.string().check(z.minLength(1)), 'The id in the note at the end of the cut output', {
      aliases: ['callId', 'id'],
    }),
    offset: field(z._default(z.int().check(z.minimum(0)), 0), 'Lines to skip'),
    limit: field(z._default(z.int().check(z.minimum(1)), 200), 'Lines to return', { cap: 2_000 }),
    pattern: field(z.optional(z.string()), 'Only lines with this literal text'),
  }),
  example: { call_id: 'call_7', offset: 200, pattern: 'error' },
  level: 'auto_read',
  available: hasStore,
  clip: { chars: 40_000, lines: 2_100, keep: 'head' },
  async run({ call_id, offset, limit, pattern = '' }, ctx) {
    const store = await storeOf(ctx)
    const rows = rowsOf(outputOf(store, call_id, ctx.thread), pattern)
    const pageRows: string[] = []
    let chars = 0
    for (const row of rows.slice(offset, offset + limit)) {
      chars += row.length + 1
      if (chars > page && pageRows.length > 0) break
      pageRows.push(row)
    }
    const next = offset + pageRows.length
    const data = {
      call_id,
      total: rows.length,
      offset,
      lines: pageRows.length,
      next: next < rows.length ? next : null,
      // Line numbers of the result count from 1.
      next_line: next < rows.length ? next + 1 : null,
    }
    return {
      text: [...pageRows, describeEnd(data, pattern)].join('\n'),
      data,
      raw: { content: pageRows.join('\n') },
    }
  },
})

/**
 * Returns the complete output of an earlier call. Throws FailureError `not_found` for an unknown call, a call
 * without a result, and an output that is no longer stored.
 */
function outputOf(store: Store, id: string, thread: string | undefined): string {
  const storedCall = store.threads.call(id, thread)
  if (!storedCall) {
    throw new FailureError({
      code: 'not_found',
      message: `no recorded call has the id ${id}`,
      hint: 'Ids are in the notes of results that were cut.',
    })
  }
  const { event } = storedCall
  if (event.type !== 'tool.result' && event.type !== 'check.ran') {
    const message = `the call ${id} has no result: it was interrupted or is still running`
    throw new FailureError({ code: 'not_found', message })
  }
  if (event.payload.whole === undefined) return event.payload.text
  const bytes = store.blobs.get(event.payload.whole)
  if (bytes) return new TextDecoder().decode(bytes)
  throw new FailureError({ code: 'not_found', message: `the whole output of ${id} is no longer kept` })
}

/**
 * Returns the lines of a text with their numbers, long lines in pieces. With `pattern`, returns only lines
 * that contain it.
 */
function rowsOf(text: string, pattern: string): string[] {
  const rows: string[] = []
  for (const [i, line] of text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .entries()) {
    if (!line.includes(pattern)) continue
    for (let at = 0; at === 0 || at < line.length; at += width) {
      rows.push(`${i + 1}${at > 0 ? '+' : ''}\t${line.slice(at, at + width)}`)
    }
  }
  return rows
}

interface ResultPage {
  total: number
  offset: number
  lines: number
  next: number | null
}

function describeEnd({ total, offset, lines, next }: ResultPage, pattern: string): string {
  const what = pattern === '' ? 'lines' : `lines with ${JSON.stringify(pattern)}`
  if (total === 0) return `(no ${what})`
  if (lines === 0) return `(offset ${offset} is past the end; there are ${total} ${what})`
  return next === null
    ? `(end; ${total} ${what})`
    : `(${next} of ${total} ${what}; continue with offset ${next})`
}
