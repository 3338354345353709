// The command `anode undo`, which reverts file changes that tools made (those of the last run, of one call,
// or after a place of the thread), and redoes them.
import { UserError } from '../../internal/base/errors.ts'
import { countNoun } from '../../internal/base/text/count-noun.ts'
import { withDataStore } from '../../internal/runtime/workspace/data-store.ts'
import {
  applyUndo,
  findUndo,
  type PreparedUndo,
  prepareUndo,
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
  summary: 'Undo the file changes of the last run, then of the run before; --redo restores them',
  usage: 'undo [THREAD[@N]] [flags]',
  positionals: [
    {
      name: 'THREAD',
      describe: 'Thread, and @N for one of its calls (default: the latest that wrote files here)',
    },
  ],
  options: {
    to: { type: 'number', describe: 'Restore files to their state at this place of the thread', value: 'N' },
    redo: { type: 'boolean', describe: 'Revert the last undo' },
    'dry-run': { type: 'boolean', describe: 'Only show what would be restored' },
    yes: deletionOptions.yes,
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode undo --dry-run', 'Preview the changes of the last run that is not yet undone'],
    ['anode undo --redo', 'Revert the last undo'],
    ['anode undo last --to 0', 'Revert all changes of the latest thread'],
  ],
  run: (args, io) => withDataStore(io.env, (store) => undoWrites(args, io, store)),
}

async function undoWrites(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const isTrial = flagArg(args, 'dry-run')
  if (!isTrial) refuseAgents(io)
  const range = readRange(args)
  const { thread, plan } = await planTarget(args, range, io, store)
  const isDue = !isTrial && plan.steps.length > 0
  const isJson = flagArg(args, 'json')
  if (!isJson && (!isDue || flagArg(args, 'yes') || isTerminal(io))) await showPlan(plan, range, io)
  if (isDue) {
    await confirmUndo(plan, args, io)
    await applyUndo(store, thread, plan, { env: io.env, tool: range.redo ? 'redo' : 'undo' })
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

async function showPlan(plan: PreparedUndo, { redo }: UndoRange, io: CommandIo): Promise<void> {
  const { previews, left: skippedFiles, steps, message } = plan
  const verb = redo ? 'redo' : 'undo'
  if (message !== '') await writeText(io.stdout, `${verb}: changes by "${firstLine(message)}"\n`)
  for (const { path, what, hunks } of previews) await writeText(io.stdout, `${path}: ${what}\n${hunks}\n`)
  for (const { path, why } of skippedFiles) await writeText(io.stdout, `left as it is: ${path}: ${why}\n`)
  if (steps.length + skippedFiles.length === 0)
    await writeText(
      io.stdout,
      fitLines(`nothing to ${verb}: no changes by tools are left in this thread\n`, io),
    )
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0]?.slice(0, 80) ?? ''

async function confirmUndo({ previews }: PreparedUndo, args: CommandArgs, io: CommandIo): Promise<void> {
  const target = stringArg(args, 'THREAD')
  const to = stringArg(args, 'to')
  const redo = flagArg(args, 'redo')
  const command = [
    'undo',
    ...(target ? [target] : []),
    ...(to === undefined ? [] : ['--to', to]),
    ...(redo ? ['--redo'] : []),
  ]
  const items = previews.map(({ path, what }) => ({
    kind: 'file',
    id: path,
    about: `${path}: ${what}`,
    done: '',
  }))
  await confirmDeletion(
    { command, items, question: `${redo ? 'Redo' : 'Undo'} these changes?`, asks: 'terminal' },
    args,
    io,
  )
}

async function planTarget(
  args: CommandArgs,
  range: UndoRange,
  io: CommandIo,
  store: Store,
): Promise<{ thread: Thread; plan: PreparedUndo }> {
  const [name = ''] = (stringArg(args, 'THREAD') ?? '').split('@')
  if (name !== '') {
    const thread = findThread(store, name)
    return { thread, plan: await prepareUndo(store, thread, range, io.cwd) }
  }
  const target = await findUndo(store, range, io.cwd)
  if (target) return target
  const hint = 'Anode can undo changes by its tools and by sandboxed commands'
  throw new UserError('no thread has written files in this directory', { hint, exit: 1 })
}

function readRange(args: CommandArgs): UndoRange {
  const [, place] = (stringArg(args, 'THREAD') ?? '').split('@')
  const to = readNumber(args, 'to', 0)
  if (place !== undefined && !/^\d+$/.test(place))
    throw new UserError(`${place} is not a place in a thread`, { hint: 'write THREAD@N with a number' })
  if (place !== undefined && to !== undefined)
    throw new UserError('@N and --to exclude each other', { hint: 'use one of them' })
  const redo = flagArg(args, 'redo')
  if (redo && (place !== undefined || to !== undefined))
    throw new UserError('--redo takes neither @N nor --to', { hint: 'anode undo --redo' })
  const at = place === undefined ? undefined : Number(place)
  return { at, after: to, redo }
}
