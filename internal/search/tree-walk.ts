// Walk of a tree without ripgrep. It skips the same hidden, ignored, sensitive and linked entries as ripgrep.
import { type ByteName, bytesOfText } from '../base/text/byte-name.ts'
import { entriesOf, type IgnoreScope, isIgnored, parentScopes, scopesBelow } from './ignore-scopes.ts'
import { isGuarded, type SearchMeans } from './ripgrep/ripgrep.ts'
import type { SearchTree } from './search-tree.ts'

/**
 * Calls `take` for each file in byte order, without hidden, ignored and sensitive ones unless the tree
 * includes them. The glob of the tree does not limit these files. Listed files of the tree are passed as they
 * are. A directory that cannot be read is counted and skipped. Stops at the time limit or when the signal
 * aborts, and names the reason in `ended`.
 */
export async function walkTree(
  tree: SearchTree,
  means: Pick<SearchMeans, 'signal' | 'timeoutMs'>,
  take: (name: ByteName) => void,
) {
  const result = { skipped: 0, unreadable: 0, ended: undefined as 'timeout' | 'cancelled' | undefined }
  if (tree.files) {
    for (const file of tree.files) take(bytesOfText(file))
    return result
  }
  const deadline = performance.now() + means.timeoutMs

  const descend = async (at: ByteName, inherited: readonly IgnoreScope[]): Promise<void> => {
    if (means.signal.aborted) result.ended = 'cancelled'
    else if (performance.now() > deadline) result.ended = 'timeout'
    if (result.ended) return
    const entries = await entriesOf(tree.dir, at)
    if (!entries) {
      result.unreadable++
      return
    }
    const rules = await scopesBelow(tree.dir, at, entries, inherited)
    for (const { name, folder } of entries) {
      const path = at + name
      if (name === '.git' || folder === undefined) continue
      const unseen = !tree.hidden && name.startsWith('.')
      if (tree.guarded && isGuarded(name)) {
        const counts = (!unseen || at === '') && (!tree.glob || tree.glob.test(path))
        if (counts) result.skipped++
      } else if (unseen || (!tree.ignored && isIgnored(path, folder, rules))) continue
      else if (folder) await descend(`${path}/`, rules)
      else take(path)
    }
  }
  await descend('', await parentScopes(tree))
  return result
}
