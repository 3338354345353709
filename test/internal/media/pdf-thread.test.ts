// Which thread the next PDF file is read in.
import { expect, test } from 'vitest'
import { endPdfThread, keepPdfThread, takePdfThread } from '../../../internal/media/pdf-thread.ts'

test('reuses a kept thread, for one file at a time', async () => {
  const first = takePdfThread()
  keepPdfThread(first)
  const again = takePdfThread()
  const other = takePdfThread()
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  keepPdfThread(first)
  keepPdfThread(other)
  expect(takePdfThread()).toBe(first)
  await Promise.all([endPdfThread(first), endPdfThread(other)])
})

test('starts a new thread after fifty files, and does not reuse a thread that has ended', async () => {
  const first = takePdfThread()
  for (let i = 1; i < 50; i++) {
    keepPdfThread(first)
    expect(takePdfThread()).toBe(first)
  }
  keepPdfThread(first)
  const second = takePdfThread()
  expect(second).not.toBe(first)
  keepPdfThread(second)
  await endPdfThread(second)
  const third = takePdfThread()
  expect(third).not.toBe(second)
  await endPdfThread(third)
})
