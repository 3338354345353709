// The words of a model on a terminal: drawn block by block as they come, each once.
import type { EventPayload } from '../../event/event.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import { openReplyStream, type ReplyStream } from './reply-stream.ts'

interface ReplyWords {
  delta(payload: EventPayload<'message.delta'>): readonly string[]
  /** Tells whether a part of the response that is given up had come. */
  discard(): boolean
  message(payload: EventPayload<'message'>): readonly string[]
  /** The rest of a response that was interrupted. */
  end(): readonly string[]
  /** A last answer, unless it is shown already. */
  answer(text: string): readonly string[]
  /** The last characters that came, of a block that is still open. */
  tail(): string
}

/** `isWhole`: the answer goes elsewhere, so only words before calls are shown, each when it is whole. */
export function openReplyWords(look: () => RenderLook, { isWhole }: { isWhole: boolean }): ReplyWords {
  let stream: ReplyStream | undefined
  let shown: string | undefined
  const end = () => {
    const rest = stream && !isWhole ? stream.end() : []
    stream = undefined
    return rest
  }
  return {
    delta({ text = '' }) {
      if (text === '') return []
      stream ??= openReplyStream(look())
      const lines = stream.push(text)
      return isWhole ? [] : lines
    },
    discard: () => stream?.discard() ?? false,
    message({ role, text, calls = [] }) {
      if (role !== 'assistant') return []
      if (text !== '') shown = text
      const isStreamed = stream !== undefined && !isWhole
      const rest = end()
      return !isStreamed && (!isWhole || calls.length > 0) ? drawMarkdown(text, look()) : rest
    },
    end,
    answer: (text) => (text === shown ? [] : drawMarkdown(text, look())),
    tail: () => stream?.tail() ?? '',
  }
}
