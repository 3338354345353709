// Messages of the user on the plain screen, with attached files and images.
import type { SessionCommand } from '../../session/commands.ts'
import { readMentions } from '../input/mention.ts'
import { describeFailure, type PlainState, sendCommand } from './plain-state.ts'

interface MessageOptions {
  isCommand?: true | undefined
  /** Whether the terminal already shows the text. */
  isShown?: boolean
}

/** Sends a message. During a run it steers the run. An empty text sends the queued messages. */
export async function sayWords(
  state: PlainState,
  words: string,
  { isCommand, isShown = true }: MessageOptions = {},
): Promise<void> {
  const {
    composer: { pictures, mentions },
  } = state
  const attached = [...mentions, ...pictures.keys()]
  if (words === '' && state.conversation.view.queue.length === 0 && attached.length === 0) return
  const text = [...attached, words].filter((part) => part !== '').join(' ')
  const content =
    pictures.size === 0 ? text : (await import('../command/outside-text.ts')).withPictures(text, pictures)
  const files = await readMentions([...mentions, words].join(' '), (...asked) =>
    state.conversation.client.findMentions(...asked),
  )
  const type = state.conversation.view.run && text !== '' ? 'steer' : 'say'
  if (type === 'steer') state.printer.print(['taken at the next step'])
  const more = { isCommand, files: files.length > 0 ? files : undefined }
  if (isShown && type === 'say') state.conversation.shown.push(text)
  state.composer.pictures = new Map()
  state.composer.mentions = []
  // the next lines do not wait for starting servers
  void deliver(state, { type, content, ...more }).then((isTaken) => {
    if (isTaken && state.composer.text === words) state.composer.text = ''
    if (isTaken) return
    state.composer.pictures = new Map([...pictures, ...state.composer.pictures])
    state.composer.mentions = [...mentions, ...state.composer.mentions]
    forgetShown(state, text)
  })
}

/** Sends the command and returns whether it was recorded. Never rejects. */
async function deliver(state: PlainState, command: SessionCommand): Promise<boolean> {
  state.conversation.sending++
  const slow = setTimeout(
    () => state.printer.print(['waiting for the model and its servers; Ctrl-C stops it']),
    slowMs,
  )
  try {
    return (await sendCommand(state, command)) !== undefined
  } catch (error) {
    state.printer.print([describeFailure(error)])
    return false
  } finally {
    clearTimeout(slow)
    state.conversation.sending--
  }
}

/** Time in ms after which the screen prints the reason of a delay. */
const slowMs = 1_000

/** Returns whether the terminal already shows this message, and forgets it. */
export function forgetShown({ conversation: { shown } }: PlainState, text: string): boolean {
  const at = shown.indexOf(text)
  if (at >= 0) shown.splice(at, 1)
  return at >= 0
}
