// The words of a model on a terminal: drawn block by block as they come, each once.
import type { EventPayload } from '../event/event.ts'
import { drawMarkdown } from '../render/markdown/markdown.ts'
import type { RenderLook } from '../render/pen.ts'
import { openReplyStream, type ReplyStream } from './reply-stream.ts'

interface ReplyDisplay {
  delta(payload: EventPayload<'message.delta'>): void
  /** Tells whether anything of the reply that is given up had come. */
  discard(): boolean
  message(payload: EventPayload<'message'>): void
  /** What came of a reply that was cut short. */
  end(): void
  /** A last answer, unless it stands there already. */
  answer(text: string): void
  /** The end of what is on its way. */
  tail(): string
}

/**
 * `isWhole`: only remarks between calls are shown, each when it is whole, because the answer goes elsewhere.
 */
export function openReplyDisplay(
  look: () => RenderLook,
  print: (lines: readonly string[]) => void,
  { isWhole }: { isWhole: boolean },
): ReplyDisplay {
  let stream: ReplyStream | undefined
  let shown: string | undefined
  const draw = (text: string) => print(drawMarkdown(text, look()))
  const end = () => {
    if (stream && !isWhole) print(stream.end())
    stream = undefined
  }
  return {
    delta({ text = '' }) {
      if (text === '') return
      stream ??= openReplyStream(look())
      const lines = stream.push(text)
      if (!isWhole) print(lines)
    },
    discard: () => stream?.discard() ?? false,
    message({ role, text, calls = [] }) {
      if (role !== 'assistant') return
      const isStreamed = stream !== undefined && !isWhole
      end()
      if (!isStreamed && (!isWhole || calls.length > 0)) draw(text)
      if (text !== '') shown = text
    },
    end,
    answer(text) {
      if (text !== shown) draw(text)
    },
    tail: () => stream?.tail() ?? '',
  }
}
