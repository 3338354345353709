// Posting: one transaction for a tick; its failure is everybody's, a refusal one message's alone.
import { expect, test } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import { createSendBatcher } from '../../../../internal/store/mail/mailbox.ts'
import type { OutgoingMessage, SendReceipt } from '../../../../internal/store/store.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const posted: SendReceipt = { id: 'x', deliveredTo: [], duplicate: false, dead: [], full: [] }
const message = (body: string): OutgoingMessage => ({ scope: 's', from: 'a', to: 'b', type: 'status', body })
const count = () => place.db.get<{ n: number }>('SELECT count(*) AS n FROM x')?.n

function gather(failing: FailureError) {
  place.db.exec('CREATE TABLE x (a)')
  return createSendBatcher(place.db, ({ body }) => {
    if (body === 'bad') throw failing
    place.db.run('INSERT INTO x VALUES (?)', body)
    return posted
  })
}

test('a rejected message of a batch does not stop the other messages', async () => {
  const post = gather(new FailureError({ code: 'too_large', message: 'no' }))
  const answers = await Promise.allSettled(['1', 'bad', '2'].map((body) => post(message(body))))
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(count()).toBe(2)
})

test('a full disk stores no message of a batch and reports an error for each', async () => {
  const post = gather(new FailureError({ code: 'io', message: 'full' }))
  const answers = await Promise.allSettled(['1', 'bad', '2'].map((body) => post(message(body))))
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(count()).toBe(0)
  await expect(post(message('later'))).resolves.toEqual(posted)
})
