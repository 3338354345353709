// One call that waits for approval: all of its lines, then the answers. No answer can allow the call before
// its last line was visible.
import { h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApprovalLine } from '../../server/backend.ts'
import type { PermissionAnswer } from '../../session/commands.ts'
import type { PendingPermission } from '../../session/snapshot.ts'
import { isTypedInto } from '../key-target.ts'
import { drawRuns } from '../text/code-text.ts'
import { ApprovalAnswers } from './approval-answers.ts'
import type { SendCommand } from './send-command.ts'

interface ApprovalProps {
  asked: PendingPermission
  lines: readonly ApprovalLine[]
  send: SendCommand
  canApprove: boolean
}

export function ApprovalCard({ asked: permission, lines, send, canApprove }: ApprovalProps) {
  const [isSeen, end] = useSeen(lines)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    const isTall = (card.current?.offsetHeight ?? 0) > innerHeight
    card.current?.scrollIntoView({ block: isTall ? 'start' : 'nearest' })
  }, [])
  const { call } = permission
  const answer = (reply: PermissionAnswer) => send({ type: 'answer_permission', call, answer: reply })
  const allowEdits = async () => {
    // The mode is set first, so that it also applies to the calls that follow this one.
    await send({ type: 'set_mode', mode: 'edits' })
    await answer({ allow: true, scope: 'once', rules: [] })
  }
  const label = `ask-${call}`
  return h(
    'section',
    {
      ref: card,
      class: 'card approval',
      role: 'group',
      'aria-labelledby': label,
      tabIndex: 0,
      onKeyDown: pressAnswer,
    },
    h(
      'div',
      { class: 'asked', id: label },
      lines.map((line) => h('div', { class: lineClass(line) }, drawLine(line))),
    ),
    h('span', { ref: end, 'aria-hidden': 'true', class: 'end-mark' }),
    canApprove
      ? h(ApprovalAnswers, { asked: permission, isSeen, answer, allowEdits })
      : h(
          'p',
          { class: 'quiet' },
          'The token of this page does not have the scope approve, so you cannot answer here.',
        ),
  )
}

/**
 * Presses the button of this card for a letter key, as on the terminal, if the focus is in the card but not
 * in a field of it. A disabled button ignores its key.
 */
function pressAnswer(event: KeyboardEvent): void {
  if (isTypedInto(event) || !/^[a-z]$/i.test(event.key)) return
  const card = event.currentTarget as HTMLElement
  card.querySelector<HTMLButtonElement>(`button[data-key="${event.key}"]`)?.click()
}

const drawLine = ({ text, runs = [{ text, kind: undefined }], marks }: ApprovalLine) => drawRuns(runs, marks)

const lineClass = ({ foreign, tone }: ApprovalLine) =>
  [foreign === true ? 'foreign' : 'own', tone ?? ''].join(' ').trim()

/**
 * Returns whether the end of these lines was visible, and the reference for the element that marks the end.
 * If the lines change, the user has to see them again.
 */
function useSeen(lines: readonly ApprovalLine[]) {
  const mark = useRef<HTMLSpanElement>(null)
  const text = lines.map((line) => line.text).join('\n')
  const [seenText, setSeen] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (!mark.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(text)
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [text])
  return [seenText === text, mark] as const
}
