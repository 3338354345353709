// The sources of a suite's corpora: existing directories, and packages and repositories that are fetched once
// into the data directory.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeOf, FailureError, UserError } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isDirectory } from '../../base/files/path-lookup.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { hideSecrets } from '../../base/secrets.ts'
import { gitFailure, gitText, runHardenedGit } from '../../process/git/git.ts'
import type { CommandOutcome, RunCommand } from '../../process/process-command.ts'
import { type CorpusSource, sourceName } from '../../study-eval/corpus-source.ts'
import { integrityOf, unpackArchive } from '../../study-eval/package-archive.ts'

export interface FetchOptions {
  run: RunCommand
  /** Directory with all earlier downloads. */
  cache: string
  /** Directory with clones of repositories, which are used in place of the network. */
  checkout?: string | undefined
  /** Directory in which, and above which, installed packages are searched. */
  from: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  note(text: string): void
}

/** Maximum milliseconds of one download; a longer one is stopped and fails. */
const limitMs = 300_000

/**
 * Returns the directory with all files of a source. Rejects with FailureError if it is unavailable or does
 * not match the suite.
 */
export async function fetchSource(source: CorpusSource, options: FetchOptions): Promise<string> {
  if (source.kind === 'folder') {
    if (existsSync(source.dir)) return source.dir
    throw new FailureError({ code: 'not_found', message: `${source.dir} does not exist` })
  }
  if (source.kind === 'repository') {
    demandCommit(source)
    const { checkout } = options
    if (checkout !== undefined) {
      const url = findClone(source, checkout)
      return inCache(source, options, (dir) => fetchCommit({ ...source, url }, dir, options))
    }
    return inCache(source, options, (dir) => fetchCommit(source, dir, options))
  }
  return (
    findInstalled(source, options.from) ??
    inCache(source, options, (dir) => fetchPackage(source, dir, options))
  )
}

/**
 * Returns the directory of an installed package with exactly this version, from the `node_modules` of `from`
 * or a directory above; undefined without one.
 */
function findInstalled(
  { name, version }: Extract<CorpusSource, { kind: 'package' }>,
  from: string,
): string | undefined {
  for (let dir = from; ; dir = dirname(dir)) {
    const at = join(dir, 'node_modules', name)
    if (versionAt(at) === version) return at
    if (dir === dirname(dir)) return undefined
  }
}

