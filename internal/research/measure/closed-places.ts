// Messages about files that a measured command cannot read: those that permission rules forbid, and those
// that need a flag such as `--carry`.
import { join } from 'node:path'
import { isWithin } from '../../policy/paths/path-jail.ts'
import type { ClosedPaths } from '../../process/process-command.ts'
import type { BenchmarkSettings } from '../ledger/ledger-entry.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { isolatedRoot } from './isolation/isolation.ts'
import { proposeFlags } from './proposed-flags.ts'

/** Returns the forbidden paths of a repository, for its checkout at `dir` instead of the files at `top`. */
export function closedInCheckout({ covers, mayContain }: ClosedPaths, dir: string, top: string): ClosedPaths {
  const inRepository = (path: string) => (isWithin(path, dir) ? top + path.slice(dir.length) : path)
  return {
    covers: (path) => covers(inRepository(path)),
    mayContain: (path) => mayContain(inRepository(path)),
  }
}

/** Largest number of files that a notice lists. Further files are only counted. */
const maxNamed = 8

/**
 * Returns one notice with the files that permission rules hid from the measured command, or an empty list
 * without such files.
 */
export function closedNotes({ closed, experiment }: LockedSession): string[] {
  if (closed.size === 0) return []
  const { repository } = experiment.where
  const workspace = `${join(isolatedRoot, 'checkout')}/${repository?.prefix ?? ''}`
  const lines = [...closed].map((line) => line.replace(workspace, ''))
  const named = lines.slice(0, maxNamed)
  const rest = lines.length > maxNamed ? [`${lines.length - maxNamed} more`] : []
  return [`[sandbox: ${[...named, ...rest].join('; ')}]`]
}

/**
 * Sends a warning with the files that permission rules hid from the measured command, for results that
 * have no notices.
 */
export function warnOfClosed(session: LockedSession): void {
  for (const text of closedNotes(session)) session.experiment.tell({ kind: 'warning', code: 'closed', text })
}

/** Returns a hint for a command that works when the user runs it but fails in a measurement. */
export async function describeClosed(session: LockedSession, settings: BenchmarkSettings): Promise<string> {
  const { kind } = await session.isolation(settings)
  const network = kind === 'wall' ? ', no host can be reached' : ''
  const closed = kind === 'none' ? 'no sandbox' : 'a sandbox'
  const proposed = proposeFlags(session.experiment.where.workspace, settings)
  const flags =
    proposed.length > 0
      ? `This workspace probably needs ${proposed.join('; ')}. Other files: --env NAME, --carry PATH`
      : 'Add them with --env NAME (GOMODCACHE, CARGO_HOME, RUSTUP_HOME) or --carry PATH (node_modules, .venv)'
  const byRules = closedNotes(session).map((note) => `${note} `)
  return (
    byRules.join('') +
    `[sandbox: the command ran in a fresh checkout with ${closed}: HOME is empty${network}, and ignored ` +
    `files are missing. ${flags}; see \`anode manual research\`]`
  )
}
