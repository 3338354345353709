// Toolset of a thread: the one that its calls used so far, else the requested or configured one.
import { UserError } from '../../base/errors.ts'

interface ToolsetChoice {
  /** Toolset that the user named. */
  asked: string | undefined
  /** Toolset that the thread has used so far; undefined for a new thread. */
  before?: { toolset?: string } | undefined
  profile: { toolset?: string | undefined }
  config: { toolset?: string | undefined }
}

/**
 * Returns the toolset of the thread; for a new one, that of the request, the profile or the configuration, or
 * `anode`. Throws UserError if the request differs from the thread's toolset.
 */
export function chooseThreadToolset({ asked, before, profile, config }: ToolsetChoice): string {
  if (!before) return asked ?? profile.toolset ?? config.toolset ?? 'anode'
  const kept = before.toolset ?? 'anode'
  if (asked === undefined || asked === kept) return kept
  throw new UserError(`the thread works with the toolset ${kept}, not with ${asked}`, {
    hint: `leave out --toolset, or begin a new thread`,
  })
}

/** Throws UserError if a model that knows only native tools is used with another toolset. */
export function checkToolsetModel(model: { kind: string; id: string }, isNative: boolean): void {
  if (model.kind !== 'rules' || isNative) return
  throw new UserError(`${model.id} works with the tools of anode alone`, { hint: 'add --toolset anode' })
}
