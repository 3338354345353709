// Calls that a person makes in a session: under deny rules, on record, and no part of what the model said.

import type { Profile } from '../../profile/profile.ts'
import { invokeAsPerson } from '../../runtime/run/invoke-as-user.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { FileMention } from '../../session/commands.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { CallRequest, CallResult } from '../../tool/invoke.ts'
import { adaptSessionCtx, type SessionState } from './session-state.ts'
import type { OpenedSessionThread } from './session-thread.ts'

interface PersonCall {
  runtime: Runtime
  profile: Profile
  thread: OpenedSessionThread
  adaptCtx(ctx: Ctx): Ctx
  signal: AbortSignal
  request: CallRequest
}

/** Never rejects for what the tool does. */
export async function callAsPerson(call: PersonCall): Promise<CallResult> {
  const { runtime, profile, thread, signal, request } = call
  const { conversation, record } = thread
  const made = await runtime.ctx({
    thread: conversation.thread,
    profile,
    log: record,
    ask: async () => ({ allow: false, why: 'nobody is asked' }),
    warn: (text) => void record.append({ type: 'model.notice', payload: { code: 'note', text } }),
    signal,
  })
  const ctx = call.adaptCtx({ ...made, signal, seen: conversation.seen, nextCall: conversation.nextCall })
  const result = await invokeAsPerson(runtime, ctx, request)
  record.flush()
  return result
}

/** Most of one file that goes with a message; the model can read the rest. */
const maxMentionBytes = 65_536
const maxMentionNames = 200

/** A name with a line end is no line of its own to the model. */
const oneLine = (path: string) => JSON.stringify(path).slice(1, -1)

/** Gives the model what the message names, as the tools give it to anybody. */
export async function readMentions(
  state: SessionState,
  thread: OpenedSessionThread,
  files: readonly FileMention[],
  signal: AbortSignal,
): Promise<void> {
  for (const { path, startLine, endLine } of files) {
    const lines = { ...(startLine && { start_line: startLine }), ...(endLine && { end_line: endLine }) }
    const request = path.endsWith('/')
      ? { name: 'glob', args: { pattern: '**/*', path, limit: maxMentionNames } }
      : { name: 'read', args: { path, max_bytes: maxMentionBytes, ...lines } }
    const { text } = await callAsPerson({
      runtime: await state.runtime(),
      profile: state.agent.profile,
      thread,
      signal,
      adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
      request,
    })
    state.notes.push(`[${request.name === 'glob' ? 'folder' : 'file'} ${oneLine(path)}]\n${text}`)
  }
}

/** A call of the person's own, so that the record shows what the model was given. */
export async function readSkill(
  state: SessionState,
  thread: OpenedSessionThread,
  args: { name: string; input: string },
  signal: AbortSignal,
): Promise<void> {
  const { text } = await callAsPerson({
    ...{ runtime: await state.runtime(), profile: state.agent.profile, thread, signal },
    adaptCtx: (ctx) => adaptSessionCtx(state, ctx),
    request: { name: 'skill', args },
  })
  state.notes.push(`[the person asks for this skill]\n${text}`)
}
