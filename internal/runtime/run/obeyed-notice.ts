// Notices about changed files that control later runs: instructions that agents read, and configuration
// that programs obey.
import { relative } from 'node:path'
import { type ActivityRecord, isObeyed } from '../../agent/receipts.ts'
import { leadsOutside } from '../../base/dirs.ts'
import { stripControlCharacters } from '../../base/text/control-chars.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import type { EventDraft } from '../../event/event.ts'
import type { PathRoots } from '../../policy/policy.ts'
import type { BackgroundWatch } from '../processes/background-watch.ts'

/** Largest number of files that a notice lists. Others are only counted. */
const maxListed = 20

/** Types of events before which changes by background jobs are searched. */
const comparing: ReadonlySet<EventDraft['type']> = new Set(['tool.call', 'job.ended', 'run.ended'])

/**
 * Returns notices about changed files that agents or programs obey later, such as instructions. They are
 * recorded before `draft`. During a run they list the files that background jobs and terminals newly changed;
 * at its end, all such files that the run changed. Empty for most events.
 */
export function noticeObeyed(
  draft: EventDraft,
  activity: ActivityRecord,
  background: BackgroundWatch | undefined,
  roots: PathRoots | undefined,
): EventDraft[] {
  if (!comparing.has(draft.type)) return []
  const paths = background?.changes((path) => isObeyedPath(path, roots)) ?? []
  const fresh = activity.addObeyed(paths)
  if (draft.type !== 'run.ended')
    return fresh.length === 0 ? [] : [createNotice('a background command changed', fresh)]
  const { obeyed } = activity.receipts()
  return obeyed ? [createNotice('this run changed', obeyed)] : []
}

function isObeyedPath(path: string, roots: PathRoots | undefined): boolean {
  if (roots?.instructions?.has(path)) return true
  const name = roots === undefined ? path : relative(roots.workspace, path)
  return isObeyed(leadsOutside(name) ? path : name)
}

function createNotice(what: string, paths: readonly string[]): EventDraft {
  const more = paths.length - maxListed
  const names = paths.slice(0, maxListed).map((path) => stripControlCharacters(path))
  const rest = more > 0 ? ` and ${countNoun(more, 'more file')}` : ''
  const text = `${what} files that agents or programs obey later: ${names.join(', ')}${rest}; check them`
  return { type: 'model.notice', payload: { code: 'obeyed', text } }
}
