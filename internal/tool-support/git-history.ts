// The git history of files in the workspace. Git runs so that it starts no programs, and no text of a call
// can become an option.
import { FailureError } from '../base/errors.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { quotePath } from '../base/text/quoting/quote-path.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import { isWithin } from '../policy/paths/path-jail.ts'
import { type GitOptions, gitFailure, gitText, runHardenedGit } from '../process/git/git.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { ToolResult } from '../tool/result.ts'
import { locatePath } from './path-location.ts'

interface HistoryQuery {
  operation: 'log' | 'show' | 'diff' | 'blame' | 'file'
  path?: string | undefined
  revision: string
  to?: string | undefined
  limit: number
  start_line?: number | undefined
  end_line?: number | undefined
}

interface HistoryData {
  operation: HistoryQuery['operation']
  /** Full hash of the commit `revision`. */
  revision: string
  /** Files that are left out, because the policy denies or asks about reading them. */
  omitted: string[]
  truncated: boolean
}

/**
 * Largest number of bytes of git's output, of which a model reads a small part; `limitMs` limits its
 * time in milliseconds.
 */
const keepBytes = 1 << 20
const limitMs = 20_000
const maxRevisionChars = 250

interface GitRepository {
  run: RunCommand
  cwd: string
  options: GitOptions
}

/**
 * A path as git gets it, relative to its working directory. `pathspec` matches the path
 * literally, without wildcards.
 */
interface HistoryPath {
  path: string
  pathspec: string
}

/**
 * Returns the output of git. Throws FailureError `bad_args` for an unknown revision, `not_found`
 * outside a repository, `too_large` for over 1,000 omitted files, `command_failed` if git fails, and
 * the errors of `locatePath`.
 */
export async function readGitHistory(query: HistoryQuery, ctx: Ctx): Promise<ToolResult<HistoryData>> {
  const run = ctx.can.processes.run as RunCommand
  const cwd = ctx.policy.roots.workspace
  const options: GitOptions = { signal: ctx.signal, timeoutMs: limitMs, keepBytes }
  const repository: GitRepository = { run, cwd, options }
  const place = locateHistory(query.path ?? '.', ctx)
  await requireRepository(repository)
  const revision = await resolveRevision(repository, query.revision)
  const omitted: string[] = []
  const { text, cut: isCut } = await readOperation(repository, { query, place, revision, omitted }, ctx)
  const notes = [
    ...(isCut ? ['git printed more than 1 MiB; the middle is omitted: name a path'] : []),
    ...(omitted.length > 0
      ? [`${countNoun(omitted.length, 'file')} omitted, may contain secrets: ${listPaths(omitted)}`]
      : []),
  ]
  return {
    text: withoutControls(text).trimEnd() || describeEmpty(query),
    closing: notes.length > 0 ? `\n[${notes.join('; ')}]` : '',
    data: { operation: query.operation, revision, omitted, truncated: isCut },
  }
}

interface HistoryRequest {
  query: HistoryQuery
  place: HistoryPath
  revision: string
  omitted: string[]
}

async function readOperation(
  repository: GitRepository,
  reading: HistoryRequest,
  ctx: Ctx,
): Promise<{ text: string; cut: boolean }> {
  const { query, place, revision } = reading
  switch (query.operation) {
    case 'log':
      return runGit(repository, [
        ...['log', '--no-color', '--no-decorate', '--no-mailmap', '--no-show-signature', '--date=short'],
        ...['--format=%h %ad %an: %s', `--max-count=${query.limit}`, revision, '--', place.pathspec],
      ])
    case 'blame':
      return runGit(repository, [
        ...['blame', '--date=short', ...lineRange(query)],
        ...[revision, '--', place.path],
      ])
    case 'file':
      return readFileAt(repository, query, `${revision}:./${place.path}`)
    case 'diff': {
      const to = query.to === undefined ? [] : [await resolveRevision(repository, query.to)]
      return readDiff(repository, reading, [revision, ...to], ctx)
    }
    default:
      return showCommit(repository, reading, ctx)
  }
}

async function showCommit(repository: GitRepository, reading: HistoryRequest, ctx: Ctx) {
  const { run, cwd, options } = repository
  const format = '--format=commit %H%nAuthor: %an <%ae>%nDate:   %ad%n%n%w(0,4,4)%B'
  const head = await runGit(repository, [
    ...['show', '--no-color', '--no-patch', '--no-notes', '--no-mailmap', '--no-show-signature'],
    ...['--date=iso-strict', format, reading.revision],
  ])
  const parents = await gitText(run, cwd, ['rev-parse', `${reading.revision}^@`], options)
  const first = parents.trim().split('\n')[0] || (await emptyTree(repository))
  const diff = await readDiff(repository, reading, [first, reading.revision], ctx)
  return { text: `${head.text.trimEnd()}\n\n${diff.text}`, cut: head.cut || diff.cut }
}

/**
 * Returns git's output about differences. Files that the agent may not read without approval are left out and
 * added to `omitted`, except a file that the call names. A renamed file appears as two files. Throws
 * FailureError `too_large` for over 1,000 omitted files.
 */
