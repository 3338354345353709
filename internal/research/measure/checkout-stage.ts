// Environment, directories and isolation of the commands in a checkout, and the check for forbidden changes
// outside of it.
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { redactorFor, secretFiles } from '../workspace/holdout.ts'
import { commandWords } from '../workspace/integrity-lock.ts'
import { bareEnvironment, type ExecutionStage } from './benchmark-execution.ts'
import { dataFolderOf } from './checkout-folders.ts'
import { closedInCheckout } from './closed-places.ts'
import { isolatedRoot } from './isolation/isolation.ts'
import { visibleFolders } from './isolation/visible-folders.ts'
import { changedJudgeData, readJudgeData } from './judge-data.ts'
import { readSelfState, restoreSelfState, selfChanges } from './self-state.ts'

interface CheckoutPlace {
  dir: string
  cwd: string
  prefix: string
  config: ConfigLine
  slot: number
  /** Names of the sealed files, which a candidate may not change, relative to the workspace. */
  sealed: readonly string[]
}

export async function prepareCheckoutStage(
  session: LockedSession,
  { dir, cwd, prefix, config, slot, sealed }: CheckoutPlace,
): Promise<ExecutionStage> {
  const { signal, run, env, closed } = session.experiment.options
  const { workspace, repository } = session.experiment.where
  const bareEnv = bareEnvironment(env, config.env)
  const fresh = join(session.dir, 'tmp', `home${String(slot).padStart(2, '0')}`)
  await rm(fresh, { recursive: true, force: true })
  const isolation = await session.isolation(config)
  const data = dataFolderOf(session.dir)
  const places = {
    checkout: dir,
    cwd: join(isolatedRoot, 'checkout', prefix),
    keep: visibleFolders([repository?.top ?? workspace, ...(bareEnv.PATH ?? '').split(':')]),
    cover: ['research', 'holdouts', 'checkouts'].map((name) => join(data, name)),
    mask: await secretFiles(session, config),
    shown: shownPaths([config.command, config.build, config.checks], data),
    locked: sealed.map((file) => prefix + file),
    closed: closed && closedInCheckout(closed, dir, repository?.top ?? workspace),
  }
  return {
    run,
    cwd,
    env: bareEnv,
    fresh,
    signal,
    closed: session.closed,
    cpus: isolation.cpus,
    redact: await redactorFor(session, config),
    shown: isolation.kind === 'none' ? cwd : join(isolatedRoot, 'checkout', prefix),
    isolated: isolation.kind === 'none' ? undefined : places,
    sandboxed: isolation.kind === 'none' ? undefined : isolation.kind === 'wall',
  }
}

/**
 * Matches paths that every sandbox mounts itself. A device such as `/dev/null` could not be opened if it were
 * mounted once more.
 */
const ownPlaces = /^\/(?:dev|proc|sys)(?:\/|$)/

/**
 * Returns the real paths of the existing files that the commands name by an absolute path, and the directory
 * of this program. They stay readable in the sandbox. Skips `/`, paths in /dev, /proc and /sys, and paths
 * around or in the data directory.
 */
function shownPaths(commands: readonly (string | undefined)[], data: string): string[] {
  const named = commands.flatMap((command) => commandWords(command ?? '')).filter(isAbsolute)
  const programFolders = process.argv[1] === undefined ? [] : [dirname(realOf(process.argv[1]) ?? '/')]
  const realPaths = [...named, ...programFolders].map(realOf).filter((path) => path !== undefined)
  const isPlace = (path: string) =>
    path !== '/' && !ownPlaces.test(path) && !`${data}/`.startsWith(`${path}/`) && !path.startsWith(data)
  return [...new Set(realPaths.filter(isPlace))].sort()
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // The word is not the path of a file, so it is skipped.
    return undefined
  }
}

/**
 * Records the data of the judge and, without isolation, the state of the measuring process, which an
 * execution must not change. `changed` returns a text about their changes since then, or undefined. It
 * restores the state of the process.
 */
export async function watchOutside(session: LockedSession, { run, env, cwd, isolated }: ExecutionStage) {
  const judge = readJudgeData(session)
  const tools = { run, env, cwd }
  const self = isolated ? undefined : await readSelfState(tools)
  return {
    async changed(): Promise<string | undefined> {
      if (self) {
        const now = await readSelfState(tools)
        const different = selfChanges(self, now)
        if (different.length > 0) {
          await restoreSelfState(self, now, tools)
          return `the measuring process: ${different.join(', ')}`
        }
      }
      return changedJudgeData(session, judge)
    },
  }
}
