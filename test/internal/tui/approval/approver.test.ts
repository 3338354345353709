// The approvers of a question, their order, and a question without an answer.
import { expect, it } from 'vitest'
import { type ApprovalChannels, denialOf, openApprover } from '../../../../internal/tui/approval/approver.ts'
import { requestOf } from '../../../support/approval.ts'

function setup(over: Partial<ApprovalChannels> = {}) {
  const failed: string[] = []
  const made = openApprover({
    terminal: undefined,
    broker: undefined,
    onAsk: 'deny',
    fail: () => void failed.push('failed'),
    interrupt: () => undefined,
    quietly: () => () => undefined,
    ...over,
  })
  const ask = (call: string) => made.ask(requestOf({ call }))
  return { made, ask, failed }
}

it('denies without a user, and ends the run only with --on-ask fail and without another answer', async () => {
  const mild = setup()
  const none = { allow: false, unanswered: true, why: expect.stringContaining('No user is present') }
  expect(await mild.ask('a')).toEqual(none)
  mild.made.giveUp()
  expect([mild.made.failed(), mild.failed]).toEqual([false, []])
  const strict = setup({ onAsk: 'fail' })
  expect(await strict.ask('a')).toEqual(none)
  expect([strict.made.failed(), strict.failed]).toEqual([false, []])
  strict.made.giveUp()
  expect([strict.made.failed(), strict.failed]).toEqual([true, ['failed']])
})

it('asks a client all open questions, in any order of answers, and denies without an answer', async () => {
  const open: string[] = []
  const answers = new Map<string, (verdict: { allow: boolean; why: string } | undefined) => void>()
  const verdict = (call: string) => {
    open.push(call)
    return new Promise<{ allow: boolean; why: string } | undefined>((resolve) => answers.set(call, resolve))
  }
  const { ask } = setup({ broker: { verdict } })
  const both = [ask('a'), ask('b')]
  await expect.poll(() => open).toEqual(['a', 'b'])
  answers.get('b')?.(undefined)
  expect(await both[1]).toMatchObject({ allow: false, unanswered: true })
  answers.get('a')?.({ allow: true, why: 'fine' })
  expect(await both[0]).toEqual({ allow: true, why: 'fine' })
})

it('continues with the next question when one fails', async () => {
  const verdict = async (call: string) => {
    if (call === 'a') throw new Error('the client broke')
    return { allow: true, why: 'fine' }
  }
  const { ask } = setup({ broker: { verdict } })
  const [first, second] = await Promise.allSettled([ask('a'), ask('b')])
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
})

it('numbers select the denied parts, and other text goes to the model unchanged', () => {
  const part = (name: string) => ({ name, action: 'ask' as const, why: '' })
  const parts = [part('cat a'), part('rm b')]
  expect(denialOf('2', parts)).toBe('the user denied it because of: rm b; the other parts may run without it')
  expect(denialOf('1, 2', parts)).toBe('the user denied it because of: cat a; rm b')
  for (const words of ['3', '2 files are enough'])
    expect(denialOf(words, parts)).toBe(`the user denied it and says: ${words}`)
  expect(denialOf('2', undefined)).toBe('the user denied it and says: 2')
  expect(denialOf(undefined, parts)).toBe('the user denied it')
})