async function readDiff(
  repository: GitRepository,
  { place, omitted }: HistoryRequest,
  range: readonly string[],
  ctx: Ctx,
): Promise<{ text: string; cut: boolean }> {
  const { run, cwd, options } = repository
  const shape = ['--no-color', '--no-renames', '--relative', '--ignore-submodules=all', '-O/dev/null']
  const names = await gitText(
    run,
    cwd,
    ['diff', ...shape, '--name-only', '-z', ...range, '--', place.pathspec],
    options,
  )
  for (const path of names.split('\0').filter((name) => name !== '' && name !== place.path))
    if (await isBarred(path, ctx)) omitted.push(path)
  if (omitted.length > maxOmitted) {
    throw new FailureError({
      code: 'too_large',
      message: `${omitted.length} files of this change may contain secrets`,
      hint: 'Name the file or directory to show as path.',
    })
  }
  const diffOptions = [
    ...shape,
    '--submodule=short',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--stat',
    '--patch',
  ]
  const hidden = omitted.map((path) => `:(exclude,literal)${path}`)
  return runGit(repository, ['diff', ...diffOptions, ...range, '--', place.pathspec, ...hidden])
}

/**
 * Largest number of paths to leave out of a diff, because they are arguments of a process. With more,
 * the call fails.
 */
const maxOmitted = 1_000

/**
 * Returns true if reading the path with the tool `read` would need approval or be denied, for a reason other
 * than a place outside the workspace.
 */
async function isBarred(path: string, ctx: Ctx): Promise<boolean> {
  const scope = [{ kind: 'path', path, access: 'read' }] as const
  const call = { tool: 'read', level: 'auto_read', args: { path }, scope } as const
  const { action, code } = decide(
    await resolveFacts(call, ctx.policy, ctx.policy.roots.workspace),
    ctx.policy,
  )
  // A link that leads out of the workspace is harmless, because git shows only the text of its target.
  return action !== 'allow' && code !== 'outside_workspace'
}

async function readFileAt(repository: GitRepository, query: HistoryQuery, object: string) {
  const { text, cut: isCut } = await runGit(repository, ['cat-file', 'blob', object])
  const first = query.start_line ?? 1
  const lines = text.split('\n').slice(first - 1, query.end_line)
  return { text: lines.map((line, i) => `${first + i}\t${line}`).join('\n'), cut: isCut }
}

function lineRange({ start_line: first, end_line: last }: HistoryQuery): string[] {
  return first === undefined && last === undefined ? [] : [`-L${first ?? 1},${last ?? ''}`]
}

/**
 * Resolves to the full hash of a revision, so that git gets no text of the call that it could read as an
 * option. Rejects with FailureError `bad_args` if the text names no commit.
 */
async function resolveRevision({ run, cwd, options }: GitRepository, revision: string): Promise<string> {
  const isOdd = revision.startsWith('-') || /[\0-\x1f\x7f]/.test(revision)
  if (!isOdd && revision.length <= maxRevisionChars) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
    const { exit, ended: endReason, stdout } = await runHardenedGit(run, cwd, args, options)
    const hash = stdout.text.trim()
    if (exit === 0 && endReason === undefined && /^[0-9a-f]{40,64}$/.test(hash)) return hash
  }
  throw new FailureError({
    code: 'bad_args',
    message: `${quotePath(revision.slice(0, maxRevisionChars))} is not a revision of this repository`,
    hint: 'Give one commit, branch or tag. To compare two, use diff with revision and to.',
  })
}

async function requireRepository({ run, cwd, options }: GitRepository): Promise<void> {
  const inside = await runHardenedGit(run, cwd, ['rev-parse', '--is-inside-work-tree'], options)
  if (inside.exit === 0 && inside.stdout.text.trim() === 'true') return
  if (inside.ended) throw gitFailure('rev-parse', inside)
  throw new FailureError({ code: 'not_found', message: 'the workspace is not in a git repository' })
}

/** Returns the hash of the empty tree, which git knows even if no repository stores it. */
async function emptyTree({ run, cwd, options }: GitRepository): Promise<string> {
  const args = ['hash-object', '-t', 'tree', '--no-filters', '--stdin']
  return (await gitText(run, cwd, args, { ...options, input: '' })).trim()
}

function locateHistory(path: string, ctx: Ctx): HistoryPath {
  const { real, named } = locatePath(ctx, path, 'read')
  const { workspace } = ctx.policy.roots
  // The history contains a link under the name of the link, so that name is preferred to its target.
  const within = [named, real].find((each) => isWithin(each, workspace))
  if (within === undefined) {
    throw new FailureError({
      code: 'outside_workspace',
      message: `${path} is not in the workspace, whose history this is`,
    })
  }
  const relative = within === workspace ? '.' : within.slice(workspace.length + 1)
  return { path: relative, pathspec: `:(literal)${relative}` }
}

async function runGit({ run, cwd, options }: GitRepository, args: readonly string[]) {
  const outcome = await runHardenedGit(run, cwd, args, options)
  // Git's message quotes the file of the setting blame.ignoreRevsFile, which may be any file on this machine,
  // so it is not shown.
  if (/object name/.test(outcome.stderr.text)) {
    throw new FailureError({
      code: 'command_failed',
      message: 'git blame cannot read the file that blame.ignoreRevsFile of the repository names',
      hint: 'Use log with path instead.',
    })
  }
  if (outcome.ended || outcome.exit !== 0) throw gitFailure(args[0] as string, outcome)
  return { text: outcome.stdout.text, cut: outcome.stdout.cut }
}

function describeEmpty({ operation, path }: HistoryQuery): string {
  const of = path === undefined ? '' : ` of ${quotePath(path)}`
  if (operation === 'log') return `No commit${of}.`
  return operation === 'file' || operation === 'blame' ? 'The file is empty.' : `No differences${of}.`
}

const listPaths = (paths: readonly string[]) => paths.slice(0, 20).map(quotePath).join(', ')

/**
 * Removes control characters other than tabs and line feeds, because names and messages in commits may
 * contain control sequences of terminals.
 */
const withoutControls = (text: string) =>
  text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|[\0-\x08\x0b-\x1f\x7f]/g, '')
