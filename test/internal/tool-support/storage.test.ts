// Storage: the session's store, or the reason why it is missing.
import { expect, test } from 'vitest'
import type { ToolInput } from '../../../internal/tool/tool.ts'
import { hasStore, storeOf } from '../../../internal/tool-support/storage.ts'
import { receiveMessages } from '../../../internal/tools/agents/receive_messages.ts'
import { sendMessage } from '../../../internal/tools/agents/send_message.ts'
import { accessOf, ctxWith } from '../../support/ctx.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()

test('returns the store of the session', async () => {
  expect(hasStore(place.ctx())).toBe(true)
  expect(await storeOf(place.ctx())).toBe(place.store)
})

test('gives the reason in a session without a store', async () => {
  expect(hasStore(ctxWith())).toContain('no data directory')
  await expect(storeOf(ctxWith())).rejects.toMatchObject({ failure: { code: 'unavailable' } })
})

test('mailboxes of another project or study raise the level of an agent, not of a user', async () => {
  const own = place.ctx().policy.roots.workspace
  const inside = { thread: 'sess_1' }
  const worker = { thread: undefined, env: { ...place.ctx().env, ANODE_MAILBOX_SCOPE: 'study:01A' } }
  for (const tool of [receiveMessages, sendMessage] as const) {
    const level = (scope: string | undefined, over: object) =>
      accessOf<ToolInput, unknown>(
        tool as never,
        { recipient: 'w', to: 'w', scope } as never,
        place.ctx(over),
      ).level
    for (const other of ['/elsewhere', `${own}/sub`, `${own}/`, 'study:01B', '*', ' ']) {
      expect(level(other, inside), `${tool.name} ${other}`).toBe('confirm_execute')
      expect(level(other, worker), `${tool.name} ${other}`).toBe('confirm_execute')
      expect(level(other, { thread: undefined }), 'a script of a person').toBe(tool.level)
    }
    for (const mine of [undefined, '', own]) expect(level(mine, inside), `${mine}`).toBe(tool.level)
    expect(level('study:01A', worker)).toBe(tool.level)
    expect(level(own, worker), 'the workspace is not the study').toBe('confirm_execute')
  }
})
