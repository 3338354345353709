// Which toolset a thread works with: the one that its calls were made with, else as asked or configured.
import { UserError } from '../../base/errors.ts'

interface ToolsetChoice {
  /** What the person has named. */
  asked: string | undefined
  /** What the thread has worked with so far; absent for a new one. */
  before?: { toolset?: string } | undefined
  profile: { toolset?: string | undefined }
  config: { toolset?: string | undefined }
}

/** Throws UserError where another one is asked for than the thread works with. */
export function chooseThreadToolset({ asked, before, profile, config }: ToolsetChoice): string {
  if (!before) return asked ?? profile.toolset ?? config.toolset ?? 'anode'
  const kept = before.toolset ?? 'anode'
  if (asked === undefined || asked === kept) return kept
  throw new UserError(`the thread works with the toolset ${kept}, not with ${asked}`, {
    hint: `leave out --toolset, or begin a new thread`,
  })
}

/** Throws UserError for a model that knows no other tools than the native ones, where there are others. */
export function checkToolsetModel(model: { kind: string; id: string }, isNative: boolean): void {
  if (model.kind !== 'rules' || isNative) return
  throw new UserError(`${model.id} works with the tools of anode alone`, { hint: 'add --toolset anode' })
}
