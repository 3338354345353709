// What somebody does with the block that is meant on the transcript: copies it, or looks at the whole of it.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ConversationBlock } from '../../session/view/session-view.ts'
import { copyText } from '../command/copy-answer.ts'
import { type InlineState, showHint } from '../inline/inline-state.ts'
import { findMeantBlock } from '../inline/transcript-page.ts'
import type { KeyPress } from '../input/key-press.ts'
import { penOfLook } from '../view/look-pen.ts'
import { openPage } from './live-page.ts'
import { createTextPage } from './text-page.ts'

/** Most characters that are read of one result. */
const maxWhole = 1_000_000

/** False where the key means something else on the page. */
export function pressBlockKey(state: InlineState, { key }: KeyPress): boolean {
  const { page } = state
  const block = page && !page.search.isOpen ? findMeantBlock(page) : undefined
  if (!block || (key !== 'y' && key !== 'enter')) return false
  if (key === 'y') copyText(state, textOf(block))
  else void showWhole(state, block)
  return true
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

/** Everything that a call gave, also what was cut off for the model; of other blocks the source. */
async function showWhole(state: InlineState, block: ConversationBlock): Promise<void> {
  const hash = block.kind === 'call' ? block.result?.whole : undefined
  let text = textOf(block)
  if (hash !== undefined && state.client.readBlob) {
    try {
      text = await state.client.readBlob(hash, 0, maxWhole)
    } catch (error) {
      return showHint(state, error instanceof Error ? error.message : String(error))
    }
  }
  // whoever has closed the page meanwhile wants nothing of it
  const before = state.page
  if (!before) return
  let drawn: { look: RenderLook; lines: string[] } | undefined
  const page = createTextPage((look) => {
    if (drawn?.look !== look) drawn = { look, lines: wrapText(text, look) }
    return drawn.lines
  })
  state.page = undefined
  const close = () => {
    state.page = before
  }
  openPage(state, { ...page, close })
}

function wrapText(text: string, look: RenderLook): string[] {
  const pen = penOfLook(look)
  return sanitizeText(text, { keepLines: true })
    .split('\n')
    .flatMap((line) => pen.wrap(line, look.width))
}
