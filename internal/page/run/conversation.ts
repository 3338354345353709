// Conversation of a run: messages of user and model, with each call in its place.

import { h } from 'preact'
import { countNoun } from '../../base/text/count-noun.ts'
import { describeRunReason } from '../../base/text/reason-words.ts'
import { describeRunningCheck } from '../../session/view/check-run.ts'
import type { ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import { formatDuration, formatMoney } from '../text/figures.ts'
import { MarkdownText } from '../text/markdown-text.ts'
import { ProseText } from '../text/prose.ts'
import { revealText } from '../text/shown-text.ts'
import { CallRow } from './call/call-row.ts'
import { MessageActions } from './message-actions.ts'
import type { SendCommand } from './send-command.ts'

interface ConversationProps {
  view: SessionView
  /** Sends a command to the run. Undefined: the page may only read. */
  send: SendCommand | undefined
}

export function RunConversation({ view, send }: ConversationProps) {
  const { blocks, dropped, openReply, checking, run, thread } = view
  const draw = (block: ConversationBlock) => drawBlock(block, thread, run === undefined ? send : undefined)
  return [
    dropped > 0 && h('p', { class: 'quiet' }, `${dropped} older parts are not shown`),
    h(
      'section',
      { class: 'blocks', role: 'log', 'aria-label': 'Conversation' },
      blocks.map((block) => h('div', { key: `${block.kind} ${block.id}`, class: block.kind }, draw(block))),
    ),
    // A growing response is not read aloud. Screen readers read it when it is complete and part of the log.
    openReply &&
      h(
        'div',
        { class: 'open-reply', 'aria-live': 'off' },
        openReply.reasoning !== '' &&
          h(
            'details',
            { class: 'quiet' },
            h('summary', null, 'reasoning'),
            h(ProseText, { text: openReply.reasoning }),
          ),
        openReply.retry &&
          h('p', { class: 'quiet' }, `response interrupted, attempt ${openReply.retry.attempt}`),
        h(MarkdownText, { text: openReply.text }),
      ),
    checking && h('p', { class: 'quiet', 'aria-live': 'polite' }, revealText(describeRunningCheck(checking))),
  ]
}

function drawBlock(block: ConversationBlock, thread: string, send: SendCommand | undefined) {
  switch (block.kind) {
    case 'user':
      if (block.origin === 'note')
        return h(
          'details',
          { class: 'quiet' },
          h('summary', null, 'note for the model'),
          h(ProseText, { text: block.text }),
        )
      return [
        h(
          'div',
          { class: 'who' },
          block.origin ?? 'you',
          send && block.pos !== undefined && h(MessageActions, { pos: block.pos, send }),
        ),
        h(ProseText, {
          text: block.images > 0 ? `${block.text} [${countNoun(block.images, 'picture')}]` : block.text,
        }),
      ]
    case 'answer':
      return [
        h(MarkdownText, { text: block.text }),
        block.interrupted && h('p', { class: 'quiet' }, 'stopped here'),
      ]
    case 'call':
      return h(CallRow, { block, thread })
    case 'reasoning':
      return h(
        'details',
        { class: 'quiet' },
        h('summary', null, `thought ${formatDuration(block.ms)}`),
        h(ProseText, { text: block.text }),
      )
    case 'notice':
      return h(
        'p',
        { class: `notice ${block.tone}` },
        revealText(block.mark === undefined ? block.text : `${block.mark} ${block.text}`),
      )
    case 'summary':
      return h(
        'details',
        null,
        h('summary', null, `compacted: ${countNoun(block.replaced, 'message')}`),
        h(MarkdownText, { text: block.text }),
      )
    case 'end':
      return h('p', { class: 'quiet run-end' }, describeEnd(block))
  }
}

function describeEnd(block: Extract<ConversationBlock, { kind: 'end' }>): string {
  const { end, reason, message, ms, usd, proof = '' } = block
  const cause = reason === undefined ? undefined : describeRunReason(reason)
  const why = [cause, message].filter((one) => one !== undefined).join(': ')
  const figures = [
    ms === undefined ? '' : formatDuration(ms),
    usd === undefined || usd === null ? '' : formatMoney(usd),
  ]
  return revealText([why === '' ? end : `${end}: ${why}`, proof, ...figures].filter(Boolean).join(' · '))
}
