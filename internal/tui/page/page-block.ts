// The actions of keys on the selected block of the transcript: copy, open, stop, or show the whole result.

import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { SessionClient } from '../../session/client.ts'
import type { ConversationBlock } from '../../session/view/session-view.ts'
import { copyOutside } from '../command/outside-text.ts'
import { transcriptOf } from '../inline/earlier-blocks.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import { sendCommand } from '../inline/send-command.ts'
import { findMeantBlock, toggleResults } from '../inline/transcript-page.ts'
import type { KeyPress } from '../input/key-press.ts'
import { drawCall, isDiff } from '../run-view/call-view.ts'
import { penOfLook } from '../view/look-pen.ts'
import { openPage } from './live-page.ts'
import { createFixedPage } from './text-page.ts'

/**
 * `partChars` is the number of characters per read of a stored result; `maxWhole` is the largest number of
 * characters that are shown of one result.
 */
const partChars = 1_000_000
const maxWhole = 4 * partChars

/** Handles a key on the selected block. Returns false if the key has another meaning on the page. */
export function pressBlockKey(state: InlineState, { key }: KeyPress): boolean {
  const {
    overlays: { page },
  } = state
  const block = page && !page.search.isOpen ? findMeantBlock(page) : undefined
  if (!page || !block) return false
  const toggle = (one: ConversationBlock | undefined) => {
    state.overlays.page = toggleResults(
      page,
      one,
      transcriptOf(state),
      state.display.wide,
      state.display.size.rows,
    )
  }
  switch (key) {
    case 'y':
      void copyOutside(state, textOf(block))
      return true
    case 'v':
      void showWhole(state, block)
      return true
    case 'x':
      stopBlock(state, block)
      return true
    case 'enter':
      // Only calls have a result that can be opened on the page.
      if (block.kind === 'call') toggle(block)
      else void showWhole(state, block)
      return true
    case 'e':
      toggle(undefined)
      return true
    case '/':
      // The search also covers closed results, so all results are opened first.
      if (!page.opened.all) toggle(undefined)
      return false
    default:
      return false
  }
}

/** Stops the selected call. If it is not running or belongs to a subagent, shows a hint instead. */
function stopBlock(state: InlineState, block: ConversationBlock): void {
  if (state.conversation.pageThread !== undefined)
    showHint(state, 'this call belongs to another agent; stop it in /agents')
  else if (block.kind !== 'call' || block.state !== 'running') showHint(state, 'this is not running')
  else void sendCommand(state, { type: 'interrupt', call: block.id })
}

function textOf(block: ConversationBlock): string {
  switch (block.kind) {
    case 'call':
      return block.result?.text ?? JSON.stringify(block.args)
    case 'end':
      return block.message ?? block.end
    default:
      return block.text
  }
}

/**
 * Shows the complete result of a call, including the part that the model did not get, or its complete file
 * changes. If the result cannot be read, shows the reason. For other blocks it shows their source text.
 */
async function showWhole(state: InlineState, block: ConversationBlock): Promise<void> {
  const hash = block.kind === 'call' ? block.result?.whole : undefined
  let text = textOf(block)
  const isChange = block.kind === 'call' && isDiff(block)
  if (!isChange && hash !== undefined) {
    try {
      text = await readWhole(state.conversation.client, hash)
    } catch (error) {
      return showHint(state, error instanceof Error ? error.message : String(error))
    }
  }
  // The user may have closed the page while the text was read.
  const before = state.overlays.page
  if (!before) return
  const page = createFixedPage((look) =>
    isChange ? drawCall(block, Date.now(), { ...look, all: true }, true) : wrapText(text, look),
  )
  state.overlays.page = undefined
  const close = () => {
    state.overlays.page = before
  }
  openPage(state, { ...page, close })
}

/** Reads a stored result up to a limit. A longer result ends with a note about the limit. */
async function readWhole(client: SessionClient, hash: string): Promise<string> {
  let text = ''
  while (text.length < maxWhole) {
    const part = await client.readBlob(hash, text.length, partChars)
    text += part
    if (part.length < partChars) return text
  }
  const isAll = (await client.readBlob(hash, maxWhole, 1)) === ''
  return isAll ? text : `${text}\n(only the first ${maxWhole} characters are shown here)`
}

function wrapText(text: string, look: RenderLook): string[] {
  const pen = penOfLook(look)
  return sanitizeText(text, { keepLines: true })
    .split('\n')
    .flatMap((line) => pen.wrap(line, look.width))
}
