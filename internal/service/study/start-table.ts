// Start of a study of a table, which has one row per document.

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { leadsOutside } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { fileMessageOf } from '../../base/files/errno.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { createUlid, noteCreated } from '../../base/ids.ts'
import type { Model } from '../../model/model.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { LocalJournal } from '../../store/journal/sqlite.ts'
import { makeStudyEntry, type StudyHead } from '../../study/log/entries.ts'
import type { StudyState } from '../../study/log/state.ts'
import type { StudyColumn, TableFiles } from '../../study/log/table-entries.ts'
import { parseColumns } from '../../study/table/columns.ts'
import { maxDocumentTokens } from '../../study/table/row-prompt.ts'
import { readTableDocument } from '../../study/table/table-document.ts'
import { listTableLines } from '../../study/table/table-lines.ts'
import { refuseOwnDirectory } from '../../trust/is-trusted.ts'
import { formatEstimate, type StudyEstimate } from './cost-estimate.ts'
import { budgetLimits, type StudyRequest, type StudyRun, surveySources, withStudyRuntime } from './request.ts'
import { runCoordinator, withLocalJournal, withStudyServer } from './run-study.ts'
import { addRevision } from './study-revision.ts'
import type { StudyServer } from './study-server.ts'
import { findTableFiles, sampleFiles } from './table-files.ts'
import { pickStudyModel } from './worker-environment.ts'

export interface TableStudyRequest extends StudyRequest {
  /** The documents: a glob pattern, a directory, a file or `@list.txt`. */
  documents: string
  /** Text of `--columns`. Default: one column `answer`. */
  columns?: string
  sample?: number
}

/**
 * Starts the study and returns its state at the end. Throws UserError before anything is stored if, for
 * example, documents, columns, root or model are invalid, or the cost is not approved.
 */
export async function startTableStudy(request: TableStudyRequest, run: StudyRun): Promise<StudyState> {
  const columns = parseColumns(request.columns)
  return withLocalJournal(run, (local) =>
    withStudyRuntime(run, ['repo'], (runtime) =>
      withStudyServer(request, run, (server) =>
        prepareRows(columns, { local, runtime, run, request, server }),
      ),
    ),
  )
}

type TableRun = Omit<StartedRows, 'head' | 'model' | 'documents'>

/** Checks documents, model and cost, and starts the study. */
async function prepareRows(columns: readonly StudyColumn[], parts: TableRun): Promise<StudyState> {
  const { runtime, run, request, server } = parts
  const root = rootOf(request.root, run)
  const { env, signal } = run
  const { processes } = runtime.resources.can
  const tableFiles = await findTableFiles(request.documents, { root, env, run: processes.run, signal })
  const documents = sampleFiles(tableFiles, request.sample)
  if (server) demandFilesBelow(documents)
  for (const { path, as } of documents.same) run.note(`${path} equals ${as} and is read once`)
  const project = runtime.context.workspace
  const allowSwitch = request.allowModelSwitch === true
  const { model, notice } = await pickStudyModel(runtime, request.model, project, env, allowSwitch)
  if (notice !== undefined) run.note(notice)
  const corpus = server && (await surveyRoot(root, model, parts))
  const described = describeHead(request, { columns, documents, model, root, project, corpus, server })
  const head = server ? await addRevision(described, runtime, run) : described
  const estimate = await estimateTable(model, head, documents, run)
  run.note(formatEstimate(estimate))
  await request.approveCost?.(estimate)
  return startRows({ ...parts, head, model, documents })
}

/** Throws UserError for a document outside of the root, which workers of other machines do not have. */
function demandFilesBelow({ files }: TableFiles): void {
  const outside = files.find(({ path }) => leadsOutside(path))
  if (outside)
    throw new UserError(`--each: with --engine all documents must be below the root: ${outside.path}`, {
      hint: 'name a directory above them with --root',
    })
}

/** Reads the files of the root. The server distributes the tasks by the digest of these files. */
async function surveyRoot(root: string, { id: name, kind }: Model, { request, runtime, run }: TableRun) {
  const { question } = request
  return surveySources({ root, question, sources: ['repo'], model: { name, kind } }, runtime, run)
}

