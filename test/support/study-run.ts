// Whole studies in this process, with a real journal, real tools and scripted models.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createUlid } from '../../internal/base/ids.ts'
import { openRuntime } from '../../internal/runtime/open-runtime.ts'
import { features } from '../../internal/service/features/index.ts'
import type { StudyRequest, StudyRun } from '../../internal/service/study/request.ts'
import { startStudy } from '../../internal/service/study/run-study.ts'
import { prepareWorker, workerToolNames } from '../../internal/service/study/worker-environment.ts'
import type { JournalLine } from '../../internal/store/journal/journal.ts'
import { openJournal } from '../../internal/store/journal/sqlite.ts'
import { makeStudyEntry } from '../../internal/study/log/entries.ts'
import type { StudyState } from '../../internal/study/log/state.ts'
import type { StudyWorkerContext } from '../../internal/study/worker/worker.ts'
import { plant, scratch } from './scratch.ts'
import { head, task } from './study.ts'

/** Some files to study. */
export const corpus: Readonly<Record<string, string>> = {
  'doc/lock.md': '# Locks\n\nThe store locks files with O_EXCL. A lock is held for at most 30 seconds.\n',
  'doc/crash.md': '# Crash\n\nAfter a crash the journal is replayed. No acknowledged line is lost.\n',
  'src/main.ts': 'export const answer = 42\n',
}

export interface Bench {
  dir: string
  data: string
  env: Record<string, string>
  notes: string[]
  lines: JournalLine[]
  run: StudyRun
  /** Writes a script and returns its name as a model. */
  script(replies: readonly object[], name?: string): string
  /** Writes a plan and returns its path. */
  plan(tasks: readonly object[]): string
  start(over: Partial<StudyRequest>, run?: Partial<StudyRun>): Promise<StudyState>
}

export function bench(files: Readonly<Record<string, string>> = corpus): Bench {
  const base = scratch()
  const dir = join(base, 'work')
  const data = join(base, 'data')
  mkdirSync(dir)
  plant(dir, files)
  const stop = new AbortController()
  const running: Promise<unknown>[] = []
  // no study may continue in a directory that is removed afterwards
  onTestFinished(async () => {
    stop.abort()
    await Promise.allSettled(running)
  })
  const it: Bench = {
    dir,
    data,
    env: { PATH: process.env['PATH'] ?? '', HOME: base, ANODE_DATA_DIR: data },
    notes: [],
    lines: [],
    run: undefined as unknown as StudyRun,
    script(replies, name = 'script.jsonl') {
      writeFileSync(join(base, name), replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
      return `script:${join(base, name)}`
    },
    plan(tasks) {
      writeFileSync(join(base, 'plan.json'), JSON.stringify({ tasks }))
      return join(base, 'plan.json')
    },
    start(over, run = {}) {
      const study = startStudy({ ...request, ...over }, { ...it.run, ...run })
      running.push(study)
      return study
    },
  }
  it.run = {
    cwd: dir,
    env: it.env,
    signal: stop.signal,
    program: '',
    show: (line) => void it.lines.push(line),
    note: (text) => void it.notes.push(text),
  }
  return it
}

export const request: StudyRequest = {
  question: 'How does the store lock files, and what is the journal for after a crash?',
  workers: 3,
  sources: ['repo'],
  engine: 'embedded',
  inProcess: true,
  unsafe: false,
  workerWaitMs: 30_000,
  budget: {},
  deadlineMs: 60_000,
  maxSteps: 20,
  baseline: false,
  minCitation: 0.95,
  minSupport: 0.8,
  seed: 1,
}

/** One task, which most scripts are about. */
export const oneTask = [{ objective: 'how files are locked', terms: ['lock', 'store'] }]

export const look = { calls: [{ name: 'read', args: { path: 'doc/lock.md' } }] }
export const closing = (...ids: string[]) => ({
  claims: ids.map((evidence) => ({
    text: 'The store locks with O_EXCL.',
    evidence,
    quote: 'locks files with O_EXCL',
  })),
})

/**
 * Creates a study of one task without a leader. Returns its journal, and seats for workers with this script.
 */
export async function unled(at: Bench, replies: readonly object[]) {
  const { signal } = new AbortController()
  const base = {
    cwd: at.dir,
    env: at.env,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
    signal,
    features,
  } as const
  const ground = await openRuntime({ ...base, names: workerToolNames })
  const journal = await openJournal(at.data)
  onTestFinished(async () => {
    await ground.close()
    await journal.close()
  })
  const study = createUlid()
  const created = Date.now()
  const model = { name: at.script(replies), kind: 'script' as const }
  const about = head({ id: study, project: at.dir, root: at.dir, model, created, deadline: created + 60_000 })
  const made = { tasks: [task(1, 'how files are locked')], dropped: [], notices: [], of: 'file' as const }
  await journal.create(study, makeStudyEntry('study', about), {})
  const plan = () => journal.append(study, [makeStudyEntry('plan', made, 'plan')])
  const seat = (owner: string, over: Partial<StudyWorkerContext> = {}): StudyWorkerContext => ({
    ...prepareWorker({ runtime: ground, journal, env: at.env, label: owner }),
    ...over,
  })
  return { journal, ground, study, plan, seat, job: { study, task: 't1', epoch: 0 } }
}
