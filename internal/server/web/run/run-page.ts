// One run: its conversation as it streams, what waits for an answer, what surrounds it, and words to it.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SessionView } from '../../../session/view/session-view.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import type { PageScopes } from '../page-scopes.ts'
import { revealText } from '../text/shown-text.ts'
import { RunApprovals } from './approvals.ts'
import { RunComposer } from './composer.ts'
import { RunConversation } from './conversation.ts'
import { RunQuestions } from './questions.ts'
import { RunSide } from './run-side.ts'
import type { SendCommand } from './send-command.ts'
import { useRunFeed } from './use-run-feed.ts'

export function RunPage({ thread, scopes }: { thread: string; scopes: PageScopes }) {
  const { view, stored, broken, problem } = useRunFeed(thread)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const send: SendCommand = async (command) => {
    setRefused(undefined)
    try {
      const body = { id: crypto.randomUUID(), ...command }
      await askServer(`/v1/runs/${encodeURIComponent(thread)}/commands`, { body })
      return true
    } catch (error) {
      setRefused(describeProblem(error))
      return false
    }
  }
  const title = view.title === '' ? thread : view.title
  useEffect(() => {
    document.title = `${describeState(view)} · ${revealText(title)} · Anode`
  }, [title, view])
  if (problem !== undefined) return h('p', { role: 'alert', class: 'problem' }, problem)
  return h(
    'div',
    { class: 'run-page', 'data-position': view.pos, 'data-stored': stored },
    h(
      'div',
      { class: 'talk' },
      h('h1', null, revealText(title)),
      h('p', { role: 'status', class: 'quiet' }, broken ?? describeState(view)),
      h(RunConversation, { view }),
      h(RunApprovals, { view, send, canApprove: scopes.includes('approve') }),
      h(RunQuestions, { view, send, canAnswer: scopes.includes('act') }),
      h('p', { role: 'alert', class: 'problem' }, refused),
      scopes.includes('act') && h(RunComposer, { view, send }),
    ),
    h(RunSide, { view }),
  )
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
