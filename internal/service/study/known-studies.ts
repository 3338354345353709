// The studies that this machine knows: found by name, computed from their log, followed until they end.
import { existsSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { processExists } from '../../base/process-identity.ts'
import type { JournalLine } from '../../store/journal/journal.ts'
import { listJournalLines, readJournalLines } from '../../store/journal/lines.ts'
import { type LocalJournal, openJournal } from '../../store/journal/sqlite.ts'
import type { Mailbox } from '../../store/mail/mailbox.ts'
import { openStore } from '../../store/sqlite.ts'
import { advanceStudyState, beginStudyState, foldStudy, type StudyState } from '../../study/log/state.ts'
import { isStudyOver } from '../../study/log/task-end.ts'
import { openStudyMailbox } from '../features/mailbox.ts'

interface FoundStudy {
  readonly journal: LocalJournal
  readonly id: string
  /** Returns all lines of the study's log so far, in order. */
  lines(): Promise<JournalLine[]>
  state(): Promise<StudyState>
}

/**
 * Runs `use` with a study and returns the result of `use`. `name` is an ID, a unique prefix, or `last` for
 * the latest study of this project. Throws UserError for an unknown or ambiguous name.
 */
export async function withStudy<T>(
  name: string,
  { cwd, env }: { cwd: string; env: EnvironmentVariables },
  use: (found: FoundStudy) => Promise<T>,
): Promise<T> {
  const dir = dataDir(env)
  if (!existsSync(join(dir, 'anode.db'))) throw unknownStudyError(name)
  const journal = await openJournal(dir)
  try {
    const matches = journal.studies.find(name, realpathSync(cwd))
    const [study] = matches
    if (!study) throw unknownStudyError(name)
    if (matches.length > 1) {
      const ids = matches.slice(0, 4).map(({ id }) => id)
      throw new UserError(`more than one study is named ${name}`, {
        hint: `it could be ${ids.join(', ')}`,
      })
    }
    const lines = () => listJournalLines(journal, study.id)
    return await use({ journal, id: study.id, lines, state: async () => foldStudy(await lines()) })
  } finally {
    await journal.close()
  }
}

/**
 * Returns the report of a study as Markdown, as far as it is complete. Throws UserError for an unknown
 * or ambiguous id.
 */
export function readStudyMarkdown(
  id: string,
  where: { cwd: string; env: EnvironmentVariables },
): Promise<string> {
  return withStudy(id, where, async (study) => {
    const { renderStudy } = await import('../../study/report/markdown.ts')
    return renderStudy(await study.state())
  })
}

function unknownStudyError(name: string): UserError {
  if (name === 'last')
    return new UserError('no study in this project yet', {
      hint: 'start one with `anode study "question"`',
    })
  const hint = name.startsWith('sess_')
    ? `that is a thread: \`anode threads show ${name}\``
    : '`anode study list` lists them; `last` is the latest of this project'
  return new UserError(`unknown study "${name}"`, { hint })
}

/** Runs `use` with the mailboxes of a study in its engine. Throws UserError if a server does not respond. */
export async function withStudyMailbox<T>(
  { journal, id }: FoundStudy,
  env: EnvironmentVariables,
  use: (mail: Mailbox, scope: string) => Promise<T>,
): Promise<T> {
  const scope = `study:${id}`
  const [head] = await journal.read(id, 0, 1)
  if (head?.data['engine'] === 'embedded') return use(journal.mail, scope)
  const closers: (() => Promise<void>)[] = []
  const data = dataDir(env)
  const closing = (close: () => Promise<void>) => void closers.push(close)
  const mail = await openStudyMailbox(scope, { data, env, store: () => openStore(data), closing })
  try {
    return await use(mail, scope)
  } finally {
    for (const close of closers) await close()
  }
}

/** Returns true if the coordinator ran on this machine and died without recording the end of the study. */
export function isAbandoned({ status, coordinator }: StudyState): boolean {
  if (isStudyOver({ status }) || !coordinator || coordinator.host !== hostname()) return false
  return !processExists(coordinator.pid)
}

/**
 * Yields all lines of the log and then new ones, until the study is over, its coordinator on this machine is
 * dead, or `signal` aborts.
 */
export async function* followStudy(
  { journal, id }: FoundStudy,
  signal: AbortSignal,
): AsyncGenerator<JournalLine> {
  let state: StudyState | undefined
  while (!signal.aborted) {
    for await (const line of readJournalLines(journal, id, state?.seq)) {
      if (state) advanceStudyState(state, line)
      else state = beginStudyState(line)
      yield line
    }
    if (state && (isStudyOver(state) || isAbandoned(state))) return
    await journal.wait(id, state?.seq ?? 0, 1000, signal)
  }
}
