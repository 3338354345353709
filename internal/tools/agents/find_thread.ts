// The tool find_thread: full-text search over earlier threads.
import * as z from 'zod/mini'
import { commonDir, isSameProject } from '../../store/repository.ts'
import type { Store, ThreadHit } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import { describeThreadSource, threadSourceLevel } from '../../tool-support/thread-source.ts'
import about from './find_thread.md'

export const findThread = defineTool({
  name: 'find_thread',
  about,
  offer: { mentions: ['read_thread'] },
  input: z.object({
    query: field(z.string().check(z.minLength(1)), 'Words to search for; exact phrases in double quotes'),
    source: field(
      z._default(z.string(), 'local'),
      'local: this workspace; all: every workspace on this machine (the user is asked)',
    ),
    limit: field(z._default(z.int().check(z.minimum(1)), 10), 'Conversations to return', {
      cap: 50,
    }),
  }),
  example: { query: 'refactor database layer' },
  level: 'auto_read',
  access: ({ source }) => ({ level: threadSourceLevel(source), does: describeThreadSource(source) }),
  available: hasStore,
  async run({ query, source, limit }, ctx) {
    threadSourceLevel(source)
    const store = await storeOf(ctx)
    const hits = searchThreads(store, query, limit, ctx, source === 'all')
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
        : hits.map((hit) => formatHit(hit, ctx.policy.roots.workspace)).join('\n\n')
    return { text, data: { query, source, threads } }
  },
})

/**
 * Returns at most `limit` hits of a search, without the current thread: in every workspace, or in this one
 * and then in the other directories of its repository.
 */
function searchThreads(
  store: Store,
  query: string,
  limit: number,
  ctx: Ctx,
  everywhere: boolean,
): ThreadHit[] {
  const options = { limit, except: ctx.thread || undefined }
  if (everywhere) return store.threads.search(query, options)
  const { workspace } = ctx.policy.roots
  const localHits = store.threads.search(query, { ...options, workspace })
  if (localHits.length >= limit || commonDir(workspace) === undefined) return localHits
  const others = store.threads.search(query, { ...options, limit: maxRelatedHits })
  const related = others.filter(
    ({ thread }) => thread.workspace !== workspace && isSameProject(thread.workspace, workspace),
  )
  return [...localHits, ...related].slice(0, limit)
}

/**
 * Largest number of hits of a search in all workspaces, from which the hits in other directories of the same
 * repository, such as worktrees, are selected.
 */
const maxRelatedHits = 200

function formatHit({ thread, snippet, pos }: ThreadHit, workspace: string): string {
  const where = thread.workspace === workspace ? '' : `  in ${thread.workspace}`
  const date = new Date(thread.updated).toISOString().slice(0, 10)
  const head = `${thread.id}  ${date}  ${thread.title || '(untitled)'}${where}`
  return `${head}\n  event ${pos} of ${thread.events}: ${snippet}`
}
