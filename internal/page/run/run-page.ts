// Page of one run: its growing conversation, its open approvals and questions, its settings and subagents,
// and the field for messages.

import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeRunState } from '../../base/text/run-state.ts'
import type { CommandReply } from '../../session/client.ts'
import { listWaits } from '../../session/view/list-waits.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { goToPage } from '../page-link.ts'
import type { PageScopes } from '../page-scopes.ts'
import { revealText } from '../text/shown-text.ts'
import { RunApprovals } from './approvals.ts'
import { RunComposer } from './composer.ts'
import { RunConversation } from './conversation.ts'
import { RunQuestions } from './questions.ts'
import type { SendCommand } from './send-command.ts'
import { RunSide } from './side/run-side.ts'
import { useFollowedEnd } from './use-followed-end.ts'
import { useRunFeed } from './use-run-feed.ts'

interface RunPageProps {
  thread: string
  scopes: PageScopes
  /** True if the process of the run has died before the run ended. */
  isBroken: boolean
}

export function RunPage({ thread, scopes, isBroken }: RunPageProps) {
  const { view, children, stored, broken, problem } = useRunFeed(thread)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const send = useSend(thread, setRefused)
  useFollowedEnd(view)
  const title = titleOf(view, thread)
  useEffect(() => {
    document.title = `${describeState(view, isBroken)} · ${revealText(title)} · Anode`
  }, [title, view, isBroken])
  if (problem !== undefined) return h('p', { role: 'alert', class: 'problem' }, problem)
  const canAct = scopes.includes('act')
  const canApprove = scopes.includes('approve')
  return h(
    'div',
    { class: 'run-page', 'data-position': view.pos, 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h(
        'div',
        { class: 'head' },
        h('h1', null, revealText(title)),
        canAct && view.pos > 0 && view.run === undefined && h(ForkButton, { send }),
        h('p', { role: 'status', class: 'quiet' }, broken ?? describeState(view, isBroken)),
      ),
      h(RunConversation, { view, send: canAct ? send : undefined }),
      h(RunApprovals, { view, send, canApprove }),
      h(RunQuestions, { view, send, canAnswer: canAct }),
      h('p', { role: 'alert', class: 'problem' }, refused),
      canAct && h(RunComposer, { view, send }),
    ),
    h(RunSide, { view, items: children, send, canAct, canApprove }),
  )
}

/** Largest number of characters of a message that is shown as the title of its thread. */
const maxTitleChars = 80

/**
 * Returns the title of the thread, or else the start of the first line of the user's first message, or else
 * the thread's id.
 */
function titleOf({ title, blocks }: SessionView, thread: string): string {
  if (title !== '') return title
  const texts = blocks.flatMap((block) =>
    block.kind === 'user' && block.origin === undefined ? [block.text] : [],
  )
  const [line = ''] = (texts[0] ?? '').trim().split('\n')
  return line.slice(0, maxTitleChars) || thread
}

function useSend(thread: string, setRefused: (problem: string | undefined) => void): SendCommand {
  return async (command) => {
    setRefused(undefined)
    try {
      const body = { id: crypto.randomUUID(), ...command }
      const path = `/v1/runs/${encodeURIComponent(thread)}/commands`
      const reply = await askServer<CommandReply>(path, { body })
      return reply.ok ? reply : undefined
    } catch (error) {
      setRefused(describeProblem(error))
      return undefined
    }
  }
}

function ForkButton({ send }: { send: SendCommand }) {
  const fork = async () => {
    const reply = await send({ type: 'fork' })
    if (reply?.thread !== undefined) goToPage(`/runs/${reply.thread}`)
  }
  return h('button', { type: 'button', onClick: () => void fork() }, 'Fork')
}

/** Returns the state of the run in the same words as the list of runs. */
function describeState(view: SessionView, isBroken: boolean): string {
  const { run, blocks } = view
  const end = blocks.findLast((block) => block.kind === 'end')
  const runEnd =
    end?.kind === 'end' ? { end: end.end, reason: end.reason ?? null } : { end: null, reason: null }
  const waits = listWaits(view)
  const state = waits.length > 0 ? 'waiting' : run ? 'running' : 'idle'
  return revealText(describeRunState({ ...runEnd, state: isBroken ? 'broken' : state, waits }))
}
