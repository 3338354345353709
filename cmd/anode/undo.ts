// `anode undo`: puts back what tools have written, where it is still as they wrote it.
import { UserError } from '../../internal/base/errors.ts'
import { countNoun } from '../../internal/base/text/count-noun.ts'
import { withDataStore } from '../../internal/runtime/workspace/data-store.ts'
import {
  applyUndo,
  findWritingThread,
  prepareUndo,
  readWrites,
  type UndoRange,
} from '../../internal/service/threads/undo.ts'
import type { Store, Thread } from '../../internal/store/store.ts'
import { isTerminal, refuseAgents } from './consent.ts'
import { exitCodes } from './exit-codes.ts'
import { readNumber } from './flags.ts'
import { confirmDeletion, deletionOptions } from './io/deletion.ts'
import { fitLines } from './io/prose.ts'
import { writeText } from './io/streams.ts'
import { findThread } from './threads/thread-access.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const undo: Verb = {
  name: 'undo',
  summary: 'Restore what tools have changed, except files that changed again later',
  usage: 'undo [THREAD[@N]] [flags]',
  positionals: [
    {
      name: 'THREAD',
      describe: 'Thread, and @N for one of its calls; absent: the newest that wrote files here',
    },
  ],
  options: {
    to: { type: 'number', describe: 'Back to how files were at this place of the thread', value: 'N' },
    'dry-run': { type: 'boolean', describe: 'Only show what would be restored' },
    yes: deletionOptions.yes,
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode undo --dry-run', 'The changes since your last message'],
    ['anode undo last --to 0', 'All that the newest thread has written'],
  ],
  run: (args, io) => withDataStore(io.env, (store) => undoWrites(args, io, store)),
}

type ShownUndo = Awaited<ReturnType<typeof prepareUndo>>

async function undoWrites(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const isTrial = flagArg(args, 'dry-run')
  if (!isTrial) refuseAgents(io)
  const { thread, range } = readTarget(args, io, store)
  const plan = await prepareUndo(store, readWrites(store, thread, range), io.cwd)
  const isDue = !isTrial && plan.steps.length > 0
  const isJson = flagArg(args, 'json')
  if (!isJson && (!isDue || flagArg(args, 'yes') || isTerminal(io))) await showPlan(plan, io)
  if (isDue) {
    await confirmUndo(plan, args, io)
    await applyUndo(store, thread, plan, io.env)
  }
  if (isJson) {
    const files = plan.previews.map(({ path, what, added, removed }) => ({ path, what, added, removed }))
    io.stdout.write(
      `${JSON.stringify({ thread: thread.id, done: !isTrial, files, left: plan.left }, null, 2)}\n`,
    )
  }
  if (isDue) io.stderr.write(`${countNoun(plan.steps.length, 'file')} restored\n`)
  return plan.left.length > 0 ? exitCodes.limit : exitCodes.done
}

async function showPlan({ previews, left, steps }: ShownUndo, io: CommandIo): Promise<void> {
  for (const { path, what, hunks } of previews) await writeText(io.stdout, `${path}: ${what}\n${hunks}\n`)
  for (const { path, why } of left) await writeText(io.stdout, `left as it is: ${path}: ${why}\n`)
  if (steps.length + left.length === 0)
    await writeText(io.stdout, fitLines('nothing to undo: files are as they were\n', io))
}

async function confirmUndo({ previews }: ShownUndo, args: CommandArgs, io: CommandIo): Promise<void> {
  const target = stringArg(args, 'THREAD')
  const to = stringArg(args, 'to')
  const command = ['undo', ...(target ? [target] : []), ...(to === undefined ? [] : ['--to', to])]
  const items = previews.map(({ path, what }) => ({
    kind: 'file',
    id: path,
    about: `${path}: ${what}`,
    done: '',
  }))
  await confirmDeletion({ command, items, question: 'Undo these changes?', asks: 'terminal' }, args, io)
}

function readTarget(args: CommandArgs, io: CommandIo, store: Store): { thread: Thread; range: UndoRange } {
  const [name = '', place] = (stringArg(args, 'THREAD') ?? '').split('@')
  const to = readNumber(args, 'to', 0)
  if (place !== undefined && !/^\d+$/.test(place))
    throw new UserError(`${place} is not a place in a thread`, { hint: 'write THREAD@N with a number' })
  if (place !== undefined && to !== undefined)
    throw new UserError('@N and --to exclude each other', { hint: 'leave one of them out' })
  const thread = name === '' ? findWritingThread(store, io.cwd) : findThread(store, name)
  if (!thread) {
    const hint = 'Anode can undo changes by its tools and by sandboxed commands'
    throw new UserError('no thread has written files in this folder', { hint, exit: 1 })
  }
  const at = place === undefined ? undefined : Number(place)
  return { thread, range: { at, after: to } }
}
