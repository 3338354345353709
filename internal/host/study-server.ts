// A study on a server: its log, budget and mail live there, this machine keeps a mirror, and workers may be anywhere.
import { messageOf, UserError } from '../base/errors.ts'
import type { Line, NewLine } from '../store/journal/journal.ts'
import { redisJournal } from '../store/journal/redis.ts'
import { openServer } from '../store/redis/server.ts'
import { createCrew } from '../study/crew.ts'
import { queueEngine } from '../study/engine/bullmq.ts'
import type { StudyState } from '../study/state.ts'
import { closeCrew, freeDead, given, type Place, type PlaceOptions, wanted } from './study-place.ts'
import { limitsOf } from './study-request.ts'

/** Lines of the mirror that are written at once. */
const portion = 500

export interface Served {
  /** Without its password. */
  readonly shown: string
  place(options: PlaceOptions): Promise<Place>
  /** Gives the server back what only the mirror has; the number of lines. */
  restore(options: PlaceOptions, state: StudyState): Promise<number>
  append(study: string, batch: readonly NewLine[]): Promise<unknown>
  close(): Promise<void>
}

/** Throws UserError when the server does not answer or may lose what it is told. */
export async function openServed(
  url: string,
  { unsafe, say }: { unsafe: boolean; say: (text: string) => void },
): Promise<Served> {
  const server = await openServer(url, { unsafe, say })
  const journal = redisJournal(server)
  for (const text of server.notes) say(text)
  return {
    shown: server.address.shown,
    async restore({ head, local }, { usage }) {
      const spent = { tokens: usage.input + usage.output, usd: usage.usd ?? 0 }
      return journal.restore(head.id, local, { limits: limitsOf(head.budget), spent })
    },
    async place({ head, local, ground, run, crewing }) {
      const engine = await queueEngine(server, { corpus: head.corpus, log: run.note })
      const here = crewing.local ?? head.workers
      const model = head.model.name
      const crew = createCrew({
        spawn: ground.resources.spawn,
        file: process.execPath,
        args: [
          run.program,
          'worker',
          '--root',
          head.root,
          '--model',
          model,
          ...(crewing.unsafe ? ['--engine-unsafe'] : []),
        ],
        cwd: head.project,
        // an address may hold a password, which no list of processes is to show
        env: { ...given(run.env), ANODE_ENGINE: url },
        order: undefined,
        // its lease ends by itself, and the queue gives its task to another
        gone: async () => freeDead(journal, head.id),
        log: run.note,
      })
      const mirror = mirrorOf(async (lines) => void (await local.mirror(head.id, lines)), run.note)
      const begun = performance.now()
      let seen = false
      return {
        journal,
        engine,
        keep: mirror.add,
        async tend(state) {
          await mirror.flush()
          await crew.ensure(Math.min(here, wanted(state)))
          seen ||= here > 0 || [...state.tasks.values()].some(({ attempts }) => attempts > 0)
          if (seen || performance.now() - begun < crewing.workerWaitMs) return
          seen = (await engine.health()).workers > 0
          if (!seen)
            throw new UserError(
              `no worker has come within ${Math.round(crewing.workerWaitMs / 1000)} s`,
              noWorker,
            )
        },
        async close(state) {
          await closeCrew(crew, state)
          await mirror.flush()
          await engine.close()
        },
      }
    },
    append: (study, batch) => journal.append(study, batch),
    close: () => journal.close(),
  }
}

const noWorker = {
  hint: 'start one with anode worker --engine URL on a machine with the same files',
  exit: 3,
}

/** Lines go to this machine's database in order, many at once; trouble is told and does not stop the study. */
function mirrorOf(write: (lines: readonly Line[]) => Promise<void>, note: (text: string) => void) {
  let waiting: Line[] = []
  let told = false
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, portion)
      try {
        await write(batch)
        waiting = waiting.slice(batch.length)
      } catch (error) {
        if (!told) note(`the log cannot be kept on this machine: ${messageOf(error)}`)
        told = true
        return
      }
    }
  }
  return {
    add: (line: Line) => void waiting.push(line),
    flush,
  }
}
