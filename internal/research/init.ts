// Start of a session or of its next segment: the metric, the baseline tree and the lock.

import { lstat, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FailureError, UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { countNoun } from '../base/text/count-noun.ts'
import { branchOf, settledHead } from './git/git-state.ts'
import { compareTrees, type GitRepository, runGit, snapshotTree } from './git/git-tree.ts'
import { needsGitError, retainTree, sessionRefs } from './git/session-refs.ts'
import type { ConfigLine } from './ledger/ledger-entry.ts'
import { ledgerCopyPath as copyOf, currentTimestamp, readLedgerFile } from './ledger/ledger-file.ts'
import { readLegacyDefaults } from './ledger/legacy-ledger.ts'
import { requireCarried } from './measure/carried-paths.ts'
import { closedNotes } from './measure/closed-places.ts'
import { measuredFileNotes } from './measure/file-size.ts'
import { currentHost } from './measure/host-machine.ts'
import { runNullTest } from './measure/null-test.ts'
import { flagNotes } from './measure/proposed-flags.ts'
import { abandonRuns } from './outcome/crash-recovery.ts'
import type { StartedSession } from './session.ts'
import { type CheckedSettings, checkSettings, type SessionSettings } from './settings.ts'
import { noiseWarning } from './stats/noise-floor.ts'
import { findVoice, voiceNotes } from './voice/trial-candidate.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  recordEntry,
  withSession,
} from './workspace/experiment-workspace.ts'
import { storeHoldout } from './workspace/holdout.ts'
import { sealSegment } from './workspace/integrity-lock.ts'
import { slugName } from './workspace/session-home.ts'
import { activeSessionFile, findSession, readIfPresent } from './workspace/session-location.ts'

/**
 * Starts a session or its next segment. Throws UserError for invalid settings, and for a metric that finds a
 * difference between the baseline and itself. Throws FailureError, such as `session_active`, `needs_git` or
 * `busy`. After an error no session is started, and the directory of a new one is removed.
 */
