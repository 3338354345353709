// A study on a server: its log, budget and mail live there, this machine keeps a copy, and workers may be anywhere.
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../base/errors.ts'
import type { NewLine } from '../../store/journal/journal.ts'
import { mirrored } from '../../store/journal/mirror.ts'
import { redisJournal } from '../../store/journal/redis.ts'
import { openServer } from '../../store/redis/server.ts'
import { queueEngine } from '../../study/engine/bullmq.ts'
import { createCrew } from '../../study/engine/crew.ts'
import type { StudyEngine } from '../../study/engine.ts'
import type { StudyState } from '../../study/state.ts'
import { entry, type Head } from '../../study/study.ts'
import { closeCrew, freeDead, given, type Place, type PlaceOptions, wanted } from './place.ts'
import { limitsOf } from './request.ts'
import type { Order } from './work.ts'

export interface Served {
  /** Without its password. */
  readonly shown: string
  /** What the log of a study on this server has to say about it. */
  readonly warnings: readonly NewLine[]
  /** Aborts when the server has stayed away for as long as the study may take. */
  readonly lost: AbortSignal
  /** Throws UserError when nobody works here and no worker elsewhere is there in time. */
  place(options: PlaceOptions): Promise<Place>
  /** Gives the server back what only the copy here has; the number of lines. */
  restore(options: PlaceOptions, state: StudyState): Promise<number>
  append(study: string, batch: readonly NewLine[]): Promise<unknown>
  close(): Promise<void>
}

const patienceMs = 20 * 60_000

/** Throws UserError when the server does not answer or may lose what it is told. */
export async function openServed(
  url: string,
  { unsafe, say }: { unsafe: boolean; say: (text: string) => void },
): Promise<Served> {
  let until = Date.now() + patienceMs
  const server = await openServer(url, { unsafe, say, giveUpAt: () => until })
  const journal = redisJournal(server)
  for (const text of server.notes) say(text)
  return {
    shown: server.address.shown,
    warnings: server.notes.map((text) => entry('notice', { code: 'engine_unsafe', text })),
    lost: server.lost,
    async restore({ head, local }, { usage }) {
      const spent = { tokens: usage.input + usage.output, usd: usage.usd ?? 0 }
      return journal.restore(head.id, local, { limits: limitsOf(head.budget), spent })
    },
    async place({ head, local, ground, run, crewing }) {
      // a study that is taken up again has its whole time anew
      until = Math.max(head.deadline, Date.now() + head.deadline - head.created)
      const engine = await queueEngine(server, { corpus: head.corpus, log: run.note })
      const here = crewing.local ?? head.workers
      if (here === 0) await firstWorker(engine, head, crewing.workerWaitMs, run.signal)
      const copied = mirrored(journal, local, (study, lines) => {
        const text = `${server.address.shown} came back without the last ${lines} lines and got them again`
        say(text)
        // where this cannot be written, nothing else can either, and that is told
        journal.append(study, [entry('notice', { code: 'journal_restored', text })]).catch(() => undefined)
      })
      const { id: study, project, root, corpus, model, sources } = head
      const crew = createCrew({
        spawn: ground.resources.spawn,
        file: process.execPath,
        args: [run.program, '--study-worker'],
        cwd: project,
        env: given(run.env),
        order: {
          study,
          project,
          foreign: sources.includes('mcp'),
          server: { url, unsafe: crewing.unsafe, corpus, root, model: model.name },
        } satisfies Order,
        // the queue gives what it had taken to another by itself
        gone: async () => freeDead(journal, study),
        log: run.note,
      })
      return {
        journal: copied,
        engine,
        tend: (state) => crew.ensure(Math.min(here, wanted(state))),
        async close(state) {
          await closeCrew(crew, state)
          await engine.close()
        },
      }
    },
    append: (study, batch) => journal.append(study, batch),
    close: () => journal.close(),
  }
}

async function firstWorker(
  engine: StudyEngine,
  head: Head,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + waitMs
  while ((await engine.health()).workers === 0) {
    if (Date.now() >= end) {
      throw new UserError(`no worker serves corpus ${head.corpus.slice(0, 12)} at ${head.engine}`, {
        hint: `Start "anode worker --engine ${head.engine}" where the same files are, or use --local N.`,
      })
    }
    await sleep(Math.min(250, Math.max(1, end - Date.now())), undefined, { signal })
  }
}
