// The tool find_thread: full-text search over earlier threads.
import * as z from 'zod/mini'
import type { Hit } from '../store/store.ts'
import { field } from '../tool/field.ts'
import { failed } from '../tool/result.ts'
import { hasStore, storeOf } from '../tool/storage.ts'
import { tool } from '../tool/tool.ts'
import about from './find_thread.md'

export const findThread = tool({
  name: 'find_thread',
  about,
  input: z.object({
    query: field(z.string().check(z.minLength(1)), 'Words to look for; phrases in double quotes.'),
    source: field(z._default(z.string(), 'local'), 'Where to look; only local exists.', { rare: true }),
    limit: field(z._default(z.int().check(z.minimum(1)), 10), 'Most threads to return.', {
      cap: 50,
      rare: true,
    }),
  }),
  example: { query: 'refactor database layer' },
  level: 'auto_read',
  available: hasStore,
  async run({ query, source, limit }, ctx) {
    if (source !== 'local') {
      return failed('bad_args', `there is no thread source ${source}`, {
        hint: 'Only local threads are kept.',
      })
    }
    const store = await storeOf(ctx)
    const hits = store.threads.search(query, { limit, ...(ctx.thread && { except: ctx.thread }) })
    const threads = hits.map(({ thread, snippet, pos, score }) => ({
      thread_id: thread.id,
      title: thread.title,
      workspace: thread.workspace,
      profile: thread.profile,
      updated: new Date(thread.updated).toISOString(),
      events: thread.events,
      pos,
      score,
      snippet,
    }))
    const text =
      hits.length === 0
        ? `No thread matches ${query}`
        : hits.map((hit) => entry(hit, ctx.policy.roots.workspace)).join('\n\n')
    return { text, data: { query, source, threads } }
  },
})

function entry({ thread, snippet, pos }: Hit, workspace: string): string {
  const where = thread.workspace === workspace ? '' : `  in ${thread.workspace}`
  const date = new Date(thread.updated).toISOString().slice(0, 10)
  return `${thread.id}  ${date}  ${thread.title || '(untitled)'}${where}\n  event ${pos} of ${thread.events}: ${snippet}`
}