export async function initSession(
  experiment: ExperimentWorkspace,
  settings: SessionSettings,
): Promise<StartedSession> {
  const checked = await withDefaults(experiment, checkSettings(settings))
  const paired = checked.gate.kind === 'paired'
  if (paired && !experiment.where.repository) throw needsGitError('a measurement of repeated pairs')
  if (paired && checked.command === undefined) {
    throw new UserError('command is missing', {
      hint: 'Repeated pairs are measured at once: give the benchmark command.',
    })
  }
  checked.carry = requireCarried(experiment.where.workspace, checked.carry)
  const missing = await emptyScope(experiment, checked.scope)
  const { dir, fresh } = await folderFor(experiment, checked.name, settings.reset ?? false)
  try {
    return await withSession(experiment, dir, async (session) => {
      const started = await beginSession(session, checked, settings)
      if (missing.length > 0) started.notes.push(`scope: not there yet: ${missing.join(', ')}`)
      return started
    })
  } catch (error) {
    if (fresh) await rm(dir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Returns the scope entries whose path, up to the first wildcard, does not exist, because such an entry may
 * name a new file. Throws UserError if that is true for every entry of a scope.
 */
async function emptyScope({ where }: ExperimentWorkspace, scope: readonly string[]): Promise<string[]> {
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

async function withDefaults(
  experiment: ExperimentWorkspace,
  checked: CheckedSettings,
): Promise<CheckedSettings> {
  const defaults = await readLegacyDefaults(experiment.where.workspace)
  const maxRuns = checked.maxRuns || (defaults.maxRuns ?? 0)
  return {
    ...checked,
    maxRuns,
    ...(checked.command === undefined && defaults.command !== undefined && { command: defaults.command }),
    ...(checked.checks === undefined && defaults.checks !== undefined && { checks: defaults.checks }),
  }
}

/**
 * Returns the directory of the session, and whether it is new. A reset session keeps its directory, even with
 * a new name. Throws FailureError `session_active` if a session is active and `reset` is false.
 */
async function folderFor(
  experiment: ExperimentWorkspace,
  name: string,
  reset: boolean,
): Promise<{ dir: string; fresh: boolean }> {
  const { where } = experiment
  const sessionDir = join(where.home, slugName(name))
  for (const dir of new Set([await findSession(where, undefined), await findSession(where, name)])) {
    if (dir === undefined) continue
    const { active } = (await readLedgerFile(dir, where.workspace)).folded
    if (!active || active.stopped) continue
    if (reset) return { dir, fresh: false }
    throw new FailureError({
      code: 'session_active',
      message: `the session ${active.config.name} is active, ${countNoun(active.counts.total, 'run')} logged`,
      hint: 'Continue it, or restart it with --reset (reset: true). Its history stays.',
    })
  }
  return { dir: sessionDir, fresh: (await findSession(where, name)) === undefined }
}

async function beginSession(
  session: LockedSession,
  checked: CheckedSettings,
  settings: SessionSettings,
): Promise<StartedSession> {
  const { where, tell } = session.experiment
  const notes: string[] = []
  tell({ kind: 'phase', phase: 'snapshot' })
  const baseline = await baselineOf(session)
  const { holdoutCommand, ...rest } = checked
  const segment = session.ledgerFile.folded.segments.length
  const origin = { tree: baseline?.tree, head: baseline?.head, branch: baseline?.branch }
  const config: ConfigLine = {
    type: 'config',
    v: 1,
    segment,
    ...rest,
    holdout: holdoutCommand === undefined ? undefined : `sha256:${fingerprint(holdoutCommand)}`,
    ...origin,
    host: currentHost(),
    lock: '',
    timestamp: currentTimestamp(),
  }
  config.lock = await sealSegment(session, config, config.command, holdoutCommand)
  if (config.gate.kind === 'paired') notes.push(...(await tryBenchmark(session, config, settings)))
  const { nullTest } = config
  notes.push(...closedNotes(session))
  notes.push(...measuredFileNotes(config))
  notes.push(...warnOfNoise(session, nullTest))
  if (config.gate.kind === 'paired') notes.push(...flagNotes(where.workspace, config))
  await abandonRuns(session)
  if (holdoutCommand !== undefined) await storeHoldout(session.dir, segment, holdoutCommand)
  await setAside(session)
  if (baseline) {
    await excludeLedgers(session)
    const ref = `${sessionRefs(session.dir)}/baseline-${segment}`
    await runGit(session.repo as GitRepository, ['update-ref', ref, baseline.commit])
  }
  // The header is stored last, because a session exists once it has a header.
  const name = basename(session.dir)
  await writeAtomic(activeSessionFile(where), Buffer.from(`${name}\n`), { mode: 0o600 })
  await recordEntry(session, config)
  const dirty = baseline?.dirty ?? []
  if (dirty.length > 0) notes.push(`uncommitted changes are part of the baseline: ${formatPaths(dirty)}`)
  if (!baseline) notes.push('not a git repository: nothing will be committed or restored')
  return {
    name: config.name,
    segment,
    session: name,
    gate: config.gate.kind,
    command: config.command,
    ...origin,
    nullTest,
    dirty,
    notes,
  }
}

/**
 * Adds the results of two tests to the header of the segment: the baseline measured against itself (null
 * test), and whether a candidate's code can print metrics. Returns notices about the second result.
 */
async function tryBenchmark(
  session: LockedSession,
  config: ConfigLine,
  settings: SessionSettings,
): Promise<string[]> {
  config.nullTest = settings.skipNullTest ? 'skipped' : await runNullTest(session, config)
  config.voice = await findVoice(session, config)
  return voiceNotes(config.voice, config)
}

function warnOfNoise({ experiment }: LockedSession, nullTest: ConfigLine['nullTest']): string[] {
  if (nullTest === undefined || nullTest === 'skipped' || !nullTest.very_noisy) return []
  const text = noiseWarning(nullTest.floor_pct)
  experiment.tell({ kind: 'warning', code: 'very_noisy', text })
  return [text]
}

const formatPaths = (paths: readonly string[]) =>
  `${paths.slice(0, 10).join(', ')}${paths.length > 10 ? `, and ${paths.length - 10} more` : ''}`

async function baselineOf(session: LockedSession) {
  const { repository } = session.experiment.where
  const { repo } = session
  if (!repository || !repo) return undefined
  const head = await settledHead(repo, repository)
  const branch = await branchOf(repo)
  const tree = await snapshotTree(repo, repository, [`${repository.prefix}.auto`])
  const changed = await compareTrees(repo, head, tree)
  const dirty = changed
    .map(({ path }) => path)
    .filter((path) => !path.startsWith(`${repository.prefix}.auto/`))
  const commit = await retainTree(repo, tree, head, 'baseline')
  return { head, tree, dirty, commit, branch }
}

/**
 * Renames the workspace's copy of another session's ledger (its log of runs), so that the new session does
 * not replace it.
 */
async function setAside(session: LockedSession): Promise<void> {
  if (session.ledgerFile.ledger.size > 0) return
  const copy = copyOf(session.experiment.where.workspace)
  if ((await readIfPresent(copy)) === undefined) return
  const before = (await readIfPresent(activeSessionFile(session.experiment.where)))?.trim() || 'earlier'
  for (let n = 0; ; n++) {
    const aside = copy.replace(/\.jsonl$/, `.${before}${n === 0 ? '' : `-${n}`}.jsonl`)
    if ((await readIfPresent(aside)) !== undefined) continue
    await rename(copy, aside)
    return
  }
}

/** Makes git ignore the copies of ledgers (logs of runs) in the workspace, in this clone only. */
async function excludeLedgers(session: LockedSession): Promise<void> {
  const { repository } = session.experiment.where
  if (!repository) return
  const file = join(repository.commonDir, 'info', 'exclude')
  makeDirectory(join(repository.commonDir, 'info'))
  const text = (await readFile(file, 'utf8').catch(() => '')) || ''
  const excludeLines = ['log.jsonl', 'log.*.jsonl'].map((name) => `/${repository.prefix}.auto/${name}`)
  const missing = excludeLines.filter((line) => !text.split('\n').includes(line))
  if (missing.length === 0) return
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  await writeAtomic(file, Buffer.from(`${text}${gap}${missing.join('\n')}\n`))
}
