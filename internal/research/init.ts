// Starts a session or its next segment: what is measured, against which tree, under which lock.
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic } from '../base/atomic.ts'
import { FailureError, UserError } from '../base/errors.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { copyFile as copyOf, now, readBook } from './book.ts'
import { type Desk, record, type Seat, sit } from './desk.ts'
import { filesOf } from './files.ts'
import { branchOf, contentRulesOf, settledHead } from './git-state.ts'
import { storeHoldout } from './holdout.ts'
import { slug } from './home.ts'
import { hostHere } from './host.ts'
import { defaults } from './legacy.ts'
import type { ConfigLine } from './line.ts'
import { holdTree, needsGit, refs } from './refs.ts'
import { lockable, seal } from './seal.ts'
import type { Started } from './session.ts'
import { type Checked, check, type Settings } from './settings.ts'
import { abandon } from './settle.ts'
import { ask, compare, type Shelf, snapshot } from './tree.ts'
import { findSession, pointerOf, readOr } from './where.ts'

/**
 * Throws UserError for settings that cannot be used and for a metric that cannot tell the baseline from itself,
 * FailureError `session_active` or `needs_git`; nothing has been stored then.
 */
export async function init(desk: Desk, settings: Settings): Promise<Started> {
  const checked = await withDefaults(desk, check(settings))
  const paired = checked.gate.kind === 'paired'
  if (paired && !desk.where.repository) throw needsGit('the paired gate')
  if (paired && checked.command === undefined) {
    throw new UserError('command is missing', {
      hint: 'The paired gate measures at once: give the benchmark command.',
    })
  }
  const missing = await emptyScope(desk, checked.scope)
  const { dir, fresh } = await folderFor(desk, checked.name, settings.reset ?? false)
  try {
    return await sit(desk, dir, async (seat) => {
      const started = await begin(seat, checked, settings)
      if (missing.length > 0) started.notes.push(`scope: not there yet: ${missing.join(', ')}`)
      return started
    })
  } catch (error) {
    if (fresh) await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/** Entries of a scope that mean nothing now: they may mean new files, unless that is all there is. */
async function emptyScope({ where }: Desk, scope: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const entry of scope) {
    const parts = entry.split('/')
    const glob = parts.findIndex((part) => /[*?[{]/.test(part))
    const path = (glob < 0 ? parts : parts.slice(0, glob)).join('/')
    const there = path === '' || (await lstat(join(where.workspace, path)).catch(() => undefined))
    if (!there) missing.push(entry)
  }
  if (missing.length === 0 || missing.length < scope.length) return missing
  throw new UserError(`scope ${missing.join(', ')} names nothing that is there`, {
    hint: 'Name files, folders or globs of the workspace that may change.',
  })
}

async function withDefaults(desk: Desk, checked: Checked): Promise<Checked> {
  const found = await defaults(desk.where.workspace)
  const maxRuns = checked.maxRuns || (found.maxRuns ?? 0)
  return {
    ...checked,
    maxRuns,
    ...(checked.command === undefined && found.command !== undefined && { command: found.command }),
    ...(checked.checks === undefined && found.checks !== undefined && { checks: found.checks }),
  }
}

/** An active session goes on in its own folder when it is reset, whatever the new name. */
async function folderFor(desk: Desk, name: string, reset: boolean): Promise<{ dir: string; fresh: boolean }> {
  const { where } = desk
  const own = join(where.home, slug(name))
  for (const dir of new Set([await findSession(where, undefined), await findSession(where, name)])) {
    if (dir === undefined) continue
    const { active } = (await readBook(dir, where.workspace)).folded
    if (!active || active.stopped) continue
    if (reset) return { dir, fresh: false }
    throw new FailureError({
      code: 'session_active',
      message: `the session ${active.config.name} is active, ${active.counts.total} runs logged`,
      hint: 'Go on with it, or start anew with --reset (reset: true): its history stays.',
    })
  }
  return { dir: own, fresh: (await findSession(where, name)) === undefined }
}

async function begin(seat: Seat, checked: Checked, settings: Settings): Promise<Started> {
  const { where, tell } = seat.desk
  const notes: string[] = []
  tell({ kind: 'phase', phase: 'snapshot' })
  const ground = await baselineOf(seat)
  const { holdoutCommand, ...rest } = checked
  const segment = seat.book.folded.segments.length
  const config: ConfigLine = {
    type: 'config',
    v: 1,
    segment,
    ...rest,
    ...(holdoutCommand !== undefined && { holdout: `sha256:${fingerprint(holdoutCommand)}` }),
    ...(ground && { tree: ground.tree, head: ground.head }),
    ...(ground?.branch !== undefined && { branch: ground.branch }),
    host: hostHere(),
    lock: '',
    timestamp: now(),
  }
  config.lock = await sealFor(seat, config, config.command, holdoutCommand)
  if (config.gate.kind === 'paired') {
    const { nullTestOf } = await import('./null-test.ts')
    const tested = settings.skipNullTest ? 'skipped' : await nullTestOf(seat, config)
    config.nullTest = tested
    if (tested !== 'skipped' && tested.very_noisy) {
      const text = `noise of ${tested.floor_pct.toFixed(0)} %: measure CPU time, or make the benchmark longer`
      tell({ kind: 'warning', code: 'very_noisy', text })
      notes.push(`very_noisy: ${text}`)
    }
  }
  await abandon(seat)
  if (holdoutCommand !== undefined) await storeHoldout(seat.dir, segment, holdoutCommand)
  await setAside(seat)
  if (ground) {
    await exclude(seat)
    await ask(seat.shelf as Shelf, ['update-ref', `${refs(seat.dir)}/baseline-${segment}`, ground.commit])
  }
  // the header comes last: without it there is no session, with it everything of it is there
  await writeAtomic(pointerOf(where), Buffer.from(`${seat.dir.split('/').at(-1)}\n`), { mode: 0o600 })
  await record(seat, config)
  const dirty = ground?.dirty ?? []
  if (dirty.length > 0) notes.push(`uncommitted changes are part of the baseline: ${shown(dirty)}`)
  if (!ground) notes.push('not a git repository: nothing will be committed, and nothing can be put back')
  return {
    name: config.name,
    segment,
    session: seat.dir.split('/').at(-1) as string,
    gate: config.gate.kind,
    ...(config.command !== undefined && { command: config.command }),
    ...(ground && { tree: ground.tree, head: ground.head }),
    ...(ground?.branch !== undefined && { branch: ground.branch }),
    ...(config.nullTest !== undefined && { nullTest: config.nullTest }),
    dirty,
    notes,
  }
}

const shown = (paths: readonly string[]) =>
  `${paths.slice(0, 10).join(', ')}${paths.length > 10 ? `, and ${paths.length - 10} more` : ''}`

async function baselineOf(seat: Seat) {
  const { repository } = seat.desk.where
  const { shelf } = seat
  if (!repository || !shelf) return undefined
  const head = await settledHead(shelf, repository)
  const branch = await branchOf(shelf)
  const tree = await snapshot(shelf, repository, [`${repository.prefix}.auto`])
  const changed = await compare(shelf, head, tree)
  const dirty = changed
    .map(({ path }) => path)
    .filter((path) => !path.startsWith(`${repository.prefix}.auto/`))
  const commit = await holdTree(shelf, tree, head, 'baseline')
  return { head, tree, dirty, commit, ...(branch !== undefined && { branch }) }
}

/** Locks what judges; the hash of the lock. */
export async function sealFor(
  seat: Seat,
  config: ConfigLine,
  command = config.command,
  holdout?: string,
): Promise<string> {
  const { workspace } = seat.desk.where
  const commands = [command, config.build, config.checks, holdout].filter((one) => one !== undefined)
  const files = await lockable({
    files: await filesOf(seat),
    scope: config.scope,
    locked: config.locked,
    commands,
    workspace,
    scriptsOnly: config.gate.kind === 'plain',
  })
  return seal(seat.dir, workspace, files, {
    ...(command !== undefined && { command }),
    ...(config.build !== undefined && { build: config.build }),
    ...(config.checks !== undefined && { checks: config.checks }),
    ...(config.holdout !== undefined && { holdout: config.holdout }),
    ...(seat.shelf &&
      seat.desk.where.repository && { git: await contentRulesOf(seat.shelf, seat.desk.where.repository) }),
    env: config.env,
    interpreter: `node ${config.host.node}`,
  })
}

/** A ledger copy that belongs to another session keeps its lines under another name. */
async function setAside(seat: Seat): Promise<void> {
  if (seat.book.ledger.size > 0) return
  const copy = copyOf(seat.desk.where.workspace)
  if ((await readOr(copy)) === undefined) return
  const before = (await readOr(pointerOf(seat.desk.where)))?.trim() || 'earlier'
  for (let n = 0; ; n++) {
    const aside = copy.replace(/\.jsonl$/, `.${before}${n === 0 ? '' : `-${n}`}.jsonl`)
    if ((await readOr(aside)) !== undefined) continue
    await rename(copy, aside)
    return
  }
}

/** Keeps our files out of `git status`, for this clone alone. */
async function exclude(seat: Seat): Promise<void> {
  const { repository } = seat.desk.where
  if (!repository) return
  const file = join(repository.commonDir, 'info', 'exclude')
  await mkdir(join(repository.commonDir, 'info'), { recursive: true })
  const text = (await readFile(file, 'utf8').catch(() => '')) || ''
  const wanted = ['log.jsonl', 'log.*.jsonl'].map((name) => `/${repository.prefix}.auto/${name}`)
  const missing = wanted.filter((line) => !text.split('\n').includes(line))
  if (missing.length === 0) return
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  await writeAtomic(file, Buffer.from(`${text}${gap}${missing.join('\n')}\n`))
}