interface StartedRows {
  head: StudyHead
  model: Model
  documents: TableFiles
  local: LocalJournal
  runtime: Runtime
  run: StudyRun
  request: TableStudyRequest
  server: StudyServer | undefined
}

function startRows(started: StartedRows): Promise<StudyState> {
  const { head, model, documents, local, runtime, run, request, server } = started
  const parts = { head, model, frequency: {}, local, runtime, run, placement: request, server }
  return runCoordinator(parts, async ({ journal }) => {
    await journal.create(head.id, makeStudyEntry('study', head), budgetLimits(head.budget))
    noteCreated({ kind: 'study', id: head.id })
    const lines = listTableLines({ head, tasks: new Map() }, documents)
    await journal.append(head.id, [...(server?.warnings ?? []), ...lines])
  })
}

interface TableParts {
  columns: readonly StudyColumn[]
  documents: TableFiles
  model: Model
  root: string
  project: string
  /** Summary of the files of the root for a study on a server; undefined for a study on this machine. */
  corpus: Awaited<ReturnType<typeof surveyRoot>> | undefined
  server: StudyServer | undefined
}

function describeHead(request: TableStudyRequest, parts: TableParts): StudyHead {
  const { question, workers, budget, seed, maxSteps, minCitation, minSupport, sample } = request
  const { columns, documents, model, root, project, corpus, server } = parts
  const created = Date.now()
  const lines = documents.files.map(({ path, sha256 }) => `${sha256} ${path}`)
  return {
    id: createUlid(),
    question,
    project,
    root,
    corpus: corpus?.id ?? fingerprint(lines.join('\n')),
    model: { name: model.id, kind: model.kind, note: model.note },
    engine: server?.shown ?? 'embedded',
    workers,
    sources: ['repo'],
    seed,
    maxSteps,
    minCitation,
    minSupport,
    baseline: false,
    deadline: created + request.deadlineMs,
    budget,
    created,
    table: { documents: request.documents, columns, sample },
  }
}

function rootOf(requestedRoot: string | undefined, { cwd, env }: StudyRun): string {
  try {
    const root = realpathSync(resolve(cwd, requestedRoot ?? '.'))
    refuseOwnDirectory(root, env, '--root: ')
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`--root: ${fileMessageOf(cause, requestedRoot ?? cwd)}`, {
      hint: 'name a directory',
      cause,
    })
  }
  throw new UserError(`--root: ${requestedRoot} is not a directory`, { hint: 'name a directory that exists' })
}

/**
 * Average tokens of a row in addition to its document: of the prompt, of each column in the prompt, of each
 * column in the response. Then seconds per row: with a language model, by rules.
 */
const usual = { prompt: 450, column: 25, cell: 70, secondsPerRow: 8, secondsByRule: 0.1 } as const

/** Returns the expected tokens, cost and time. Reads each document, unless the model works by rules. */
async function estimateTable(
  model: Model,
  { root, workers, budget, table }: StudyHead,
  { files }: TableFiles,
  run: StudyRun,
): Promise<StudyEstimate> {
  const base = {
    model: model.id,
    tasks: files.length,
    documents: files.length,
    steps: 1,
    limitUsd: budget.usd,
  }
  if (model.kind === 'rules')
    return { ...base, tokens: 0, usd: 0, seconds: Math.ceil(files.length * usual.secondsByRule) }
  const columns = table?.columns.length ?? 1
  let input = 0
  for (const [i, { path }] of files.entries()) {
    run.showReading?.(i, files.length)
    const document = await readTableDocument(root, path, run.signal)
    if ('why' in document) continue
    const chars = document.blocks.reduce((sum, { text }) => sum + text.length, 0)
    input += Math.min(maxDocumentTokens, Math.ceil(chars / 4)) + usual.prompt + columns * usual.column
  }
  const output = files.length * columns * usual.cell
  const summary = { input: files.length * columns * 15 + 400, output: 400 }
  const { rates } = model
  const usd = rates
    ? ((input + summary.input) * rates.input + (output + summary.output) * rates.output) / 1_000_000
    : null
  return {
    ...base,
    tokens: input + output + summary.input + summary.output,
    usd: model.kind === 'llm' ? usd : 0,
    seconds: Math.ceil(files.length / workers + 1) * usual.secondsPerRow,
  }
}
