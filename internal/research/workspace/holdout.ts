// Holdout: a second check of candidates, whose text no candidate and no model may see.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { holdoutFile } from '../git/session-refs.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { LockedSession } from './experiment-workspace.ts'
import { commandWords } from './integrity-lock.ts'
import { redactorOf } from './redaction.ts'

/**
 * Largest size in bytes of a file of the holdout that is hidden from candidates. Larger files stay visible.
 */
const maxScriptBytes = 256 * 1024

/**
 * Stores the holdout command, a secret second check, outside of every directory that leads to a checkout. The
 * mode of the file allows only its owner to read it.
 */
export async function storeHoldout(dir: string, segment: number, command: string): Promise<void> {
  const file = holdoutFile(dir, segment)
  makeDirectory(dirname(file), 0o700)
  await writeAtomic(file, Buffer.from(command), { mode: 0o600 })
}

/**
 * Returns the holdout command; undefined if it is not stored or cannot be read. Sessions of earlier versions
 * stored it at another path, which is read too.
 */
export async function readHoldout(dir: string, segment: number): Promise<string | undefined> {
  const before = join(dir, segment === 0 ? 'holdout' : `holdout-${segment}`)
  for (const file of [holdoutFile(dir, segment), before]) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * Returns the paths of the files outside of the workspace that the holdout command names, without files of
 * the system and files above 256 KiB; empty without such a command.
 */
export async function secretFiles(
  session: LockedSession,
  { segment }: Pick<ConfigLine, 'segment'>,
): Promise<string[]> {
  const command = await readHoldout(session.dir, segment)
  return command === undefined ? [] : namedFiles(command, session.experiment.where.workspace)
}

/**
 * Returns the paths of the files outside of the workspace that a command names. Files of the system and
 * files above 256 KiB are left out. Files inside the workspace are left out too, because every candidate
 * can read them.
 */
export async function namedFiles(command: string, workspace: string): Promise<string[]> {
  const filePaths: string[] = []
  for (const word of new Set(commandWords(command))) {
    const path = resolve(workspace, word)
    if (path.startsWith(`${workspace}/`) || /^\/(usr|bin|sbin|lib|lib64|etc|dev|proc|sys)\//.test(path))
      continue
    const there = await stat(path).catch(() => undefined)
    if (there?.isFile() && there.size <= maxScriptBytes) filePaths.push(path)
  }
  return filePaths
}

/**
 * Returns a function that removes the lines of the holdout command and of its scripts from a text, as
 * `redactorOf` recognizes them.
 */
export async function redactorFor(
  session: LockedSession,
  { segment }: Pick<ConfigLine, 'segment'>,
): Promise<(text: string) => string> {
  const command = await readHoldout(session.dir, segment)
  if (command === undefined) return (text) => text
  const files = await namedFiles(command, session.experiment.where.workspace)
  const scripts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return redactorOf([command, ...scripts.map((text) => text.replace(/^#!.*/, ''))])
}
