// Members of the classes of public reports that the matrix of odd replies does not have.
import { describe, expect, test } from 'vitest'
import { formats, runStrict } from '../../../support/strict/strict-run.ts'
import { wholeParts } from '../../../support/strict/whole-parts.ts'

const streamed = { status: 200, headers: { 'content-type': 'text/event-stream' } }

describe.each(formats)('%s', (format) => {
  test.each(wholeParts(format))('%s', async (title, body) => {
    const isText = title.startsWith('text')
    const run = await runStrict(format, [{ ...streamed, body }])
    expect(run.faults).toEqual([])
    expect(run.end.end).toBe('done')
    expect(run.requests).toHaveLength(isText ? 1 : 2)
    if (isText) expect(run.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'whole answer' })
    else expect(run.messages.filter(({ role }) => role === 'tool')).toMatchObject([{ content: 'a' }])
  })
})
