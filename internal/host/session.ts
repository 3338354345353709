// A session for direct calls: a person is the agent, the flags are the approval.

import type { Draft } from '../event/event.ts'
import type { Policy } from '../policy/decide.ts'
import { unmatchedWarning } from '../profile/filter.ts'
import { findProfile } from '../profile/find.ts'
import type { Profile } from '../profile/profile.ts'
import { type Catalog, catalog } from '../tool/catalog.ts'
import type { Ask, Ctx } from '../tool/ctx.ts'
import { type GroundOptions, openGround } from './ground.ts'
import { directLog } from './log.ts'
import { follow } from './registry.ts'
import { reviewer } from './review.ts'

export interface SessionOptions extends GroundOptions {
  /** Absent: the whole registry rather than what one profile may call. */
  profile?: string
  /** `flag`: the person approved everything that is not denied by typing a flag. */
  approval: 'none' | 'flag'
  /** Calls that do more than read ask, whatever the mode allows. */
  onlyReads?: boolean
  record: 'changes' | 'always'
  /** One call and no more. */
  single?: boolean
}

export interface Session {
  readonly ctx: Ctx
  readonly catalog: Catalog
  readonly profile: Profile | undefined
  /** What the person should be told: ignored files, names that match nothing. */
  readonly notes: readonly string[]
  close(): Promise<void>
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const ground = await openGround(options)
  try {
    const profile =
      options.profile === undefined ? undefined : findProfile(await ground.profiles(), options.profile)
    const { workspace } = ground.around
    const log = directLog({
      store: ground.resources.store,
      workspace,
      profile: profile?.name ?? '',
      record: options.record,
    })
    const notes = [...ground.notes]
    const seat = {
      thread: undefined,
      profile,
      single: options.single ?? false,
      log,
      ask: answerer(options),
      warn: (text: string) => notes.push(text),
    }
    const opened = await ground.ctx(seat)
    const ctx = { ...opened, policy: policyFor(options, opened.policy) }
    const parent = { ctx, report: (draft: Draft) => log.append(draft) }
    const can = { spawn: ground.spawn(parent), review: reviewer({ ...parent, ground }) }
    const names = ground.entries().map(({ name }) => name)
    // names cannot be said to match nothing when only some tools were looked for
    const warning = profile && options.names === undefined ? unmatchedWarning(profile, names) : undefined
    const tools = follow(ground.entries, () => catalog(ground.tools(profile)))
    if (warning !== undefined) notes.push(warning)
    return {
      ctx: { ...ctx, can: { ...ctx.can, ...can } },
      get catalog() {
        return tools()
      },
      profile,
      notes,
      close: () => ground.close(),
    }
  } catch (error) {
    await ground.close()
    throw error
  }
}

/** Where only what reads may run unasked, everything that changes state wants an answer, Anode's own state too. */
function policyFor({ onlyReads }: SessionOptions, policy: Policy): Policy {
  return onlyReads !== true || policy.preset === 'strict' ? policy : { ...policy, preset: 'careful' }
}

/** Direct calls are approved by the flag or not at all; nothing here ever waits. */
function answerer(options: SessionOptions): Ask {
  if (options.approval === 'flag') return async () => ({ allow: true, why: '--allow-non-read' })
  return async () => ({ allow: false, why: 'to run it anyway, add --allow-non-read' })
}
