// Attributes of files besides their content. They are copied when a file is replaced, or reported as lost.
import type { Stats } from 'node:fs'
import { findStats } from '../base/files/path-lookup.ts'
import type { TransactionChange } from '../base/files/transaction-file.ts'
import type { Ctx } from '../tool/ctx.ts'

/** Matches errors of a `cp` that lacks the options used here. Such an error does not concern the file. */
const unknownOption = /unrecogni[sz]ed|illegal|invalid|unknown option/i

interface AttributeKeeper {
  changes: TransactionChange[]
  /**
   * Returns lines about lost attributes, for the result of the call. It has to be called after the changes.
   */
  losses(): string[]
}

/**
 * Returns the changes, and a function that reports lost attributes. On Linux, if programs can be started,
 * each change that replaces a file has a step that copies extended attributes to the new file, and access
 * lists if the mode stays the same.
 */
export function keepAttributes(
  changes: readonly TransactionChange[],
  { can, signal }: Pick<Ctx, 'can' | 'signal'>,
): AttributeKeeper {
  const lines: string[] = []
  const before = new Map<TransactionChange, Stats | undefined>(
    changes.map((change) => [change, findStats(change.path)]),
  )
  const keep = (change: TransactionChange): TransactionChange => {
    const {
      processes: { run },
    } = can
    const was = before.get(change)
    if (!run || !was || !change.bytes || process.platform !== 'linux') return change
    const displayPath = change.shown ?? change.path
    return {
      ...change,
      async copyAttributes(from, to) {
        // Access lists are copied together with the mode, so only if the mode stays the same.
        const sameMode = change.mode === undefined || change.mode === (was.mode & 0o7777)
        const what = sameMode ? 'mode,xattr' : 'xattr'
        const args = ['--attributes-only', `--preserve=${what}`, '--', from, to]
        const how = { cwd: '/', childless: true, timeoutMs: 5_000, extraEnv: { LC_ALL: 'C' }, signal }
        const done = await run({ file: 'cp', args, ...how }).catch(() => undefined)
        const complaint = done?.stderr.text.split('\n')[0] ?? ''
        if (done && done.exit !== 0 && !unknownOption.test(complaint))
          lines.push(
            `not all extended attributes and access lists of ${displayPath} were kept (${complaint})`,
          )
      },
    }
  }
  return {
    changes: changes.map(keep),
    losses: () => [...changes.flatMap((change) => lossesOf(change, before.get(change))), ...lines],
  }
}

function lossesOf(change: TransactionChange, was: Stats | undefined): string[] {
  const displayPath = change.shown ?? change.path
  const is = change.bytes && was ? findStats(change.path) : undefined
  if (!was || !is) return []
  const out: string[] = []
  if (was.nlink > 1) {
    const others = was.nlink === 2 ? 'its other name keeps' : `its ${was.nlink - 1} other names keep`
    out.push(`${displayPath} was a hard link: ${others} the old content`)
  }
  if (was.uid !== is.uid || was.gid !== is.gid)
    out.push(`${displayPath} belonged to ${was.uid}:${was.gid} and belongs to ${is.uid}:${is.gid} now`)
  return out
}
