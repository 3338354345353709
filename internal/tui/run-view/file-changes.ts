// The file changes of a run, read from the results of its calls and summed up for each file.

import { objectOf } from '../../base/untrusted-json.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** A file after a run. Its kind is A (created), M (modified), D (deleted) or R (renamed). */
export interface ChangedFile {
  kind: 'A' | 'M' | 'D' | 'R'
  path: string
  added: number
  removed: number
  /**
   * False if the policy expected a successful call to write the file, but its result does not report
   * the changed lines.
   */
  counted: boolean
}

/**
 * Returns the file changes in a result: its `diffs`, its one `diff` of one `path`, or the content of a
 * created file. A failed call or a dry run has no changes.
 */
export function readFileDiffs({ ok, data, args }: ToolOutcome): FileDiff[] {
  const { diffs, path, diff, action, dry_run: isTrial } = data
  if (!ok || isTrial === true) return []
  if (Array.isArray(diffs) && diffs.length > 0) return diffs.filter(isFileDiff)
  if (typeof path !== 'string') return []
  if (typeof diff === 'string') {
    // The first two lines of a diff name the file and are removed.
    const hunks = diff.split('\n').slice(2).join('\n')
    return [{ path, what: 'changed', hunks, added: countOf(data.added), removed: countOf(data.removed) }]
  }
  return action === 'created' && typeof args.content === 'string' ? [newFile(path, args.content)] : []
}

function isFileDiff(value: unknown): value is FileDiff {
  const { path, what, hunks, added, removed } = (value ?? {}) as Record<string, unknown>
  const texts = [path, what, hunks].every((one) => typeof one === 'string')
  return texts && [added, removed].every((one) => typeof one === 'number')
}

const countOf = (value: unknown) => (typeof value === 'number' ? value : 0)

function newFile(path: string, content: string): FileDiff {
  const lines = content.split('\n')
  const isEnded = lines.at(-1) === ''
  if (isEnded) lines.pop()
  const end = isEnded || content === '' ? '' : '\\ No newline at end of file\n'
  const hunks = lines.map((line) => `+${line}\n`).join('') + end
  return { path, what: 'created', hunks, added: lines.length, removed: 0 }
}

interface ChangeList {
  /**
   * Adds the changes of a call. `writes` are the paths that the policy expected it to write; they
   * are listed as modified if a successful call reports no changes, unless it was a dry run or says
   * that nothing changed.
   */
  add(outcome: ToolOutcome, writes?: readonly string[]): void
  /**
   * Returns the files in the order of the first change under their present name, without files that were
   * created and deleted.
   */
  files(): ChangedFile[]
}

export function collectChanges(): ChangeList {
  const files = new Map<string, ChangedFile>()
  const put = (kind: ChangedFile['kind'], { path, added, removed }: FileDiff, from?: ChangedFile) => {
    const before = files.get(path) ?? from
    if (before?.kind === 'A' && kind === 'D') {
      files.delete(path)
      return
    }
    files.set(path, {
      kind: mergeKinds(before?.kind, kind),
      path,
      added: (before?.added ?? 0) + added,
      removed: (before?.removed ?? 0) + removed,
      counted: true,
    })
  }
  return {
    add(outcome, writes = []) {
      const diffs = readFileDiffs(outcome)
      for (const diff of diffs) {
        const old = /^renamed from (.+?)(?:, executable)?$/.exec(diff.what)?.[1]
        if (old !== undefined) {
          const from = files.get(old)
          files.delete(old)
          put('R', diff, from)
        } else if (!diff.what.startsWith('renamed to ')) put(kindOf(diff.what), diff)
      }
      const { dry_run: isTrial, action } = outcome.data
      if (diffs.length > 0 || !outcome.ok || isTrial === true || action === 'unchanged') return
      for (const path of writes) {
        if (!files.has(path)) files.set(path, { kind: 'M', path, added: 0, removed: 0, counted: false })
      }
    },
    files: () => [...files.values()],
  }
}

function kindOf(what: string): ChangedFile['kind'] {
  if (what.startsWith('created')) return 'A'
  return what.startsWith('removed') ? 'D' : 'M'
}

/**
 * Returns the kind of two changes together. A deletion replaces every earlier kind. A new or renamed file
 * keeps its kind after other changes. A file that was deleted and created again is modified.
 */
function mergeKinds(before: ChangedFile['kind'] | undefined, now: ChangedFile['kind']): ChangedFile['kind'] {
  if (before === undefined || now === 'D') return now
  if (before === 'A' || before === 'R') return before
  return before === 'D' ? 'M' : now === 'A' ? 'M' : now
}

/** Returns the paths that the policy expected a call to write, from its stored scope. */
export function writesOf(scope: unknown): string[] {
  if (!Array.isArray(scope)) return []
  return scope.flatMap((one) => {
    const { kind, path, access } = objectOf(one) ?? {}
    return kind === 'path' && access === 'write' && typeof path === 'string' ? [path] : []
  })
}
