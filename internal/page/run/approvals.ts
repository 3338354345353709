// The calls of a run that wait for approval, each with the text that the terminal shows, and
// the possible answers.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApprovalDescription } from '../../server/backend.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { askServer, describeProblem } from '../connection/ask-server.ts'
import { ApprovalCard } from './approval-card.ts'
import type { SendCommand } from './send-command.ts'

interface ApprovalsProps {
  view: SessionView
  send: SendCommand
  canApprove: boolean
}

export function RunApprovals({ view, send, canApprove }: ApprovalsProps) {
  const { thread, waits } = view
  /** Descriptions of the waiting calls; undefined while they are requested, or if the request fails. */
  const [descriptions, setKnown] = useState<readonly ApprovalDescription[] | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  // A preview that arrives later changes the version, so that the descriptions of the calls
  // are requested again.
  const version = waits.map(({ call, preview }) => `${call} ${preview ? 1 : 0}`).join('\n')
  useEffect(() => {
    setKnown(undefined)
    if (version === '') return
    const stop = new AbortController()
    const path = `/v1/runs/${encodeURIComponent(thread)}/approvals`
    askServer<{ approvals: ApprovalDescription[] }>(path, { signal: stop.signal }).then(
      ({ approvals }) => {
        setKnown(approvals)
        setProblem(undefined)
      },
      (error: unknown) => stop.signal.aborted || setProblem(describeProblem(error)),
    )
    return () => stop.abort()
  }, [thread, version])
  if (waits.length === 0) return null
  const isElsewhere =
    descriptions !== undefined && !waits.some(({ call }) => descriptions.some((one) => one.call === call))
  return h(
    'section',
    { class: 'waits', 'aria-label': 'Waits for an answer' },
    h('p', { role: 'alert', class: 'problem' }, problem),
    isElsewhere && h('p', null, 'This conversation is open in a terminal. Answer it there.'),
    waits.map((permission) => {
      const lines = descriptions?.find(({ call }) => call === permission.call)?.lines
      return lines && h(ApprovalCard, { key: permission.call, asked: permission, lines, send, canApprove })
    }),
  )
}
