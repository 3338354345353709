// Describes what a measured command cannot reach, and the flags that open it.
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { proposeFlags } from './proposed-flags.ts'

/** Returns the hint for a command that works by hand and fails here. */
export async function describeClosed(session: LockedSession, config: ConfigLine): Promise<string> {
  const { kind } = await session.isolation(config)
  const network = kind === 'wall' ? ', no host can be reached' : ''
  const closed = kind === 'none' ? 'no sandbox' : 'a sandbox'
  const proposed = proposeFlags(session.experiment.where.workspace, config)
  const flags =
    proposed.length > 0
      ? `This workspace probably needs ${proposed.join('; ')}. Other files: --env NAME, --carry PATH`
      : 'Add them with --env NAME (GOMODCACHE, CARGO_HOME, RUSTUP_HOME) or --carry PATH (node_modules, .venv)'
  return (
    `[sandbox: the command ran in a fresh checkout with ${closed}: HOME is empty${network}, and ignored ` +
    `files are missing. ${flags}; see \`anode manual research\`]`
  )
}