function versionAt(dir: string): unknown {
  try {
    return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version
  } catch (error) {
    if (codeOf(error) === undefined && !(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/**
 * Returns the directory of a source in the cache. If it is missing, fills a temporary directory with `fill`
 * and renames it when it is complete. This also works while another process fetches the same source.
 */
async function inCache(
  source: CorpusSource,
  { cache, note }: FetchOptions,
  fill: (dir: string) => Promise<void>,
): Promise<string> {
  const name = sourceName(source)
  const identity = source.kind === 'package' ? `${name} ${source.integrity}` : JSON.stringify(source)
  const place = join(cache, `${name.replace(/[^\w.-]+/g, '-')}-${fingerprint(identity).slice(0, 12)}`)
  if (existsSync(place)) return place
  note(`fetching ${name}`)
  makeDirectory(cache)
  const draft = await mkdtemp(join(cache, '.fetching-'))
  try {
    await fill(draft)
    await rename(draft, place).catch((error) => {
      if (!existsSync(place)) throw error
    })
    return place
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Fetches a package through npm, so that its registry, proxy and certificates apply. Runs no scripts. Throws
 * FailureError if npm fails or the hash of the archive is not that of the suite.
 */
async function fetchPackage(
  source: Extract<CorpusSource, { kind: 'package' }>,
  dir: string,
  { run, env, signal }: FetchOptions,
): Promise<void> {
  const spec = `${source.name}@${source.version}`
  const envEntries = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      /^(npm_config_(registry|cache)|https?_proxy|no_proxy)$/i.test(entry[0]) && entry[1] !== undefined,
  )
  const drop = await mkdtemp(`${dir}-archive-`)
  try {
    const args = ['pack', spec, '--ignore-scripts', '--loglevel=error', '--pack-destination', drop]
    const outcome = await run({
      file: 'npm',
      args,
      cwd: drop,
      timeoutMs: limitMs,
      signal,
      extraEnv: {
        ...Object.fromEntries(envEntries),
        npm_config_update_notifier: 'false',
        npm_config_fetch_retries: '1',
        npm_config_fetch_retry_mintimeout: '1000',
      },
    })
    if (outcome.exit !== 0) throw npmFailure(spec, outcome.stderr.text, outcome.ended)
    const file = (await readdir(drop)).find((name) => name.endsWith('.tgz'))
    if (file === undefined) throw npmFailure(spec, 'npm left no archive', undefined)
    const archive = await readFile(join(drop, file))
    if (integrityOf(archive) !== source.integrity) {
      throw new FailureError({
        code: 'io',
        message: `${spec} is not the archive that the suite names (its hash differs)`,
      })
    }
    unpackArchive(archive, dir)
  } finally {
    await rm(drop, { recursive: true, force: true })
  }
}

/**
 * Returns a failure with the reason why npm was stopped early, or else the most informative line
 * of its output.
 */
function npmFailure(spec: string, output: string, endReason: string | undefined): FailureError {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  const why =
    endReason ?? lines.find((line) => /^\d{3} |request to|ENOTFOUND|No matching/.test(line)) ?? lines[0]
  return new FailureError({ code: 'network', message: `npm pack ${spec}: ${why || 'no answer'}` })
}

/** Returns the absolute path of the directory with clones that `--checkout` names, or throws UserError. */
export function findCheckouts(named: string, cwd: string): string {
  const dir = resolve(cwd, named)
  if (isDirectory(dir)) return dir
  throw new UserError(`--checkout: ${named} is not a directory`, {
    hint: 'name the directory that contains the clones of the repositories',
  })
}

/**
 * Returns the clone of a repository below a directory, by the last part of its name or the last two parts.
 * Throws FailureError without one.
 */
function findClone({ url }: RepositorySource, checkout: string): string {
  const parts = url.replace(/(?:\.git)?\/*$/, '').split('/')
  const name = parts.at(-1) ?? ''
  const names = [name, `${name}.git`, parts.slice(-2).join('/'), `${parts.slice(-2).join('/')}.git`]
  const dirs = names.map((one) => join(checkout, one))
  const cloneDir = dirs.find((dir) => existsSync(join(dir, '.git')) || existsSync(join(dir, 'HEAD')))
  if (cloneDir !== undefined) return cloneDir
  const shownUrl = hideSecrets(url, '[secret]')
  const message = `no clone of ${shownUrl} is in ${checkout}; run git clone ${shownUrl} ${dirs[0]}`
  throw new FailureError({ code: 'not_found', message })
}

type RepositorySource = Extract<CorpusSource, { kind: 'repository' }>

/**
 * Throws FailureError unless the commit is a full hash. A branch name may mean another commit later, and git
 * could read other text as an option.
 */
function demandCommit({ commit }: RepositorySource): void {
  if (/^[0-9a-f]{40}$/.test(commit)) return
  throw new FailureError({
    code: 'not_found',
    message: `invalid commit "${commit.slice(0, 60)}": use its 40 hex digits, as git rev-parse prints them`,
  })
}

const lacksCommit = /not our ref|unadvertised object|remote ref|not a valid object/

/**
 * Returns a failure with the reason from git and a fix; `not_found` if the repository does not give
 * out the commit.
 */
function fetchFailure(source: RepositorySource, outcome: CommandOutcome): FailureError {
  const { failure } = gitFailure('fetch', outcome)
  if (lacksCommit.test(failure.message)) {
    const message = 'the repository does not give out this commit; name one that its branches or tags hold'
    return new FailureError({ ...failure, code: 'not_found', message })
  }
  const [why] = failure.message.split('\n')
  return new FailureError({
    ...failure,
    message: `${why}; git ls-remote ${hideSecrets(source.url, '[secret]')} must work here`,
  })
}

/**
 * Fetches one commit without its history. As for every foreign repository, git runs no hooks,
 * filters or programs.
 */
async function fetchCommit(
  source: RepositorySource,
  dir: string,
  { run, signal }: FetchOptions,
): Promise<void> {
  const { url, commit } = source
  await gitText(run, dir, ['init', '--quiet'], { signal })
  const fetched = await runHardenedGit(
    run,
    dir,
    ['fetch', '--quiet', '--depth=1', '--no-tags', url, commit],
    {
      signal,
      timeoutMs: limitMs,
      extraEnv: { GIT_ALLOW_PROTOCOL: 'https:file' },
    },
  )
  if (fetched.exit !== 0) throw fetchFailure(source, fetched)
  await gitText(run, dir, ['checkout', '--quiet', '--detach', commit], { signal, timeoutMs: limitMs })
}
