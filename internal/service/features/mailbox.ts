// Mailboxes of a study, in the database on this machine or on a Redis server.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import type { MailLocation } from '../../runtime/features.ts'
import { localMailbox, type Mailbox } from '../../store/mail/mailbox.ts'
import { parseRedisAddress } from '../../study/redis/address.ts'

/**
 * Opens the mailboxes of a study. `scope` is `study:<id>`. Throws UserError if the database or server of the
 * study does not answer.
 */
export async function openStudyMailbox(scope: string, location: MailLocation): Promise<Mailbox> {
  const url = await engineOf(scope.slice('study:'.length), location)
  if (url === undefined) return localMailbox((await location.store()).mail)
  const { openRedisMailbox } = await import('../../study/redis/journal.ts')
  return openRedisMailbox(url, location.closing)
}

/**
 * Returns the URL of the Redis server with the study, with the password from ANODE_ENGINE; undefined if
 * the study is in the local database. For a study that is unknown on this machine, returns ANODE_ENGINE,
 * or undefined if that is unset or `embedded`. Throws UserError if ANODE_ENGINE names another server
 * than the study.
 */
async function engineOf(study: string, { data, env }: MailLocation): Promise<string | undefined> {
  const ownAddress = env['ANODE_ENGINE'] || undefined
  const studyEngine = existsSync(join(data, 'anode.db')) ? await engineHere(data, study) : undefined
  if (studyEngine === undefined) return ownAddress === 'embedded' ? undefined : ownAddress
  return studyEngine === 'embedded' ? undefined : addEnginePassword(studyEngine, ownAddress)
}

/**
 * Returns the engine of a study, a URL or `embedded` for the local database, from the first line of its log.
 * Returns undefined if the study is unknown on this machine.
 */
async function engineHere(data: string, study: string): Promise<string | undefined> {
  const { openJournal } = await import('../../store/journal/sqlite.ts')
  const journal = await openJournal(data)
  try {
    if (!journal.studies.find(study, '').some(({ id }) => id === study)) return undefined
    const [head] = await journal.read(study, 0, 1)
    const engine = head?.data['engine']
    return typeof engine === 'string' ? engine : undefined
  } finally {
    await journal.close()
  }
}

/**
 * Returns the first URL in `ownAddress` that names the server of `stored` and has a password, else the first
 * that names this server, else `stored`. Throws UserError if the first URL in `ownAddress` names another
 * server. Ignores undefined, empty text and `embedded`.
 */
export async function addEnginePassword(
  stored: string,
  ...ownAddress: (string | undefined)[]
): Promise<string> {
  const { shown: shownAddress } = parseRedisAddress(stored)
  const all = ownAddress.flatMap((text) => (text && text !== 'embedded' ? [parseRedisAddress(text)] : []))
  if (all[0] && all[0].shown !== shownAddress) {
    throw new UserError(`the study is kept in ${shownAddress}, not in ${all[0].shown}`, {
      hint: 'Give its own address, password included, by --engine or ANODE_ENGINE.',
    })
  }
  const same = all.filter((one) => one.shown === shownAddress)
  return (same.find(({ url }) => new URL(url).password !== '') ?? same[0])?.url ?? stored
}
