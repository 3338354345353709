// The tool handoff: stores the state of the work as a package for the next agent or user.
import * as z from 'zod/mini'
import { createId as newId } from '../../base/ids.ts'
import { aggregatorMailbox, resolveMailboxScope } from '../../store/mail/scope.ts'
import { maxBodyBytes } from '../../store/mail/send.ts'
import type { Store } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, optionalTexts } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import about from './handoff.md'

const input = z.object({
  target: field(
    z._default(z.enum(['user', 'next_thread', 'parent', aggregatorMailbox]), 'user'),
    'user: show it; next_thread: start a new conversation with it; parent, aggman: send it to that agent',
  ),
  reason: field(z.optional(z.string()), 'Why the work changes hands now'),
  summary: field(z.string().check(z.minLength(1)), 'Work done so far'),
  goal: field(z.optional(z.string()), 'The next task in one sentence'),
  completed: field(optionalTexts(), 'Finished steps'),
  open_questions: field(optionalTexts(), 'Questions without an answer'),
  recommended_next_steps: field(optionalTexts(), 'Next steps in their order'),
  artifacts: field(optionalTexts(), 'Paths or links of what was made'),
  relevant_files: field(optionalTexts(), 'Files to read first'),
  follow: field(z._default(z.boolean(), false), 'With next_thread: continue in the new conversation'),
})
type HandoffPackage = z.output<typeof input>

export const handoff = defineTool({
  name: 'handoff',
  about,
  input,
  example: {
    summary: 'Moved the parser into its own module',
    completed: ['parser split out'],
    open_questions: ['Should the old entry point stay?'],
  },
  level: 'delegated',
  available: hasStore,
  async run(args, ctx) {
    const store = await storeOf(ctx)
    const markdown = writeMarkdown(args)
    const id = newId('handoff')
    const json = JSON.stringify({ id, thread: ctx.thread ?? null, package: args, markdown })
    const blob = store.blobs.put(Buffer.from(json))
    const delivery = deliverPackage(store, ctx, args, markdown, { id, blob })
    return {
      text: `${delivery.said}\n\n${markdown}`,
      data: { id, target: args.target, blob, markdown, package: args, ...delivery.data },
    }
  },
})

interface StoredHandoff {
  id: string
  blob: string
}

/**
 * Delivers the handoff package to its target. Returns a line for the result, and the ids of the new thread or
 * message. For the user, the result itself is the delivery.
 */
function deliverPackage(
  store: Store,
  ctx: Ctx,
  args: HandoffPackage,
  markdown: string,
  { id, blob }: StoredHandoff,
) {
  if (args.target === 'user') return { said: 'Handoff to the user:', data: {} }
  if (args.target === 'next_thread') {
    const thread = store.threads.create({
      workspace: ctx.policy.roots.workspace,
      title: (args.goal ?? args.summary).split('\n', 1)[0]?.slice(0, 80) ?? '',
      profile: ctx.policy.profile,
      parent: ctx.thread || undefined,
    })
    store.threads.append(thread.id, id, [
      { type: 'message', payload: { role: 'user', text: markdown, handoff: { id, blob } } },
    ])
    return {
      said: `Handoff to the new thread ${thread.id}:`,
      data: { thread_id: thread.id, follow: args.follow },
    }
  }
  const scope = resolveMailboxScope(undefined, ctx.env, ctx.policy.roots.workspace)
  const meta = { handoff: id, blob, thread: ctx.thread ?? null }
  const fits = Buffer.byteLength(markdown) + 1_000 <= maxBodyBytes
  const posted = store.mail.send({
    scope,
    from: ctx.env['ANODE_MAILBOX_NAME'] ?? 'anode',
    to: args.target,
    type: 'result',
    body: fits
      ? markdown
      : `${[...args.summary].slice(0, 10_000).join('')}\n\n(the whole package is blob ${blob})`,
    meta,
    dedupeKey: id,
  })
  return {
    said: `Handoff to ${args.target} (message ${posted.id}, scope ${scope}):`,
    data: { message_id: posted.id, scope, delivered_to: posted.deliveredTo },
  }
}

function writeMarkdown(args: HandoffPackage): string {
  const section = (title: string, items: readonly string[] | undefined) =>
    items && items.length > 0 ? [`## ${title}`, items.map((item) => `- ${item}`).join('\n')] : []
  return [
    `# ${args.goal ?? 'Handoff'}`,
    ...(args.reason ? [`Reason: ${args.reason}`] : []),
    args.summary,
    ...section('Completed', args.completed),
    ...section('Open questions', args.open_questions),
    ...section('Next steps', args.recommended_next_steps),
    ...section('Artifacts', args.artifacts),
    ...section('Files to read first', args.relevant_files),
  ].join('\n\n')
}
