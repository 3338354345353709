// The lookup of threads by name, and the short form of ids.
import { UserError } from '../../../internal/base/errors.ts'
import type { Store, Thread } from '../../../internal/store/store.ts'

/**
 * Returns the thread with this id or unique prefix of one; `last` means the latest thread, of any workspace,
 * that is not archived. Throws UserError (exit 2) for an unknown or ambiguous name, and for `last` if no such
 * thread is stored.
 */
export function findThread(store: Store, name: string): Thread {
  const matches = name === 'last' ? store.threads.list({ limit: 1 }) : store.threads.find(name)
  if (matches.length === 1) return matches[0] as Thread
  if (name === 'last')
    throw new UserError('no thread is stored yet', { hint: 'anode "your message" starts one' })
  const hint =
    matches.length === 0
      ? isStudyId(name)
        ? `see \`anode threads list\`; a study is shown by \`anode study report ${name}\``
        : 'see `anode threads list`'
      : `it could be ${matches
          .slice(0, 4)
          .map((t) => t.id)
          .join(', ')}`
  throw new UserError(`${matches.length === 0 ? 'no thread' : 'more than one thread'} named ${name}`, {
    hint,
  })
}

/**
 * Returns true if the name has the form of a study's id, or of the first ten or more characters of one. The
 * ids of threads have a prefix; the ids of studies do not.
 */
const isStudyId = (name: string) => /^[0-7][0-9A-HJKMNP-TV-Z]{9,25}$/i.test(name)

/**
 * Returns the shortest prefix of an id that is unique among the listed ids, with at least 13 characters. If
 * no such prefix exists, returns the whole id.
 */
export function shortId(id: string, all: readonly string[]): string {
  for (let length = 13; length < id.length; length++) {
    const head = id.slice(0, length)
    if (all.every((other) => other === id || !other.startsWith(head))) return head
  }
  return id
}

/**
 * Returns a thread like `findThread`, except that `last` means the latest thread in which a model worked,
 * in `workspace` or else in any workspace. If the latest 200 threads contain none, `last` means the same
 * as in `findThread`.
 */
export function findAgentThread(store: Store, name: string, workspace: string): Thread {
  if (name !== 'last') return findThread(store, name)
  // A thread that contains only tool calls by the user has no model, so it is skipped.
  const newest = (query: { workspace?: string }) =>
    store.threads.list({ ...query, limit: 200 }).find(({ model }) => model !== null)
  return newest({ workspace }) ?? newest({}) ?? findThread(store, 'last')
}
