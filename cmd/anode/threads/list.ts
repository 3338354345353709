// The command `anode threads list`, which prints the latest threads and studies of this workspace or
// of all workspaces.
import { realpathSync } from 'node:fs'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { type StudySummary, summarizeStudies } from '../../../internal/service/study/study-listing.ts'
import type { Store, Thread } from '../../../internal/store/store.ts'
import { readNumber } from '../flags.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { shortId } from './thread-access.ts'

export const list: Verb = {
  name: 'threads list',
  summary: 'List the threads and studies of this workspace, newest first',
  usage: 'threads list [flags]',
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    everywhere: { type: 'boolean', describe: 'Of all workspaces, with where each was' },
    archived: { type: 'boolean', describe: 'Archived ones instead' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  foreignFlags: { all: '--everywhere' },
  examples: [['anode threads list --limit 5', 'The five newest threads and studies']],
  run: runList,
}

/** A study in a list of threads, with the fields of a thread and the study's status. */
interface StudyAmongThreads extends Omit<Thread, 'profile'> {
  kind: 'study'
  profile: null
  status: StudySummary['status']
}

type ThreadOrStudy = (Thread & { kind: 'thread' }) | StudyAmongThreads

async function runList(args: CommandArgs, io: CommandIo): Promise<number> {
  const limit = readNumber(args, 'limit', 0) ?? 20
  const everywhere = flagArg(args, 'everywhere')
  const threads = await withDataStore(io.env, (store) => findThreads(store, args, io))
  const studies = flagArg(args, 'archived') ? [] : await findStudies(io, everywhere, limit)
  const rows = [...threads, ...studies].sort((a, b) => b.updated - a.updated).slice(0, limit || undefined)
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(rows, 2))
  else if (rows.length === 0) explainNoRows(noThreads(args), io)
  else await writeText(io.stdout, await drawRows(rows, everywhere, io))
  return 0
}

function noThreads(args: CommandArgs): string {
  const what = flagArg(args, 'archived') ? 'archived threads' : 'threads'
  if (flagArg(args, 'everywhere')) return `No ${what} yet.`
  return `No ${what} here yet. \`anode threads list --everywhere\` looks in other workspaces too.`
}

function findThreads(store: Store, args: CommandArgs, io: CommandIo): ThreadOrStudy[] {
  const rows = store.threads.list({
    workspace: flagArg(args, 'everywhere') ? undefined : realpathSync(io.cwd),
    limit: readNumber(args, 'limit', 0) ?? 20,
    archived: flagArg(args, 'archived'),
  })
  return rows.map((row) => ({ ...row, kind: 'thread' }))
}

async function findStudies(io: CommandIo, everywhere: boolean, limit: number): Promise<ThreadOrStudy[]> {
  const studies = await summarizeStudies({ cwd: io.cwd, env: io.env, everywhere, limit })
  return studies.map(({ id, workspace, question, model, created, updated, entries, status }) => {
    const fields = { id, workspace, title: question, created, updated, events: entries, status }
    return { ...fields, kind: 'study', profile: null, model: model.name, parent: null, archived: false }
  })
}

function drawRows(rows: readonly ThreadOrStudy[], everywhere: boolean, io: CommandIo): Promise<string> {
  const ids = rows.map(({ id }) => id)
  const head = ['thread', 'updated', 'kind', 'events', ...(everywhere ? ['workspace'] : []), 'title']
  const cells = rows.map((row) => [
    shortId(row.id, ids),
    formatMinute(row.updated),
    // The profile of a thread shows the kind of agent, so it is printed in place of the word `thread`.
    row.profile ?? row.kind,
    String(row.events),
    ...(everywhere ? [row.workspace] : []),
    row.title,
  ])
  return formatTable(head, cells, io)
}
