// The commands that every screen runs in the same way.
import type { SlashCommand } from '../input/slash-command.ts'
import { readTypedPath } from '../input/typed-path.ts'
import type { CommandScreen } from './command-screen.ts'
import { askTrust, chooseModel, chooseProfile, setEffort, setMode } from './setup-command.ts'
import { showThreadChanges } from './thread-changes.ts'
import { forkThread, rewindThread, undoFiles } from './undo-command.ts'
import { readUsageLines } from './usage-lines.ts'

const sharedNames = [
  ...(['new', 'fork', 'rename', 'undo', 'redo', 'rewind', 'usage', 'diff', 'goal'] as const),
  ...(['model', 'effort', 'profile', 'mode', 'plan', 'trust', 'add-dir'] as const),
]

type SharedCommand = (typeof sharedNames)[number]

export const isSharedCommand = (name: SlashCommand): name is SharedCommand =>
  sharedNames.some((one) => one === name)

export async function runSharedCommand(
  screen: CommandScreen,
  name: SharedCommand,
  argument: string,
): Promise<void> {
  switch (name) {
    case 'new':
      return screen.open({ kind: 'new' })
    case 'fork':
      return forkThread(screen, argument)
    case 'rename':
      return void (await screen.send({ type: 'rename', title: argument }))
    case 'goal':
      return void (await screen.send({ type: 'goal', argument }))
    case 'undo':
      return await undoFiles(screen)
    case 'redo':
      return await undoFiles(screen, { redo: true })
    case 'rewind':
      return rewindThread(screen)
    case 'usage':
      return screen.print(await readUsageLines(screen))
    case 'diff':
      return await showThreadChanges(screen)
    case 'model':
      return await chooseModel(screen, argument)
    case 'effort':
      return setEffort(screen, argument)
    case 'profile':
      return await chooseProfile(screen, argument)
    case 'mode':
      return setMode(screen, argument)
    case 'plan':
      return setMode(screen, screen.view.mode === 'plan' ? (screen.view.workMode ?? 'ask') : 'plan')
    case 'trust':
      return await askTrust(screen)
    case 'add-dir':
      return void (await screen.send({ type: 'add_dir', path: readTypedPath(argument, screen.home) }))
  }
}
