// One run: its conversation as it streams, what waits for an answer, what surrounds it, and words to it.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CommandReply } from '../../session/client.ts'
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

export function RunPage({ thread, scopes }: { thread: string; scopes: PageScopes }) {
  const { view, children, stored, broken, problem } = useRunFeed(thread)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const send = useSend(thread, setRefused)
  useFollowedEnd(view)
  const title = view.title === '' ? thread : view.title
  useEffect(() => {
    document.title = `${describeState(view)} · ${revealText(title)} · Anode`
  }, [title, view])
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
        h('p', { role: 'status', class: 'quiet' }, broken ?? describeState(view)),
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

/** Few words, said anew only when they change. */
function describeState({ run, waits, questions, blocks }: SessionView): string {
  const tools = waits.map(({ tool }) => tool)
  if (tools.length > 0) return revealText(`waits for an answer: ${tools.join(', ')}`)
  if (questions.length > 0) return 'waits for an answer to a question'
  if (run) return 'at work'
  const end = blocks.findLast((block) => block.kind === 'end')
  if (end?.kind !== 'end') return 'idle'
  return revealText(end.reason === undefined ? end.end : `${end.end}: ${end.reason}`)
}
