// handoff: the package, where it goes, and that it is kept.
import { expect, test } from 'vitest'
import { handoff } from '../../../../internal/tools/agents/handoff.ts'
import { call } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
const args = {
  summary: 'Moved the parser.',
  reason: 'out of turns',
  goal: 'Finish the parser',
  completed: ['split'],
  open_questions: ['keep the old one?'],
  recommended_next_steps: ['delete it'],
  artifacts: ['out/report.md'],
  relevant_files: ['src/parser.ts'],
}
const markdown = `# Finish the parser

Reason: out of turns

Moved the parser.

## Completed

- split

## Open questions

- keep the old one?

## Next steps

- delete it

## Artifacts

- out/report.md

## Files to read first

- src/parser.ts`

test('shows the package to the user, and stores it as Markdown and JSON', async () => {
  const { text, data } = await call(handoff, args, place.ctx({ thread: 'sess_A' }))
  expect(text).toBe(`Handoff to the user:\n\n${markdown}`)
  expect(data).toMatchObject({ target: 'user', markdown, package: { ...args, target: 'user' } })
  const bytes = place.store.blobs.get(data?.blob as string) as Uint8Array
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({
    id: data?.id,
    thread: 'sess_A',
    package: data?.package,
    markdown,
  })
})

test('writes sections only for the passed fields', async () => {
  const { data } = await call(handoff, { summary: 'Done.', completed: [] }, place.ctx())
  expect(data?.markdown).toBe('# Handoff\n\nDone.')
})

test('next_thread starts a thread with the package and the id of its parent', async () => {
  const { text, data } = await call(
    handoff,
    { ...args, target: 'next_thread', follow: true },
    place.ctx({ thread: 'sess_A' }),
  )
  const id = (data as { thread_id?: string } | null)?.thread_id as string
  expect(data).toMatchObject({ follow: true })
  expect(text).toContain(`new thread ${id}`)
  expect(place.store.threads.get(id)).toMatchObject({
    title: 'Finish the parser',
    parent: 'sess_A',
    profile: 'test',
    workspace: `${place.dir}/workspace`,
  })
  expect(place.store.threads.events(id)).toMatchObject([
    { type: 'message', payload: { role: 'user', text: markdown } },
  ])
})

test.each(['parent', 'aggman'])('delivers the package to the mailbox of %s', async (target) => {
  const { data, text } = await call(handoff, { ...args, target }, place.ctx())
  const scope = `${place.dir}/workspace`
  expect(place.store.mail.list({ scope })).toMatchObject([
    { recipient: target, message: { type: 'result', body: markdown, meta: { blob: data?.blob } } },
  ])
  expect(text).toContain(`Handoff to ${target}`)
})

test('a package too large for a mailbox is delivered as its summary and a pointer', async () => {
  const long = Array.from({ length: 3000 }, (_, i) => `finished item number ${i} 🙂`)
  const { data } = await call(handoff, { summary: 'Much.', completed: long, target: 'parent' }, place.ctx())
  const [delivery] = place.store.mail.list({ scope: `${place.dir}/workspace` })
  expect(delivery?.message.body).toBe(`Much.\n\n(the whole package is blob ${data?.blob})`)
  expect(data?.markdown).toContain('item number 2999')
})

test('rejects an unknown target and a missing summary together', async () => {
  await expect(call(handoff, { target: 'mars' }, place.ctx())).rejects.toThrow(
    /summary.*target|target.*summary/,
  )
})
