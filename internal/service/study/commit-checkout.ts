// A checkout of a commit in Anode's data directory, from which a worker reads a study about that commit. The
// repository of the worker itself stays as it is.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { FailureError, messageOf } from '../../base/errors.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import { hideSecrets } from '../../base/secrets.ts'
import { gitText, runHardenedGit } from '../../process/git/git.ts'
import type { RunCommand } from '../../process/process-command.ts'
import { commitForm } from '../../study/plan/corpus-commit.ts'

/** Commit and directory that a study wants. */
export interface WantedCommit {
  commit: string
  /** Path below the top of the repository, with a final slash; empty for the top. */
  prefix: string
}

/** Milliseconds after its last use at which a checkout is removed. */
const maxUnusedMs = 7 * 86_400_000

/** Milliseconds that a fetch from the worker's own remote, or the checkout of a commit, may take. */
const fetchMs = 120_000

/**
 * Returns true if `value` has the form of a wanted commit: a full commit id, and a path with a final slash
 * that stays below the top of the repository, or an empty path for the top.
 */
export function isWantedCommit(value: unknown): value is WantedCommit {
  const { commit, prefix } = (value ?? {}) as { commit?: unknown; prefix?: unknown }
  if (typeof commit !== 'string' || !commitForm.test(commit)) return false
  if (typeof prefix !== 'string' || prefix.length > 4096 || /[\0\\]/.test(prefix) || isAbsolute(prefix))
    return false
  const parts = prefix.split('/')
  return (
    prefix === '' ||
    (parts.pop() === '' && parts.every((part) => part !== '' && !/^\.+$|^\.git$/i.test(part)))
  )
}

/**
 * Returns the directory with the files of a commit, which is checked out if it is not there yet. `root` is in
 * the worker's repository. If the repository lacks the commit, it is fetched from `origin`, whose URL the
 * worker's repository knows. Throws FailureError with the reason if that is impossible, or if the commit
 * lacks the directory. No filters and hooks of the repository run.
 */
export async function checkOutCommit(
  root: string,
  { commit, prefix }: WantedCommit,
  { run, env }: { run: RunCommand; env: EnvironmentVariables },
): Promise<string> {
  await demandCommit(root, commit, run)
  const base = join(dataDir(env), 'corpora')
  const dir = join(base, `commit-${commit}`)
  removeUnused(base)
  if (!existsSync(dir)) await createCheckout(root, commit, dir, run)
  const now = new Date()
  utimesSync(dir, now, now)
  const prefixDir = resolve(dir, prefix)
  if (!existsSync(prefixDir)) throw createRefusal(`commit ${commit.slice(0, 12)} has no directory ${prefix}`)
  return prefixDir
}

async function demandCommit(root: string, commit: string, run: RunCommand): Promise<void> {
  const has = async () =>
    (await runHardenedGit(run, root, ['cat-file', '-e', `${commit}^{commit}`]).catch(explainMissingGit))
      .exit === 0
  if (await has()) return
  const remoteOrigin = await runHardenedGit(run, root, ['config', '--get', 'remote.origin.url'])
  if (remoteOrigin.exit !== 0)
    throw createRefusal(`the repository lacks commit ${commit.slice(0, 12)} and has no remote origin`)
  // the URL is the one in the configuration of this repository; no program of the repository is started
  const fetched = await runHardenedGit(
    run,
    root,
    ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', 'origin', commit],
    {
      timeoutMs: fetchMs,
      extraEnv: { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' },
    },
  )
  if (fetched.exit === 0 && (await has())) return
  const why = hideSecrets(fetched.stderr.text.trim().split('\n').at(-1) ?? '', '[secret]')
  throw createRefusal(
    `the repository lacks commit ${commit.slice(0, 12)}, and its remote origin does not send it: ${why}`,
  )
}

function explainMissingGit(error: unknown): never {
  throw createRefusal(`git cannot be used: ${messageOf(error)}`)
}

const createRefusal = (message: string) => new FailureError({ code: 'not_found', message })

/** Checks out the commit into a temporary directory, which is renamed to `dir` once it is complete. */
async function createCheckout(root: string, commit: string, dir: string, run: RunCommand): Promise<void> {
  const draft = join(dir, '..', `.${processIdentity()}.${commit}`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    const objects = resolve(
      root,
      (await gitText(run, root, ['rev-parse', '--git-path', 'objects'])).replace(/\n$/, ''),
    )
    const format = commit.length === 64 ? 'sha256' : 'sha1'
    await gitText(run, draft, ['init', '--quiet', `--object-format=${format}`])
    writeFileSync(join(draft, '.git', 'objects', 'info', 'alternates'), `${objects}\n`)
    await gitText(run, draft, ['read-tree', commit])
    await gitText(run, draft, ['checkout-index', '--all', '--force', '--quiet'], { timeoutMs: fetchMs })
    // another process may have made the same checkout meanwhile
    if (!existsSync(dir)) renameSync(draft, dir)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Removes checkouts that were not used for a week, and incomplete ones of processes that have ended. */
function removeUnused(base: string): void {
  if (!existsSync(base)) return
  for (const name of readdirSync(base)) {
    const draft = /^\.(\d+-[\w-]+)\.[0-9a-f]+$/.exec(name)
    if (!draft && !/^commit-[0-9a-f]+$/.test(name)) continue
    const path = join(base, name)
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    const isUnused = draft ? !isAlive(draft[1] ?? '', ageMs) : ageMs > maxUnusedMs
    if (isUnused) rmSync(path, { recursive: true, force: true })
  }
}
