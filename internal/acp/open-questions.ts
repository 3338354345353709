// The questions to the editor's user about calls that wait. Each is asked once, and withdrawn when another
// client answers it or the run ends.
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable'
import type { SessionEvent } from '../session/client.ts'
import type { PermissionAnswer } from '../session/commands.ts'
import type { PendingPermission } from '../session/snapshot.ts'
import type { AcpSessionState, OpenQuestion } from './acp-session-state.ts'
import { diffContent, kindOfCall, textContent, titleOfCall } from './call-content.ts'
import { listPermissionChoices, readPermissionOutcome } from './permission-request.ts'
import { askClientQuestions } from './question-request.ts'

/**
 * Asks the editor's user about the calls that wait for an answer according to the event, and does not wait
 * for the answers. A preview in the event ends the wait for it. If the event reports a decision, an answer or
 * the run's end, withdraws the matching questions.
 */
export function askUserOfClient(state: AcpSessionState, event: SessionEvent): void {
  const { questions } = state
  switch (event.type) {
    case 'session.snapshot':
      for (const permission of event.payload.waits) void askPermission(state, permission)
      for (const { call, questionnaire } of event.payload.questions)
        void askQuestions(state, call, questionnaire)
      break
    case 'permission.asked':
      void askPermission(state, event.payload)
      break
    case 'permission.preview':
      questions.get(event.payload.call)?.previewed()
      break
    case 'question.asked':
      void askQuestions(state, event.payload.call, event.payload)
      break
    case 'permission.decided':
    case 'question.answered':
      questions.get(event.payload.call)?.stop.abort()
      questions.delete(event.payload.call)
      break
    case 'run.ended':
      closeQuestions(state)
      break
  }
}

/** Withdraws all open questions. */
export function closeQuestions({ questions }: AcpSessionState): void {
  for (const { stop } of questions.values()) stop.abort()
  questions.clear()
}

/** Milliseconds to wait for the preview of a call's file changes; then the question is asked without it. */
const maxPreviewMs = 1_000

/** Adds a new open question, or returns undefined if this call already has one. */
function openQuestion(state: AcpSessionState, call: string) {
  if (state.questions.has(call)) return undefined
  let previewed: () => void = () => undefined
  const preview = new Promise<void>((resolve) => {
    previewed = resolve
  })
  const question: OpenQuestion = { stop: new AbortController(), previewed }
  state.questions.set(call, question)
  return { signal: question.stop.signal, preview }
}

async function askPermission(state: AcpSessionState, first: PendingPermission): Promise<void> {
  const { call } = first
  const opened = openQuestion(state, call)
  if (!opened) return
  const { signal, preview } = opened
  if (kindOfCall(first) === 'edit' && !first.preview) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxPreviewMs)
    })
    await Promise.race([preview, late])
    clearTimeout(timer)
  }
  const permission = state.view().waits.find((one) => one.call === call) ?? first
  const answer = await askForAnswer(state, permission, signal)
  if (answer) await state.send({ type: 'answer_permission', call, answer })
}

/**
 * Asks the editor's user about a call. Returns the answer, a denial if the editor cannot ask, or undefined if
 * the question was withdrawn before.
 */
async function askForAnswer(
  { peer, id, backend, opened }: AcpSessionState,
  permission: PendingPermission,
  signal: AbortSignal,
): Promise<PermissionAnswer | undefined> {
  const choices = listPermissionChoices(permission)
  const files = permission.preview?.files ?? []
  const params = {
    sessionId: id,
    toolCall: {
      toolCallId: permission.call,
      title: titleOfCall(permission),
      kind: kindOfCall(permission),
      status: 'pending' as const,
      rawInput: permission.args ?? {},
      content: [
        textContent(backend.describeApproval(permission)),
        ...files.flatMap((file) => diffContent(file, opened.workspace)),
      ],
    },
    options: choices.map(({ option }) => option),
  }
  try {
    const reply = await peer.request<RequestPermissionResponse>('session/request_permission', params, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    })
    return readPermissionOutcome(reply.outcome, choices)
  } catch {
    // the editor could not ask its user, so the call is denied
    return signal.aborted ? undefined : { allow: false, words: 'the editor could not ask its user' }
  }
}

async function askQuestions(
  state: AcpSessionState,
  call: string,
  questionnaire: Parameters<typeof askClientQuestions>[0],
): Promise<void> {
  const opened = openQuestion(state, call)
  if (!opened) return
  const { peer, id: session, capabilities } = state
  const hasForms = Boolean(capabilities?.elicitation?.form)
  const place = { peer, session, call, signal: opened.signal }
  const answer = await askClientQuestions(questionnaire, hasForms, place)
  if (!opened.signal.aborted) await state.send({ type: 'answer_question', call, answer })
}
