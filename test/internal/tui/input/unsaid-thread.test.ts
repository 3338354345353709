// Texts of conversations in which nothing was said are found again by their folder.
import { expect, test } from 'vitest'
import { openDraftFile } from '../../../../internal/tui/input/draft.ts'
import { findUnsaid, rememberUnsaid } from '../../../../internal/tui/input/unsaid-thread.ts'
import { scratch } from '../../../support/scratch.ts'

test('the last text of a folder is found as long as it is kept', async () => {
  const [data, here, there] = [scratch(), scratch(), scratch()]
  expect(findUnsaid(data, here)).toBeUndefined()
  const write = async (thread: string, text: string) => {
    const draft = openDraftFile(data, thread, { kept: () => rememberUnsaid(data, here, thread) })
    draft.change(text)
    await draft.flush()
  }
  const before = Date.now() - 1
  await write('sess_one', 'first')
  await write('sess_two', 'second')
  const found = findUnsaid(data, here)
  expect(found?.thread).toBe('sess_two')
  expect(found?.savedAt).toBeGreaterThanOrEqual(before)
  expect(findUnsaid(data, there)).toBeUndefined()
  const draft = openDraftFile(data, 'sess_two')
  draft.load()
  draft.change('')
  await draft.flush()
  expect(findUnsaid(data, here)).toBeUndefined()
})
